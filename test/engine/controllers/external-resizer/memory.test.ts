/** What a resizer remembers by claim name. Upstream: external-resizer pkg/controller/controller.go, expand_and_recover.go. */
import assert from "node:assert/strict";
import { claim, pod, StorageRun } from "../../../support/storage-run.ts";

const about = "PersistentVolumeClaim/default/data";

function grow(run: StorageRun, storage: string): StorageRun {
  return run.patch("PersistentVolumeClaim", "data", {
    spec: { resources: { requests: { storage } } },
  });
}

suite("a resizer's memory", () => {
  test("after a final answer a smaller expansion replaces the larger one, until an answer is unclear", () => {
    const sizeAfter = (...codes: readonly string[]): string | undefined => {
      const run = new StorageRun().apply(claim).settle();
      const [first = ""] = codes;
      grow(run.fault("ControllerExpandVolume", { code: first, times: 0 }), "5Gi");
      for (const code of codes) {
        run.fault("ControllerExpandVolume", { clear: true });
        run.fault("ControllerExpandVolume", { code, times: 0 }).advance(20);
        assert.equal(run.calls.at(-1), `ControllerExpandVolume ${code}`);
      }
      run.fault("ControllerExpandVolume", { clear: true });
      return grow(run, "2Gi").settle().list("PersistentVolume")[0]?.spec.capacity?.["storage"];
    };
    assert.equal(sizeAfter("Internal"), "2Gi");
    assert.equal(sizeAfter("Internal", "DeadlineExceeded"), "5Gi");
  });

  test("a refusal to expand a volume in use also applies to the next claim of the name", () => {
    const run = new StorageRun().apply(claim).settle();
    run.fault("ControllerExpandVolume", { code: "FailedPrecondition", times: 0 });
    grow(run, "2Gi").advance(60).delete("PersistentVolumeClaim", "data").settle();
    grow(run.apply(claim).apply(pod).settle().mark(), "2Gi").advance(4);
    assert.equal(
      run.events(about).at(-1),
      "Warning VolumeResizeFailed Unable to expand default/data because CSI driver d.csi only supports offline expansion and volume is currently in-use",
    );
    assert.deepEqual(run.requests("ControllerExpandVolume"), []);
  });
});
