import assert from "node:assert/strict";
import path from "node:path";
import type { Step } from "../../src/engine/scenario.ts";
import { record } from "./recording.ts";
import { parseManifests, readProfile } from "./scenario-file.ts";

const oneNode = readProfile(path.join(import.meta.dirname, "../recordings"), "one-node");

function csiNodesAfter(...changes: readonly Step[]): readonly unknown[] {
  const steps: readonly Step[] = [...changes, { type: "settle" }];
  const scenario = { version: "1.36", seed: 1, cluster: oneNode, steps } as const;
  const { checkpoints } = record("csinode", scenario).recording;
  return checkpoints.flatMap(({ objects }) => objects.filter((o) => o.kind === "CSINode"));
}

suite("a recording by the engine", () => {
  test("changes existing objects by a merge patch, as the recordings did, also among other documents", () => {
    const claim = (spec: string): string => `
kind: PersistentVolumeClaim
apiVersion: v1
metadata: {name: data}
spec: {${spec}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: beside}`;
    const texts = [
      claim(
        "storageClassName: fast, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}",
      ),
      claim("volumeName: pv"),
      "kind: PersistentVolumeClaim\napiVersion: v1",
    ];
    const steps = texts.map(
      (text) => ({ type: "apply", manifests: parseManifests(text) }) as const,
    );
    const cluster = { name: "test", nodes: [], drivers: [], manifests: [] };
    const { simulation } = record("patched", { version: "1.36", seed: 1, cluster, steps });
    const found = simulation.runtime.api.store.get("PersistentVolumeClaim", "default", "data");
    assert.equal(found?.spec.volumeName, "pv");
    assert.equal(found?.spec.storageClassName, "fast");
  });

  test("leaves out a CSINode while it has all of its drivers", () => {
    const object = { kind: "CSINode", name: "node-a" } as const;
    const patch = { metadata: { annotations: { note: "changed" } } };
    assert.deepEqual(csiNodesAfter({ type: "patch", object, patch }), []);
  });

  test("has a CSINode that has lost a driver", () => {
    const leave = oneNode.drivers.map(
      ({ name }): Step => ({ type: "driver", name, node: "down", nodeName: "node-a" }),
    );
    assert.equal(csiNodesAfter(...leave).length, 1);
  });
});
