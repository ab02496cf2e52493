/** Attachments made at the same time, shared ones, and disks that no driver attaches. */
import assert from "node:assert/strict";
import { testWithFaults as test } from "../../../support/same-end.ts";
import { StorageRun, twoNodes } from "../../../support/storage-run.ts";
import { attached, pod, start, unique, warnings } from "./disk-fixture.ts";

const disk = "kubernetes.io/iscsi/10.0.0.1:iqn.2026-01.example:disk:0";

suite("attach-detach controller: operations", () => {
  test("a ReadWriteMany volume is attached to all nodes at the same time", () => {
    const run = start("ReadWriteMany").fault("ControllerPublishVolume", { delayMs: 5000 });
    run.mark().apply(pod("one", "n1")).apply(pod("two", "n2")).settle();
    assert.deepEqual(run.callTimes("ControllerPublishVolume"), [0, 0]);
    assert.deepEqual([attached(run, "n1"), attached(run, "n2")], [[unique], [unique]]);
  });

  test("pods on one node share the attachment: each gets an event, and it stays until the last one is gone", () => {
    const run = start().apply(pod("one", "n1")).apply(pod("two", "n1")).settle();
    for (const name of ["one", "two"]) {
      assert.equal(run.eventCount(`Pod/default/${name}`, "SuccessfulAttachVolume"), 1);
    }
    run.delete("Pod", "one").settle().apply(pod("three", "n2")).advance(5);
    assert.deepEqual(warnings(run, "three"), [
      'Multi-Attach error for volume "pv" Volume is already used by pod(s) two',
    ]);
  });

  test("a volume bound only after its pod needs it is attached when all pods are listed: after 90 s, then every three minutes", () => {
    /** Binds the volume `later` seconds after the pod. `notYet` seconds later it is not attached; 10 s after that it is. */
    const isAttached = (later: number, notYet: number): void => {
      const run = start(undefined, (runtime) => runtime.stop("persistentvolume-binder"));
      const status = { phase: "Bound", capacity: { storage: "1Gi" } };
      run.step({
        type: "patch",
        object: { kind: "PersistentVolumeClaim", name: "data" },
        patch: { status },
        subresource: "status",
      });
      run.apply(pod("one", "n1")).advance(later);
      const uid = run.get("PersistentVolumeClaim", "data")?.metadata.uid ?? "";
      const claimRef = { kind: "PersistentVolumeClaim", namespace: "default", name: "data", uid };
      run.patch("PersistentVolume", "pv", { spec: { claimRef } }).advance(notYet);
      assert.deepEqual(attached(run, "n1"), []);
      run.advance(10);
      assert.deepEqual(attached(run, "n1"), [unique]);
    };
    isAttached(30, 55);
    isAttached(100, 165);
  });

  test("a disk without a driver also counts as attached to a dead node for six minutes", () => {
    const run = new StorageRun({ nodes: twoNodes }).apply(`
      kind: PersistentVolume
      metadata: { name: pv }
      spec:
        storageClassName: ""
        iscsi: { targetPortal: 10.0.0.1, iqn: iqn.2026-01.example:disk, lun: 0 }
      ---
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: "", volumeName: pv }
    `);
    run.apply(pod("one", "n1")).settle();
    assert.equal(run.get("Pod", "one")?.status?.phase, "Running");
    run.step({ type: "node", name: "n1", kubelet: "down" }).advance(60);
    run.delete("Pod", "one", { grace: 0 }).apply(pod("two", "n2")).advance(300);
    assert.deepEqual([attached(run, "n1"), attached(run, "n2")], [[disk], []]);
    assert.deepEqual(warnings(run, "two"), [
      'Multi-Attach error for volume "pv" Volume is already exclusively attached to one node and can\'t be attached to another',
    ]);
    run.advance(120);
    assert.deepEqual([attached(run, "n1"), attached(run, "n2")], [[], [disk]]);
  });
});
