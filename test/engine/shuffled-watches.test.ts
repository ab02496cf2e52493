/**
 * Whatever the order and delay of watch events, a run ends as if every component heard of each write at once. The cases are
 * stages in the life of a volume, each of which involves several components that watch several kinds.
 */
import assert from "node:assert/strict";
import type { KubeObject } from "../../src/engine/api/meta.ts";
import { testInAnyOrder as test } from "../support/same-end.ts";
import { claim, pod, StorageRun, twoNodes } from "../support/storage-run.ts";
import { runs } from "../support/workloads.ts";

const size = "accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } }";
const phase = (run: StorageRun, name: string): string | undefined =>
  run.get("Pod", name)?.status?.phase;
const claimOf = (run: StorageRun, name: string): KubeObject<"PersistentVolumeClaim"> | undefined =>
  run.get("PersistentVolumeClaim", name);

suite("watch events in any order", function () {
  this.timeout(60_000);

  test("a claim takes the smallest static volume that fits, and gives it back", () => {
    const run = new StorageRun().apply(`
      kind: PersistentVolume
      metadata: { name: large }
      spec: { storageClassName: manual, capacity: { storage: 10Gi }, nfs: { server: nas, path: /l } }
      ---
      kind: PersistentVolume
      metadata: { name: small }
      spec: { storageClassName: manual, capacity: { storage: 2Gi }, nfs: { server: nas, path: /s } }
    `);
    run.settle().apply(`
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: manual }
    `);
    run.settle();
    assert.equal(claimOf(run, "data")?.spec.volumeName, "small");
    run.delete("PersistentVolumeClaim", "data").settle();
    assert.equal(run.get("PersistentVolume", "small")?.status?.phase, "Released");
  });

  test("a dynamic volume is provisioned for a pod, attached and mounted, and deleted with its claim", () => {
    const run = new StorageRun().apply(claim).apply(pod).settle();
    assert.equal(phase(run, "web"), "Running");
    run.delete("Pod", "web").delete("PersistentVolumeClaim", "data").advance(120);
    assert.deepEqual(run.list("PersistentVolume"), []);
  });

  test("a StatefulSet's pod moves to another node, and its volume with it", () => {
    const run = new StorageRun({ nodes: twoNodes }).step({ type: "cordon", name: "n2" });
    run.settle().apply(`
      kind: StatefulSet
      metadata: { name: db }
      spec:
        {
          ${runs("db")},
          serviceName: db,
          volumeClaimTemplates: [{ metadata: { name: data }, spec: { storageClassName: fast, ${size} } }],
        }
    `);
    run.settle();
    // A pod that is evicted before the scheduler knows of the cordon may be placed on the same node again.
    run.step({ type: "uncordon", name: "n2" }).step({ type: "cordon", name: "n1" }).advance(15);
    run.step({ type: "drain", name: "n1" }).advance(120);
    assert.equal(phase(run, "db-0"), "Running");
    assert.equal(run.get("Pod", "db-0")?.spec.nodeName, "n2");
  });

  test("a Deployment whose pods share a volume is rolled out", () => {
    const run = new StorageRun().apply(claim).apply(`
      kind: Deployment
      metadata: { name: web }
      spec: { ${runs("web", "volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]")} }
    `);
    run.settle();
    const annotations = { version: "2" };
    run.patch("Deployment", "web", { spec: { template: { metadata: { annotations } } } }).settle();
    const [next, ...others] = run.list("Pod").map(({ metadata }) => metadata.annotations);
    assert.deepEqual([next, others], [annotations, []]);
  });

  test("a snapshot is taken of a volume, and a claim is created from it", () => {
    const run = new StorageRun({ driver: { snapshots: true } }).apply(`
      kind: VolumeSnapshotClass
      metadata: { name: snapshots }
      driver: d.csi
      deletionPolicy: Delete
    `);
    run.apply(claim).apply(`
      kind: VolumeSnapshot
      metadata: { name: snap }
      spec: { volumeSnapshotClassName: snapshots, source: { persistentVolumeClaimName: data } }
    `);
    run.apply(`
      kind: PersistentVolumeClaim
      metadata: { name: restored }
      spec:
        storageClassName: fast
        dataSource: { apiGroup: snapshot.storage.k8s.io, kind: VolumeSnapshot, name: snap }
    `);
    // A component that hears late of an object retries after 1, 2, 4 … s: a snapshot deleted before that is not restored.
    run.advance(180);
    assert.equal(run.get("VolumeSnapshot", "snap")?.status?.readyToUse, true);
    assert.equal(claimOf(run, "restored")?.status?.phase, "Bound");
    run.delete("VolumeSnapshot", "snap").advance(60);
    assert.deepEqual(run.list("VolumeSnapshotContent"), []);
  });

  test("a mounted volume is grown", () => {
    const run = new StorageRun().apply(claim).apply(pod).settle();
    const resources = { requests: { storage: "5Gi" } };
    run.patch("PersistentVolumeClaim", "data", { spec: { resources } }).advance(180);
    assert.equal(claimOf(run, "data")?.status?.capacity?.["storage"], "5Gi");
  });
});
