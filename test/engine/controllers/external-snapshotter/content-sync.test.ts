/** What the snapshot sidecar leaves alone, and how failed writes are reported on the content. */
import assert from "node:assert/strict";
import { unixMs } from "../../../../src/engine/api/timestamp.ts";
import type { DriverProfile } from "../../../../src/engine/csi/driver-profile.ts";
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

/** The events of a content that a user force-deletes while the driver works on its snapshot. */
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

suite("a content that is force-deleted while its snapshot is created", () => {
  const notFound = 'volumesnapshotcontents.snapshot.storage.k8s.io "<CONTENT>" not found';

  test("gets a last event, even though its status cannot be written", () => {
    assert.deepEqual(lastWords(), [
      `Warning SnapshotCreationFailed Failed to create snapshot: error updating status for volume snapshot content <CONTENT>: error get snapshot content <CONTENT> from api server: ${notFound}`,
    ]);
  });

  test("reports the failed removal of its annotation instead of the driver's refusal", () => {
    assert.deepEqual(lastWords("Internal"), [
      `Warning SnapshotCreationFailed Failed to create snapshot: failed to remove VolumeSnapshotBeingCreated annotation from the content <CONTENT>: snapshot controller failed to update <CONTENT> on API server: ${notFound}`,
    ]);
  });
});

suite("the content of a snapshot", () => {
  const snapshots = { driver: { snapshots: true } };
  const given = (name: string, driver: string, more = ""): string => `
    kind: VolumeSnapshotContent
    metadata: { name: ${name}, finalizers: [example.com/keep] }
    spec:
      driver: ${driver}
      deletionPolicy: Delete
      source: { snapshotHandle: snap-1 }
      volumeSnapshotRef: { name: s, namespace: default }${more}
  `;
  const get = (run: StorageRun, name: string) => run.get("VolumeSnapshotContent", name);

  test("is left alone if it, or its class, is another driver's", () => {
    const theirs = nightly.replace("nightly", "theirs").replace("d.csi", "e.csi");
    const run = new StorageRun(snapshots).apply(theirs).apply(given("other", "e.csi"));
    run.apply(given("mixed", "d.csi", "\n      volumeSnapshotClassName: theirs")).settle();
    assert.deepEqual(
      [get(run, "other")?.status, get(run, "mixed")?.status],
      [undefined, undefined],
    );
    assert.equal(
      run.apply(given("own", "d.csi")).settle() && get(run, "own")?.status?.readyToUse,
      true,
    );
  });

  test("waits for the deletion of its snapshot, and then only for others' finalizers", () => {
    const run = new StorageRun(snapshots).apply(given("c", "d.csi"));
    run.apply(`
      kind: VolumeSnapshot
      metadata: { name: s }
      spec: { source: { volumeSnapshotContentName: c } }
    `);
    run.settle().delete("VolumeSnapshotContent", "c").settle();
    const held = "snapshot.storage.kubernetes.io/volumesnapshotcontent-bound-protection";
    assert.deepEqual(get(run, "c")?.metadata.finalizers, ["example.com/keep", held]);
    assert.deepEqual(run.calls, []);
    run.delete("VolumeSnapshot", "s").settle();
    assert.deepEqual(run.calls, ["DeleteSnapshot OK"]);
    assert.deepEqual(get(run, "c")?.metadata.finalizers, ["example.com/keep"]);
  });

  test("stays while the driver may still be creating the snapshot, and is then deleted with it", () => {
    const run = new StorageRun(snapshots).apply(nightly).apply(claim).settle().mark();
    run.fault("CreateSnapshot", { code: "Unavailable", times: 0 }).apply(snapshot).advance(5);
    run.delete("VolumeSnapshot", "s").advance(60);
    assert.equal(run.list("VolumeSnapshotContent").length, 1);
    assert.ok(!run.calls.includes("DeleteSnapshot OK"));
    run.fault("CreateSnapshot", { clear: true }).advance(120);
    assert.deepEqual(run.calls.slice(-2), ["CreateSnapshot OK", "DeleteSnapshot OK"]);
    assert.deepEqual([run.list("VolumeSnapshotContent"), run.list("VolumeSnapshot")], [[], []]);
  });
});

