/** Deletion of volumes. */
import assert from "node:assert/strict";
import { driverProfile } from "../../../../src/engine/csi/driver-profile.ts";
import type { Runtime } from "../../../../src/engine/runtime/runtime.ts";
import { check } from "../../../support/check.ts";
import { testWithFaults as test } from "../../../support/same-end.ts";
import { claim, oneNode, pod, StorageRun } from "../../../support/storage-run.ts";

const volumeOf = (run: StorageRun) => run.list("PersistentVolume")[0];

suite("deletion of provisioned volumes", () => {
  test("a deleted claim in use keeps its volume until the pod is gone; detach comes before DeleteVolume", () => {
    const run = new StorageRun().apply(claim).apply(pod).settle().mark();
    run.delete("PersistentVolumeClaim", "data").settle();
    assert.equal(run.calls.length, 0);
    run.delete("Pod", "web").settle();
    const controllerCalls = run.calls.filter((call) => !call.startsWith("n1 "));
    assert.deepEqual(
      [...new Set(controllerCalls)],
      ["ControllerUnpublishVolume OK", "DeleteVolume OK"],
    );
    assert.equal(volumeOf(run), undefined);
  });

  test("a conflict on, or a crash after, any write leads to the same end", () => {
    check(
      `
      kind: StorageClass
      metadata: { name: fast }
      provisioner: d.csi
      ---
      kind: PersistentVolumeClaim
      metadata: { name: data }   #=> gone
      spec: { storageClassName: fast }
    `,
      {
        cluster: { drivers: [driverProfile({ name: "d.csi" })], nodes: oneNode },
        steps: [
          { type: "delete", objects: [{ kind: "PersistentVolumeClaim", name: "data" }] },
          { type: "settle" },
        ],
      },
    );
  });

  test("if the driver fails, the volume stays Released and the call is retried", () => {
    const run = new StorageRun().apply(claim).settle().mark();
    run.fault("DeleteVolume", { code: "Internal", message: "busy", times: 2 });
    const name = volumeOf(run)?.metadata.name ?? "";
    run.delete("PersistentVolumeClaim", "data").advance(0.9);
    assert.equal(volumeOf(run)?.status?.phase, "Released");
    run.settle();
    assert.equal(volumeOf(run), undefined);
    assert.deepEqual(run.events(`PersistentVolume//${name}`), [
      "Warning VolumeFailedDelete rpc error: code = Internal desc = busy",
    ]);
  });

  test("an existing attachment delays the deletion, if the driver can attach", () => {
    const attachedWith = (driver: object): StorageRun => {
      const run = new StorageRun({ driver }).apply(claim).settle();
      return run
        .apply(`
          kind: VolumeAttachment
          metadata: { name: kept, finalizers: [example.com/keep] }
          spec: { attacher: other.csi, nodeName: n1, source: { persistentVolumeName: ${volumeOf(run)?.metadata.name} } }
        `)
        .mark();
    };
    const other = attachedWith({ attachRequired: false });
    other.delete("PersistentVolumeClaim", "data").settle();
    assert.deepEqual(other.calls, ["DeleteVolume OK"]);
    const run = attachedWith({});
    const name = volumeOf(run)?.metadata.name ?? "";
    run.delete("PersistentVolumeClaim", "data").settle();
    assert.deepEqual(run.calls, []);
    assert.deepEqual(run.events(`PersistentVolume//${name}`), [
      `Warning VolumeFailedDelete persistentvolume ${name} is still attached to node n1`,
    ]);
    run.mayEndOtherwise(
      "The provisioner asks its cache, which may not know of the attachment yet.",
      {
        "PersistentVolume pvc-<uid PersistentVolumeClaim/default/data>": "gone",
      },
    );
  });

  test("Retain removes the finalizer and keeps the volume", () => {
    const run = new StorageRun().apply(claim).settle();
    const name = volumeOf(run)?.metadata.name ?? "";
    run.patch("PersistentVolume", name, { spec: { persistentVolumeReclaimPolicy: "Retain" } });
    run.settle().mark();
    assert.deepEqual(volumeOf(run)?.metadata.finalizers, ["kubernetes.io/pv-protection"]);
    run.delete("PersistentVolumeClaim", "data").settle();
    assert.equal(volumeOf(run)?.status?.phase, "Released");
    assert.deepEqual(run.calls, []);
  });

  test("a static volume uses its class's Secret, whose name cannot contain annotations of the deleted claim", () => {
    const run = new StorageRun()
      .apply(`
        kind: StorageClass
        metadata: { name: secret }
        provisioner: d.csi
        parameters:
          csi.storage.k8s.io/provisioner-secret-name: "\${pvc.annotations['key']}"
          csi.storage.k8s.io/provisioner-secret-namespace: default
        ---
        kind: PersistentVolume
        metadata: { name: disk }
        spec:
          persistentVolumeReclaimPolicy: Delete
          storageClassName: secret
          csi: { driver: d.csi, volumeHandle: vol-1 }
      `)
      .apply(claim.replace("fast", "secret"))
      .settle()
      .mark();
    run.delete("PersistentVolumeClaim", "data").settle();
    assert.deepEqual(run.calls, []);
    assert.deepEqual(run.events("PersistentVolume//disk"), [
      "Warning VolumeFailedDelete failed to get secretreference for volume disk: " +
        "error resolving value \"${pvc.annotations['key']}\": invalid tokens: [\"pvc.annotations['key']\"]",
    ]);
    // Without its class it needs no Secret.
    run.delete("StorageClass", "secret").advance(300).settle();
    assert.deepEqual(run.calls, ["DeleteVolume OK"]);
  });

  test("a finalizer added concurrently by someone else is kept when the volume gets its own", () => {
    const kept = "example.com/keep";
    const addsAtTheSameMoment = ({ api }: Runtime): void => {
      const patch = api.patch.bind(api);
      let isAdded = false;
      api.patch = (...of) => {
        const disk = api.store.get("PersistentVolume", "", "disk");
        if (!isAdded && of[0] === "PersistentVolume" && disk?.status?.phase === "Bound") {
          isAdded = true;
          const { finalizers = [] } = disk.metadata;
          const metadata = { ...disk.metadata, finalizers: [...finalizers, kept] };
          api.update({ ...disk, metadata }, "");
        }
        return patch(...of);
      };
    };
    const run = new StorageRun({ disturb: addsAtTheSameMoment })
      .apply(`
        kind: PersistentVolume
        metadata: { name: disk }
        spec:
          persistentVolumeReclaimPolicy: Delete
          storageClassName: ""
          csi: { driver: d.csi, volumeHandle: vol-1 }
      `)
      .apply(claim.replace("fast", '""'))
      .settle();
    assert.deepEqual(run.get("PersistentVolume", "disk")?.metadata.finalizers, [
      "kubernetes.io/pv-protection",
      kept,
      "external-provisioner.volume.kubernetes.io/finalizer",
    ]);
  });

  test("the storage of a static volume is deleted too; it has the finalizer while it is bound", () => {
    const run = new StorageRun()
      .apply(`
        kind: PersistentVolume
        metadata: { name: disk }
        spec:
          persistentVolumeReclaimPolicy: Delete
          storageClassName: ""
          csi: { driver: d.csi, volumeHandle: vol-1 }
      `)
      .settle();
    const finalizers = () => run.get("PersistentVolume", "disk")?.metadata.finalizers;
    assert.deepEqual(finalizers(), ["kubernetes.io/pv-protection"]);
    run.apply(claim.replace("fast", '""')).settle().mark();
    assert.deepEqual(finalizers(), [
      "kubernetes.io/pv-protection",
      "external-provisioner.volume.kubernetes.io/finalizer",
    ]);
    run.delete("PersistentVolumeClaim", "data").settle();
    assert.deepEqual(run.requests("DeleteVolume").at(0), { volume_id: "vol-1" });
    assert.equal(run.get("PersistentVolume", "disk"), undefined);
  });
});
