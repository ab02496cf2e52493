/** Resources of nodes that are taken by pods outside of the run. */
import assert from "node:assert/strict";
import { driverProfile } from "../../../src/engine/csi/driver-profile.ts";
import type { NodeProfile } from "../../../src/engine/scenario.ts";
import { simulate } from "../../support/simulate.ts";

const name = "disks.example.com";
const driver = driverProfile({ name, maxVolumesPerNode: 3 });
const storageClass = {
  apiVersion: "storage.k8s.io/v1",
  kind: "StorageClass",
  metadata: { name: "disks" },
  provisioner: name,
  volumeBindingMode: "WaitForFirstConsumer",
};
const claim = {
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: { name: "data", namespace: "default" },
  spec: {
    storageClassName: "disks",
    accessModes: ["ReadWriteOnce"],
    resources: { requests: { storage: "1Gi" } },
  },
};

/** Returns the scheduler's message for a pod with a volume and this CPU request, on one node with two CPUs. */
function said(cpu: string, taken: Partial<NodeProfile>): string | undefined {
  const pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "web", namespace: "default" },
    spec: {
      containers: [{ name: "c", image: "nginx", resources: { requests: { cpu } } }],
      volumes: [{ name: "v", persistentVolumeClaim: { claimName: "data" } }],
    },
  };
  const node = { name: "node-a", capacity: { cpu: "2" }, ...taken };
  const trace = simulate({
    version: "1.36",
    seed: 1,
    cluster: { name: "test", nodes: [node], drivers: [driver], manifests: [storageClass] },
    steps: [{ type: "apply", manifests: [claim, pod] }, { type: "settle" }],
  });
  const events = trace.entries.flatMap((entry) => (entry.type === "event" ? [entry] : []));
  return events.find(({ actor, about }) => actor.includes("scheduler") && about.startsWith("Pod/"))
    ?.message;
}

const noRoom = (why: string): string =>
  `0/1 nodes are available: 1 ${why}. no new claims to deallocate, preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.`;

suite("resources taken by pods outside of the run", () => {
  test("are not available", () => {
    assert.equal(said("600m", { taken: { cpu: "1500m" } }), noRoom("Insufficient cpu"));
    assert.equal(
      said("600m", { volumesTaken: { [name]: 3 } }),
      noRoom("node(s) exceed max volume count"),
    );
  });

  test("leave the rest available", () => {
    const taken = { taken: { cpu: "1500m" }, volumesTaken: { [name]: 2, "other.example.com": 9 } };
    assert.equal(said("500m", taken), "Successfully assigned default/web to node-a");
  });
});
