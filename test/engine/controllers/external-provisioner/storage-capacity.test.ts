/** Upstream: external-provisioner v6.3 pkg/capacity/capacity_test.go. */
import assert from "node:assert/strict";
import { testWithFaults as test } from "../../../support/same-end.ts";
import { StorageRun, threeZones } from "../../../support/storage-run.ts";

const driver = { topologyKey: "example.com/zone", storageCapacity: true, poolPerZone: "10Gi" };
const late = `
  kind: StorageClass
  metadata: { name: late }
  provisioner: d.csi
  volumeBindingMode: WaitForFirstConsumer
`;
const claim = (size: string): string => `
  kind: PersistentVolumeClaim
  metadata: { name: data }
  spec: { storageClassName: late, resources: { requests: { storage: ${size} } } }
`;
const pod = (node: string): string => `
  kind: Pod
  metadata: { name: web }
  spec:
    nodeSelector: { kubernetes.io/hostname: ${node} }
    containers: [{ name: main, image: app, volumeMounts: [{ name: data, mountPath: /data }] }]
    volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
`;
const capacities = (run: StorageRun): readonly string[] =>
  run
    .list("CSIStorageCapacity")
    .map((c) => `${c.nodeTopology?.matchLabels?.["example.com/zone"]} ${c.capacity}`)
    .sort();
const start = (): StorageRun => new StorageRun({ driver, nodes: threeZones }).apply(late).settle();

suite("storage capacity", () => {
  test("each segment of a class that waits for its consumer is published, Immediate classes are not", () => {
    const run = start();
    assert.deepEqual(capacities(run), ["a 10Gi", "b 10Gi", "c 10Gi"]);
    const [first] = run.list("CSIStorageCapacity");
    assert.equal(first?.storageClassName, "late");
    assert.deepEqual(first?.metadata.labels, {
      "csi.storage.k8s.io/drivername": "d.csi",
      "csi.storage.k8s.io/managed-by": "external-provisioner",
    });
  });

  test("a new volume and its deletion are seen at once", () => {
    const run = start().apply(claim("4Gi")).apply(pod("n2")).settle();
    assert.deepEqual(capacities(run), ["a 10Gi", "b 6Gi", "c 10Gi"]);
    run.delete("Pod", "web").delete("PersistentVolumeClaim", "data").settle();
    assert.deepEqual(capacities(run), ["a 10Gi", "b 10Gi", "c 10Gi"]);
  });

  test("a class that goes takes its capacities with it", () => {
    const run = start().delete("StorageClass", "late").settle();
    assert.deepEqual(capacities(run), []);
  });

  test("a pod is not sent where the capacity is too small", () => {
    const run = start().apply(claim("20Gi")).apply(pod("n1")).settle();
    assert.equal(run.get("Pod", "web")?.status?.phase, "Pending");
    assert.deepEqual(run.calls, []);
  });

  test("nothing is asked while nothing can have changed", () => {
    const run = start().mark().advance(600);
    assert.deepEqual(run.requests("GetCapacity"), []);
  });
});
