/** Pods, claims and volumes that are deleted while a kubelet is down: utils.go and disruptive.go of the e2e tests. */
import assert from "node:assert/strict";
import { testWithFaults as test } from "../../support/same-end.ts";
import { claim, pod, StorageRun } from "../../support/storage-run.ts";

const subPath = pod.replace("mountPath: /data", "mountPath: /data, subPath: part");
const kubelet = (run: StorageRun, state: "down" | "up" | "restart"): StorageRun =>
  run.step({ type: "node", name: "n1", kubelet: state });
const running = (manifest = pod): StorageRun =>
  new StorageRun().apply(claim).apply(manifest).settle();
const phase = (run: StorageRun) => run.get("Pod", "web")?.status?.phase;
const undone = [
  "n1 NodeUnpublishVolume OK",
  "n1 NodeUnstageVolume OK",
  "ControllerUnpublishVolume OK",
];

suite("while the kubelet is down", () => {
  for (const [what, manifest] of [
    ["volume", pod],
    ["volume with a sub-path", subPath],
  ] as const) {
    test(`a pod that is deleted stays, and its ${what} is unmounted once the kubelet is back`, () => {
      const run = kubelet(running(manifest), "down").mark().delete("Pod", "web").advance(10);
      assert.ok(run.get("Pod", "web")?.metadata.deletionTimestamp);
      assert.deepEqual(run.calls, []);
      kubelet(run, "up").advance(120);
      assert.equal(run.get("Pod", "web"), undefined);
      assert.deepEqual(run.calls, undone);
    });

    test(`a pod deleted by force is removed, and its ${what} is unmounted once the kubelet is back`, () => {
      const run = kubelet(running(manifest), "down").mark();
      run.delete("Pod", "web", { grace: 0 }).advance(10);
      assert.equal(run.get("Pod", "web"), undefined);
      assert.deepEqual(run.calls, []);
      kubelet(run, "up").advance(120);
      assert.deepEqual(run.calls, undone);
    });
  }

  test("a pod's deletion is processed even if the kubelet goes down a second time", () => {
    const run = kubelet(running(), "down").delete("Pod", "web").advance(10);
    kubelet(kubelet(run, "down"), "up").advance(120);
    assert.equal(run.get("Pod", "web"), undefined);
  });

  test("a new pod of the same name uses the volume as it is staged", () => {
    const run = kubelet(running(), "down").mark();
    run.delete("Pod", "web", { grace: 0 }).advance(5).apply(pod).advance(10);
    kubelet(run, "up").advance(200);
    assert.equal(phase(run), "Running");
    assert.deepEqual(run.calls, ["n1 NodeUnpublishVolume OK", "n1 NodePublishVolume OK"]);
  });

  test("a deleted claim and its deleted volume stay until the pod is gone", () => {
    const run = kubelet(running(), "down");
    const volume = run.list("PersistentVolume")[0]?.metadata.name ?? "";
    run.delete("PersistentVolumeClaim", "data").delete("PersistentVolume", volume).advance(20);
    kubelet(run, "up").advance(60);
    assert.equal(phase(run), "Running");
    assert.ok(run.get("PersistentVolumeClaim", "data")?.metadata.deletionTimestamp);
    assert.ok(run.get("PersistentVolume", volume)?.metadata.deletionTimestamp);
    run.delete("Pod", "web").advance(120);
    assert.equal(run.get("PersistentVolumeClaim", "data"), undefined);
    assert.equal(run.get("PersistentVolume", volume), undefined);
  });
});

test("a restarted kubelet unmounts nothing of a running pod whose claim is being deleted", () => {
  const run = running().delete("PersistentVolumeClaim", "data").mark();
  kubelet(run, "restart").advance(300);
  assert.equal(phase(run), "Running");
  assert.deepEqual(
    run.calls.filter((call) => /Un(publish|stage)/.test(call)),
    [],
  );
});
