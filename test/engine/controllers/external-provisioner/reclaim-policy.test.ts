/** What is left of a volume, by reclaim policy and order of deletion: csi_honor_pv_reclaim_policy.go of the e2e tests. */
import assert from "node:assert/strict";
import { testWithFaults as test } from "../../../support/same-end.ts";
import { claim, StorageRun } from "../../../support/storage-run.ts";

const finalizer = "external-provisioner.volume.kubernetes.io/finalizer";
type Policy = "Delete" | "Retain";

const storageClass = (policy: Policy): string => `
  kind: StorageClass
  metadata: { name: kept }
  provisioner: d.csi
  reclaimPolicy: ${policy}
`;
const provisioned = (policy: Policy): StorageRun =>
  new StorageRun().apply(storageClass(policy)).apply(claim.replace("fast", "kept")).settle();
const given = (policy: Policy): StorageRun =>
  new StorageRun()
    .apply(storageClass(policy))
    .apply(`
    kind: PersistentVolume
    metadata: { name: pv }
    spec:
      storageClassName: kept
      persistentVolumeReclaimPolicy: ${policy}
      csi: { driver: d.csi, volumeHandle: by-hand }
      claimRef: { namespace: default, name: data }
    ---
    kind: PersistentVolumeClaim
    metadata: { name: data }
    spec: { storageClassName: kept, volumeName: pv }
  `)
    .settle();

const volumeOf = (run: StorageRun) => run.list("PersistentVolume")[0];
const nameOf = (run: StorageRun): string => volumeOf(run)?.metadata.name ?? "";
const isHeld = (run: StorageRun): boolean =>
  volumeOf(run)?.metadata.finalizers?.includes(finalizer) ?? false;
const isDeleted = (run: StorageRun): boolean => run.calls.includes("DeleteVolume OK");

for (const [made, start] of [
  ["provisioned", provisioned],
  ["written by hand", given],
] as const) {
  suite(`a volume ${made}`, () => {
    test("with the policy Delete is deleted after its claim, at the driver first", () => {
      const run = start("Delete");
      assert.equal(isHeld(run), true);
      run.delete("PersistentVolumeClaim", "data").settle();
      assert.deepEqual([volumeOf(run), isDeleted(run)], [undefined, true]);
    });

    test("with the policy Delete that is deleted before its claim is deleted at the driver too", () => {
      const run = start("Delete");
      run.delete("PersistentVolume", nameOf(run)).settle();
      assert.equal(volumeOf(run)?.status?.phase, "Bound");
      run.delete("PersistentVolumeClaim", "data").settle();
      assert.deepEqual([volumeOf(run), isDeleted(run)], [undefined, true]);
    });

    test("with the policy Retain becomes Released, and leaves its storage when it is deleted", () => {
      const run = start("Retain");
      assert.equal(isHeld(run), false);
      run.delete("PersistentVolumeClaim", "data").settle();
      assert.equal(volumeOf(run)?.status?.phase, "Released");
      run.delete("PersistentVolume", nameOf(run)).settle();
      assert.deepEqual([volumeOf(run), isDeleted(run)], [undefined, false]);
    });

    test("with the policy Retain that is deleted before its claim leaves its storage", () => {
      const run = start("Retain");
      run.delete("PersistentVolume", nameOf(run)).delete("PersistentVolumeClaim", "data").settle();
      assert.deepEqual([volumeOf(run), isDeleted(run)], [undefined, false]);
    });
  });
}

suite("a volume whose policy is changed", () => {
  for (const [from, to] of [
    ["Retain", "Delete"],
    ["Delete", "Retain"],
  ] as const) {
    test(`from ${from} to ${to} follows the new one`, () => {
      const run = provisioned(from);
      const spec = { persistentVolumeReclaimPolicy: to };
      run.patch("PersistentVolume", nameOf(run), { spec }).settle();
      assert.equal(isHeld(run), to === "Delete");
      run.delete("PersistentVolume", nameOf(run)).delete("PersistentVolumeClaim", "data").settle();
      assert.deepEqual([volumeOf(run), isDeleted(run)], [undefined, to === "Delete"]);
    });
  }
});
