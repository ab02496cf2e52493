/** Calls that did their work although their caller got an error, and objects that change before the call is repeated. */
import assert from "node:assert/strict";
import { claim, pod, StorageRun } from "../../support/storage-run.ts";

const lost = (code: string, times = 1) => ({ code, message: "lost", after: true, times });

function bound(): StorageRun {
  return new StorageRun({ driver: { snapshots: true, clone: true } }).apply(claim).settle().mark();
}

suite("a call whose answer is lost", () => {
  test("CreateVolume is repeated for a deleted claim if its error was not final, and is not if it was", () => {
    // The deletion itself triggers another sync of the claim.
    const callsAfter = (code: string): readonly string[] => {
      const run = new StorageRun().fault("CreateVolume", lost(code, 2)).apply(claim).advance(0.2);
      run.delete("PersistentVolumeClaim", "data").settle();
      assert.deepEqual(run.list("PersistentVolume"), []);
      return run.calls;
    };
    assert.deepEqual(callsAfter("Unavailable"), [
      "CreateVolume Unavailable",
      "CreateVolume Unavailable",
      "CreateVolume OK",
      "DeleteVolume OK",
    ]);
    assert.deepEqual(callsAfter("Internal"), ["CreateVolume Internal", "CreateVolume Internal"]);
  });

  test("ControllerExpandVolume: after a lowered request the volume keeps its size, and the claim gets what it requests", () => {
    const run = bound();
    const grow = (storage: string): StorageRun =>
      run.patch("PersistentVolumeClaim", "data", {
        spec: { resources: { requests: { storage } } },
      });
    run.fault("ControllerExpandVolume", lost("OutOfRange", 2));
    grow("5Gi").advance(3);
    grow("2Gi").advance(400).settle();
    run.apply(pod).settle();
    const sizes = run
      .requests("ControllerExpandVolume")
      .map(({ capacity_range: range }) => (range as { required_bytes: string }).required_bytes);
    assert.deepEqual(
      sizes,
      [5, 5, 2].map((gibibytes) => String(gibibytes * 1024 ** 3)),
    );
    assert.equal(run.list("PersistentVolume")[0]?.spec.capacity?.["storage"], "5Gi");
    const { status } = run.get("PersistentVolumeClaim", "data") ?? {};
    assert.equal(status?.capacity?.["storage"], "2Gi");
    assert.equal(status?.allocatedResources?.["storage"], "2Gi");
    assert.deepEqual(
      [status?.allocatedResourceStatuses, status?.conditions],
      [undefined, undefined],
    );
  });

  test("CreateSnapshot is repeated for a deleted snapshot, so that it can be deleted at the driver", () => {
    const run = bound().apply(`
      kind: VolumeSnapshotClass
      metadata: { name: nightly }
      driver: d.csi
      deletionPolicy: Delete
    `);
    run.fault("CreateSnapshot", lost("Unavailable")).apply(`
      kind: VolumeSnapshot
      metadata: { name: s }
      spec: { volumeSnapshotClassName: nightly, source: { persistentVolumeClaimName: data } }
    `);
    run.advance(0.3).delete("VolumeSnapshot", "s").settle();
    assert.deepEqual(run.calls, [
      "CreateSnapshot Unavailable",
      "CreateSnapshot OK",
      "DeleteSnapshot OK",
    ]);
    assert.deepEqual([run.list("VolumeSnapshot"), run.list("VolumeSnapshotContent")], [[], []]);
  });

  test("DeleteVolume is repeated and finds its work done", () => {
    const run = bound();
    run.fault("DeleteVolume", lost("Internal")).delete("PersistentVolumeClaim", "data").settle();
    assert.deepEqual(run.calls, ["DeleteVolume Internal", "DeleteVolume OK"]);
    assert.deepEqual(run.list("PersistentVolume"), []);
  });
});
