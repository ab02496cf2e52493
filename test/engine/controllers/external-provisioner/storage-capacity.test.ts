/** Upstream: external-provisioner v6.3 pkg/capacity/capacity_test.go. */
import assert from "node:assert/strict";
import type { KubeObject } from "../../../../src/engine/api/meta.ts";
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
const request = (storage: string): NonNullable<unknown> => ({
  spec: { resources: { requests: { storage } } },
});
const start = (): StorageRun => new StorageRun({ driver, nodes: threeZones }).apply(late).settle();
const withCapacity = (of: KubeObject<"CSIStorageCapacity">, capacity: string): string =>
  JSON.stringify({
    kind: of.kind,
    metadata: { name: of.metadata.name, namespace: "kube-system" },
    storageClassName: of.storageClassName,
    nodeTopology: of.nodeTopology,
    capacity,
  });
const foreign = (manager: string | undefined, className: string): string => `
  kind: CSIStorageCapacity
  metadata:
    name: ${manager ?? "nobody"}-${className}
    namespace: kube-system
    labels:
      csi.storage.k8s.io/drivername: d.csi
      ${manager === undefined ? "" : `csi.storage.k8s.io/managed-by: ${manager}`}
  storageClassName: ${className}
  nodeTopology: { matchLabels: { example.com/zone: a } }
  capacity: 1Ti
`;

