/** Which calls to a driver carry a secret. */
import assert from "node:assert/strict";
import { claim, pod, StorageRun } from "../../support/storage-run.ts";

const prefix = "csi.storage.k8s.io/";
const named = (use: string, secret: string): string =>
  `${prefix}${use}secret-name: ${secret}, ${prefix}${use}secret-namespace: default`;

const drivers = {
  driver: { snapshots: true, listSnapshots: true, modify: true },
};
const key = "{ kind: Secret, metadata: { name: key } }";
const classes = `
  kind: StorageClass
  metadata: { name: fast }
  provisioner: d.csi
  allowVolumeExpansion: true
  parameters: { ${named("", "key")} }
  ---
  kind: VolumeSnapshotClass
  metadata: { name: nightly }
  driver: d.csi
  deletionPolicy: Delete
  parameters: { ${named("snapshotter-", "key")}, ${named("snapshotter-list-", "key")} }
  ---
  kind: VolumeAttributesClass
  metadata: { name: gold }
  driverName: d.csi
  parameters: { tier: gold }
`;
const snapshots = `
  kind: VolumeSnapshot
  metadata: { name: taken }
  spec: { volumeSnapshotClassName: nightly, source: { persistentVolumeClaimName: data } }
  ---
  kind: VolumeSnapshot
  metadata: { name: given }
  spec: { source: { volumeSnapshotContentName: c } }
  ---
  kind: VolumeSnapshotContent
  metadata: { name: c }
  spec:
    driver: d.csi
    deletionPolicy: Retain
    volumeSnapshotClassName: nightly
    source: { snapshotHandle: old }
    volumeSnapshotRef: { name: given, namespace: default }
`;

suite("the secret of a class", () => {
  test("comes with every call for its volumes and their snapshots, except those that undo mounts", () => {
    const run = new StorageRun(drivers).delete("StorageClass", "fast");
    run.apply(key).apply(classes).apply(claim).apply(pod).settle().apply(snapshots).settle();
    run
      .patch("PersistentVolumeClaim", "data", {
        spec: {
          resources: { requests: { storage: "2Gi" } },
          volumeAttributesClassName: "gold",
        },
      })
      .advance(120);
    for (const name of ["taken", "given"]) run.delete("VolumeSnapshot", name);
    run.delete("Pod", "web").delete("PersistentVolumeClaim", "data").settle();
    const calls = [
      "CreateVolume",
      "ControllerPublishVolume",
      "NodeStageVolume",
      "NodePublishVolume",
      "CreateSnapshot",
      "ListSnapshots",
      "ControllerExpandVolume",
      "ControllerModifyVolume",
      "NodeExpandVolume",
      "DeleteSnapshot",
      "ControllerUnpublishVolume",
      "DeleteVolume",
    ];
    const given = calls.map((call) => [call, run.requests(call)[0]?.["secrets"]]);
    assert.deepEqual(
      given,
      calls.map((call) => [call, "***stripped***"]),
    );
    const withoutAny = ["NodeUnpublishVolume", "NodeUnstageVolume"];
    for (const call of withoutAny) assert.equal(run.requests(call)[0]?.["secrets"], undefined);
  });

  test("is noted on a volume when it is provisioned, and used to delete it even if the class changes", () => {
    const deletion = (then: string, now: string): unknown => {
      const naming = (secret: string): string => classes.replace(named("", "key"), secret);
      const run = new StorageRun(drivers).delete("StorageClass", "fast");
      run.apply(key).apply(naming(then)).apply(claim).settle();
      run.delete("StorageClass", "fast").apply(naming(now));
      run.delete("PersistentVolumeClaim", "data").settle();
      return run.requests("DeleteVolume")[0]?.["secrets"];
    };
    assert.equal(deletion(named("", "key"), ""), "***stripped***");
    assert.equal(deletion("", named("", "key")), undefined);
  });

  test("is not sent with a volume's deletion once it is gone, and a static volume uses its class's", () => {
    const deletion = (secret: string): unknown => {
      const run = new StorageRun(drivers).delete("StorageClass", "fast");
      run
        .apply(secret)
        .apply(classes)
        .apply(`
        kind: PersistentVolume
        metadata: { name: disk }
        spec:
          persistentVolumeReclaimPolicy: Delete
          storageClassName: fast
          csi: { driver: d.csi, volumeHandle: h }
      `);
      run.apply(claim).settle().delete("PersistentVolumeClaim", "data").settle();
      return run.requests("DeleteVolume")[0];
    };
    assert.deepEqual(deletion(key), { volume_id: "h", secrets: "***stripped***" });
    assert.deepEqual(deletion(key.replace("key", "other")), { volume_id: "h" });
  });
});