suite("a pre-existing snapshot of a content", () => {
  const content = (handle: string): string => `
    kind: VolumeSnapshotContent
    metadata: { name: c }
    spec:
      driver: d.csi
      deletionPolicy: Delete
      source: { snapshotHandle: ${handle} }
      volumeSnapshotRef: { name: again, namespace: default }
  `;
  /** Creates a snapshot that stays at the driver after its objects are deleted, and returns its handle. */
  function kept(driver: Partial<DriverProfile>, deletionPolicy = "Retain") {
    const run = new StorageRun({ driver: { snapshots: true, ...driver } });
    run.apply(nightly.replace("Delete", deletionPolicy)).apply(claim).settle();
    run.apply(snapshot).advance(2);
    const [taken] = run.list("VolumeSnapshotContent");
    run.delete("VolumeSnapshot", "s").advance(2);
    if (deletionPolicy === "Retain") {
      run.delete("VolumeSnapshotContent", taken?.metadata.name ?? "").advance(2);
    }
    assert.deepEqual(run.list("VolumeSnapshotContent"), []);
    return { run: run.mark(), handle: taken?.status?.snapshotHandle ?? "" };
  }
  const status = (run: StorageRun) => {
    const { creationTime: _, ...rest } = run.get("VolumeSnapshotContent", "c")?.status ?? {};
    return rest;
  };
  const failed = (cause: string): string =>
    `Warning SnapshotContentCheckandUpdateFailed Failed to check and update snapshot content: failed to list snapshot for content c: "${cause}"`;
  const failures = (run: StorageRun) => run.events("VolumeSnapshotContent//c");

  test("has size and creation time from a driver that can list", () => {
    const { run, handle } = kept({ listSnapshots: true });
    const created = run.simulation.now;
    run.advance(60).apply(content(handle)).settle();
    assert.deepEqual(run.requests("ListSnapshots"), [{ snapshot_id: handle }]);
    assert.deepEqual(status(run), {
      snapshotHandle: handle,
      readyToUse: true,
      restoreSize: 1024 ** 3,
    });
    const { creationTime = 0 } = run.get("VolumeSnapshotContent", "c")?.status ?? {};
    assert.ok(creationTime / 1e6 <= unixMs(created), "when it was taken, not when it was found");
  });

  test("has no size if the driver cannot list, and causes no call", () => {
    const { run, handle } = kept({});
    run.apply(content(handle)).settle();
    assert.deepEqual(run.calls, []);
    assert.deepEqual(status(run), { snapshotHandle: handle, readyToUse: true });
  });

  test("is reported missing by a driver that can list and has deleted it", () => {
    const { run, handle } = kept({ listSnapshots: true }, "Delete");
    run.apply(content(handle)).advance(5);
    assert.deepEqual(failures(run), [failed(`can not find snapshot for snapshotID ${handle}`)]);
    assert.equal(status(run).readyToUse, false);
  });

  test("is listed until the driver answers, and until it is ready", () => {
    const { run, handle } = kept({ listSnapshots: true });
    run.fault("ListSnapshots", { code: "Unavailable", message: "no", times: 2 });
    run.apply(content(handle)).settle();
    assert.deepEqual(failures(run), [failed("rpc error: code = Unavailable desc = no")]);
    assert.deepEqual(run.calls, [
      "ListSnapshots Unavailable",
      "ListSnapshots Unavailable",
      "ListSnapshots OK",
    ]);
    assert.equal(status(run).readyToUse, true);
    assert.equal(status(run).error, undefined);
  });

  test("is listed again while the driver works on it", () => {
    const { run, handle } = kept({ listSnapshots: true, snapshotReadyAfterMs: 30_000 });
    run.apply(content(handle)).advance(1);
    assert.equal(status(run).readyToUse, false);
    run.advance(60);
    assert.deepEqual([status(run).readyToUse, failures(run)], [true, []]);
    assert.ok(run.calls.length > 1 && run.calls.every((call) => call === "ListSnapshots OK"));
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