suite("storage capacity", () => {
  test("each segment of a WaitForFirstConsumer class is published, Immediate classes are not", () => {
    const run = start();
    assert.deepEqual(capacities(run), ["a 10Gi", "b 10Gi", "c 10Gi"]);
    const [first] = run.list("CSIStorageCapacity");
    assert.equal(first?.storageClassName, "late");
    assert.deepEqual(first?.metadata.labels, {
      "csi.storage.k8s.io/drivername": "d.csi",
      "csi.storage.k8s.io/managed-by": "external-provisioner",
    });
  });

  test("a volume's creation and deletion are noticed at once", () => {
    const run = start().apply(claim("4Gi")).apply(pod("n2")).settle();
    assert.deepEqual(capacities(run), ["a 10Gi", "b 6Gi", "c 10Gi"]);
    run.delete("Pod", "web").delete("PersistentVolumeClaim", "data");
    while (run.list("PersistentVolume").length > 0) run.advance(1);
    assert.deepEqual(capacities(run.advance(1)), ["a 10Gi", "b 10Gi", "c 10Gi"]);
  });

  test("an expansion is noticed at the next poll", () => {
    const run = start().patch("StorageClass", "late", { allowVolumeExpansion: true });
    run.apply(claim("2Gi")).apply(pod("n2")).settle();
    run.patch("PersistentVolumeClaim", "data", request("4Gi")).advance(5);
    assert.equal(run.list("PersistentVolume")[0]?.spec.capacity?.["storage"], "4Gi");
    assert.deepEqual(capacities(run), ["a 10Gi", "b 8Gi", "c 10Gi"]);
    run.advance(60);
    assert.deepEqual(capacities(run), ["a 10Gi", "b 6Gi", "c 10Gi"]);
    run.delete("Pod", "web").delete("PersistentVolumeClaim", "data");
  });

  test("so is the deletion of a volume without a segment", () => {
    const run = new StorageRun({ driver: { storageCapacity: true, poolPerZone: "10Gi" } });
    const free = (): string | undefined => run.list("CSIStorageCapacity")[0]?.capacity;
    run.apply(late).apply(claim("4Gi")).apply(pod("n1")).settle();
    assert.equal(free(), "6Gi");
    run.delete("Pod", "web").delete("PersistentVolumeClaim", "data");
    while (run.list("PersistentVolume").length > 0) run.advance(1);
    assert.equal(free(), "6Gi");
    run.advance(60);
    assert.equal(free(), "10Gi");
  });

  test("a deleted class's capacities are deleted", () => {
    const run = start().delete("StorageClass", "late").settle();
    assert.deepEqual(capacities(run), []);
  });

  test("a node's segment follows its labels; a node without the driver's label has none", () => {
    const run = start();
    const relabel = (name: string, zone: string | null): StorageRun =>
      run.patch("Node", name, { metadata: { labels: { "example.com/zone": zone } } }).settle();
    relabel("n1", "b");
    assert.deepEqual(capacities(run), ["b 10Gi", "c 10Gi"]);
    relabel("n3", null);
    assert.deepEqual(capacities(run), ["b 10Gi"]);
    relabel("n3", "a");
    assert.deepEqual(capacities(run), ["a 10Gi", "b 10Gi"]);
  });

  test("nothing is published while GetCapacity fails", () => {
    const run = start().fault("GetCapacity", { code: "Internal", times: 0 });
    run.apply(late.replace("name: late", "name: later")).advance(30);
    assert.deepEqual(capacities(run), ["a 10Gi", "b 10Gi", "c 10Gi"]);
    run.fault("GetCapacity", { clear: true }).settle();
    assert.equal(capacities(run).length, 6);
  });

  test("a pod is not scheduled where the capacity is too small", () => {
    const run = start().apply(claim("20Gi")).apply(pod("n1")).settle();
    assert.equal(run.get("Pod", "web")?.status?.phase, "Pending");
    assert.deepEqual(run.calls, []);
  });

  test("GetCapacity is not called while nothing can have changed", () => {
    const run = start().mark().advance(600);
    assert.deepEqual(run.requests("GetCapacity"), []);
  });

  test("a deleted object comes back, and a change by hand is undone within a minute", () => {
    const run = start();
    const [first, second] = run.list("CSIStorageCapacity");
    assert.ok(first !== undefined && second !== undefined);
    run.delete("CSIStorageCapacity", first.metadata.name, { namespace: "kube-system" });
    run.apply(withCapacity(second, "1Ti")).advance(5);
    assert.equal(capacities(run).filter((text) => text.endsWith("1Ti")).length, 1);
    assert.equal(capacities(run).length, 3);
    run.advance(60);
    assert.deepEqual(capacities(run), ["a 10Gi", "b 10Gi", "c 10Gi"]);
  });

  test("objects managed by somebody else stay", () => {
    const run = start().apply(foreign("manual", "late")).apply(foreign(undefined, "late")).settle();
    assert.deepEqual(capacities(run), ["a 10Gi", "a 1Ti", "a 1Ti", "b 10Gi", "c 10Gi"]);
  });

  test("objects for classes of other drivers or with Immediate binding are deleted", () => {
    const other = (name: string, provisioner: string): string => `
      kind: StorageClass
      metadata: { name: ${name} }
      provisioner: ${provisioner}
      volumeBindingMode: ${name === "now" ? "Immediate" : "WaitForFirstConsumer"}
    `;
    const run = start().apply(other("now", "d.csi")).apply(other("theirs", "e.csi"));
    run.apply(foreign("external-provisioner", "now"));
    run.apply(foreign("external-provisioner", "theirs")).settle();
    assert.deepEqual(capacities(run), ["a 10Gi", "b 10Gi", "c 10Gi"]);
  });

  test("the capacity of a driver without topology is published once it runs on a node", () => {
    const run = new StorageRun({ driver: { storageCapacity: true, poolPerZone: "10Gi" } });
    run.apply(late).settle();
    const found = run.list("CSIStorageCapacity");
    assert.deepEqual(
      found.map(({ nodeTopology, capacity }) => ({ nodeTopology, capacity })),
      [{ nodeTopology: {}, capacity: "10Gi" }],
    );
    const without = new StorageRun({ driver: { storageCapacity: true }, nodes: [] });
    assert.deepEqual(without.apply(late).settle().list("CSIStorageCapacity"), []);
  });
});
