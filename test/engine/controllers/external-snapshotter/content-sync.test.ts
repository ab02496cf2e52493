/** Writes of the snapshot sidecar that fail, as they are told on the content. */
import assert from "node:assert/strict";
import { claim, StorageRun } from "../../../support/storage-run.ts";

const nightly = `
  kind: VolumeSnapshotClass
  metadata: { name: nightly }
  driver: d.csi
  deletionPolicy: Delete
`;
const snapshot = `
  kind: VolumeSnapshot
  metadata: { name: s }
  spec: { volumeSnapshotClassName: nightly, source: { persistentVolumeClaimName: data } }
`;

/** What is said of a content that its user tears away while the driver works on its snapshot. */
function lastWords(code?: string): readonly string[] {
  const run = new StorageRun({ driver: { snapshots: true } }).apply(nightly).apply(claim).settle();
  run.fault("CreateSnapshot", { delayMs: 5000, ...(code !== undefined && { code }) });
  run.apply(snapshot).advance(2);
  const name = run.list("VolumeSnapshotContent")[0]?.metadata.name ?? "";
  run
    .delete("VolumeSnapshot", "s")
    .patch("VolumeSnapshot", "s", { metadata: { finalizers: null } });
  run.delete("VolumeSnapshotContent", name);
  run.patch("VolumeSnapshotContent", name, { metadata: { finalizers: null } }).settle();
  return run
    .events(`VolumeSnapshotContent//${name}`)
    .map((line) => line.replaceAll(name, "<CONTENT>"));
}

suite("a content that is torn away while its snapshot is taken", () => {
  const notFound = 'volumesnapshotcontents.snapshot.storage.k8s.io "<CONTENT>" not found';

  test("gets a last event, though its status is gone", () => {
    assert.deepEqual(lastWords(), [
      `Warning SnapshotCreationFailed Failed to create snapshot: error updating status for volume snapshot content <CONTENT>: error get snapshot content <CONTENT> from api server: ${notFound}`,
    ]);
  });

  test("hears of its mark rather than of the driver's refusal", () => {
    assert.deepEqual(lastWords("Internal"), [
      `Warning SnapshotCreationFailed Failed to create snapshot: failed to remove VolumeSnapshotBeingCreated annotation from the content <CONTENT>: snapshot controller failed to update <CONTENT> on API server: ${notFound}`,
    ]);
  });
});

test("a driver's refusal is quoted as Go quotes it", () => {
  const run = new StorageRun({ driver: { snapshots: true } }).apply(nightly).apply(claim).settle();
  run.fault("CreateSnapshot", { code: "Internal", message: "a\u0001b" });
  run.apply(snapshot).advance(0.5);
  const name = run.list("VolumeSnapshotContent")[0]?.metadata.name ?? "";
  assert.match(
    run.events(`VolumeSnapshotContent//${name}`)[0] ?? "",
    /: "rpc error: code = Internal desc = a\\x01b"$/,
  );
});
