/** Which volumes are unstaged after a call has failed: csi_node_stage_error_cases.go of the e2e tests. */
import assert from "node:assert/strict";
import { testWithFaults as test } from "../../support/same-end.ts";
import { claim, pod, StorageRun } from "../../support/storage-run.ts";

const driver = { attachRequired: false };
const next = pod.replace("name: web", "name: next");
const phase = (run: StorageRun, name: string) => run.get("Pod", name)?.status?.phase;

/** Returns the answers to NodeStageVolume and NodeUnstageVolume without repetitions. */
function stagings(run: StorageRun): readonly string[] {
  const calls = run.calls.filter((call) => /Node(S|Uns)tageVolume/.test(call));
  return calls.filter((call, i) => call !== calls[i - 1]).map((call) => call.replace("n1 ", ""));
}

suite("a volume whose staging fails", () => {
  for (const code of ["InvalidArgument", "DeadlineExceeded"]) {
    test(`is staged again after ${code}, and unstaged when its pod is deleted`, () => {
      const run = new StorageRun({ driver }).fault("NodeStageVolume", { code, times: 3 });
      run.apply(claim).apply(pod).settle();
      assert.equal(phase(run, "web"), "Running");
      run.delete("Pod", "web").settle();
      const expected = [`NodeStageVolume ${code}`, "NodeStageVolume OK", "NodeUnstageVolume OK"];
      assert.deepEqual(stagings(run), expected);
    });
  }

  test("is unstaged if the driver may still be staging it", () => {
    const run = new StorageRun({ driver });
    run.fault("NodeStageVolume", { code: "DeadlineExceeded", times: 0 });
    run.apply(claim).apply(pod).advance(20).delete("Pod", "web").settle();
    assert.equal(run.get("Pod", "web"), undefined);
    assert.deepEqual(stagings(run), ["NodeStageVolume DeadlineExceeded", "NodeUnstageVolume OK"]);
  });

  test("is not unstaged if the driver has refused it with a final error", () => {
    const run = new StorageRun({ driver });
    run.fault("NodeStageVolume", { code: "InvalidArgument", times: 0 });
    run.apply(claim).apply(pod).advance(20).delete("Pod", "web").settle();
    assert.equal(run.get("Pod", "web"), undefined);
    assert.deepEqual(stagings(run), ["NodeStageVolume InvalidArgument"]);
  });
});

suite("a volume that could not be unstaged", () => {
  for (const code of ["InvalidArgument", "DeadlineExceeded"]) {
    test(`because of ${code} is staged again for the next pod`, () => {
      const run = new StorageRun({ driver }).apply(claim).apply(pod).settle();
      run.fault("NodeUnstageVolume", { code, times: 0 }).delete("Pod", "web").advance(30);
      assert.equal(run.get("Pod", "web"), undefined);
      run.apply(next).advance(60);
      assert.equal(phase(run, "next"), "Running");
      run.step({ type: "fault", fault: { driver: "d.csi", clear: true } });
      run.delete("Pod", "next").settle();
      assert.deepEqual(stagings(run), [
        "NodeStageVolume OK",
        `NodeUnstageVolume ${code}`,
        "NodeStageVolume OK",
        "NodeUnstageVolume OK",
      ]);
    });
  }
});
