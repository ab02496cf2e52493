/** Drivers that expand volumes on the node only: trivial_resizer.go, and csi_volume_expansion.go of the e2e tests. */
import assert from "node:assert/strict";
import { testWithFaults as test } from "../../../support/same-end.ts";
import { claim, pod, StorageRun } from "../../../support/storage-run.ts";

const about = "PersistentVolumeClaim/default/data";
const onNode = { controller: false, node: true, online: true } as const;
const bound = (expansion = { ...onNode, hasTrivialResizer: true as const }): StorageRun =>
  new StorageRun({ driver: { expansion } }).apply(claim).settle();
const grow = (run: StorageRun, size: string): StorageRun =>
  run.patch("PersistentVolumeClaim", "data", {
    spec: { resources: { requests: { storage: size } } },
  });
const status = (run: StorageRun) => run.get("PersistentVolumeClaim", "data")?.status;
const volumeSize = (run: StorageRun) => run.list("PersistentVolume")[0]?.spec.capacity?.["storage"];
const grown = (size: string) => ({
  phase: "Bound",
  accessModes: ["ReadWriteOnce"],
  capacity: { storage: size },
  allocatedResources: { storage: size },
});

suite("expansion on the node only", () => {
  test("is started by a resizer without a call, and done by the node", () => {
    const run = bound().apply(pod).settle().mark();
    grow(run, "4Gi").advance(200);
    assert.deepEqual(run.calls, ["n1 NodeExpandVolume OK"]);
    assert.deepEqual(run.events(about), [
      "Normal ExternalExpanding waiting for an external controller to expand this PVC",
      "Normal Resizing External resizer is resizing volume pvc-<uid PersistentVolumeClaim/default/data>",
      "Normal FileSystemResizeRequired Require file system resize of volume on node",
      'Normal FileSystemResizeSuccessful MountVolume.NodeExpandVolume succeeded for volume "pvc-<uid PersistentVolumeClaim/default/data>" n1',
    ]);
    assert.deepEqual(status(run), grown("4Gi"));
    assert.equal(volumeSize(run), "4Gi");
  });

  test("waits for a pod", () => {
    const run = grow(bound().mark(), "4Gi").advance(200);
    assert.deepEqual(run.calls, []);
    assert.equal(status(run)?.capacity?.["storage"], "1Gi");
    assert.deepEqual(
      status(run)?.conditions?.map(({ type }) => type),
      ["Resizing", "FileSystemResizePending"],
    );
    run.apply(pod).settle();
    assert.deepEqual(status(run), grown("4Gi"));
  });

  test("never starts without a resizer", () => {
    const run = new StorageRun({ driver: { expansion: onNode } }).apply(claim).apply(pod).settle();
    grow(run.mark(), "4Gi").advance(200);
    assert.deepEqual(run.calls, []);
    assert.deepEqual(run.events(about), [
      "Normal ExternalExpanding waiting for an external controller to expand this PVC",
    ]);
  });

  for (const code of ["InvalidArgument", "PermissionDenied"]) {
    test(`ends with a smaller size if the node has answered ${code} and the request is lowered`, () => {
      const run = bound().apply(pod).settle().mark();
      run.fault("NodeExpandVolume", { code, message: "invalid node expansion request", times: 0 });
      grow(run, "9Gi").advance(200);
      assert.equal(status(run)?.allocatedResources?.["storage"], "9Gi");
      assert.ok(status(run)?.conditions?.some(({ type }) => type === "NodeResizeError"));
      grow(run, "5Gi").advance(200);
      assert.equal(run.refusal, "");
      run.step({ type: "fault", fault: { driver: "d.csi", clear: true } }).advance(200);
      assert.deepEqual(status(run), grown("5Gi"));
      assert.equal(volumeSize(run), "5Gi");
    });
  }
});
