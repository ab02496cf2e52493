/** Labels that a pod gets from its node when bound. Upstream: plugin/pkg/admission/podtopologylabels admission_test.go. */
import assert from "node:assert/strict";
import type { KubernetesVersion } from "../../../src/engine/scenario.ts";
import { StorageRun } from "../../support/storage-run.ts";

const pods = `
  kind: Pod
  metadata: { name: scheduled, labels: { app: web, topology.kubernetes.io/zone: elsewhere } }
  spec: { containers: [{ name: main, image: app }] }
  ---
  kind: Pod
  metadata: { name: placed, labels: { app: web } }
  spec: { nodeName: n1, containers: [{ name: main, image: app }] }
`;

function labelsIn(version: KubernetesVersion): readonly unknown[] {
  const run = new StorageRun({ version }).apply(pods).settle();
  return ["scheduled", "placed"].map((name) => run.get("Pod", name)?.metadata.labels);
}

suite("the labels of a pod on a node", () => {
  test("are its own and the node's zone, which overrides one in the pod", () => {
    const labels = { app: "web", "topology.kubernetes.io/zone": "a" };
    assert.deepEqual(labelsIn("1.35"), [labels, labels]);
  });

  test("are only its own before 1.35", () =>
    assert.deepEqual(labelsIn("1.34"), [
      { app: "web", "topology.kubernetes.io/zone": "elsewhere" },
      { app: "web" },
    ]));
});
