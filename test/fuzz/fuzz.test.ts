/** The first hundred random clusters; `npm test` runs ten thousand, `npm run fuzz` any number. */
import assert from "node:assert/strict";
import { checkSeed } from "./check-case.ts";

suite("random clusters with faults", () => {
  for (const from of [1, 26, 51, 76]) {
    test(`are safe at every step and come to rest (seeds from ${from})`, () => {
      const failures = Array.from({ length: 25 }, (_, i) => checkSeed(from + i, false));
      assert.deepEqual(
        failures.filter((failure) => failure !== undefined).map(({ seed, found }) => [seed, found]),
        [],
      );
    });
  }

  for (const [seed, what] of [
    [603927, "volumes of a deleted node are detached by force"],
    [70011563, "a StatefulSet's surplus pods wait for an earlier one that cannot run"],
    [90008252, "a Job that is gone does not replace a pod that it may not adopt"],
    [50005511, "a pod waits for a volume that was deleted while the pod was scheduled"],
    [
      9002495,
      "a claim that has the finalizer although its snapshots are ready loses it at the resync",
    ],
    [40002012, "a volume is not predicted to be deleted after a claim that stays"],
    [70007128, "pods are refused in turn while another waits in vain for its volume"],
    [85002585, "a claim is assigned again and again to a node for which its driver has no room"],
    [80003065, "a snapshot of a volume that its driver does not have is retried forever"],
    [8102933, "the verdict on a DaemonSet's pod whose node is gone says where to look"],
    [7805156, "a pod with its old claim's volume gets that of the recreated claim"],
    [80005560, "a claim stays with a snapshot that is deleted only after a claim restored from it"],
    [1116, "a set that recreates one pod still cannot make the other"],
    [24588, "a volume is reserved for a claim of another class, and the binder looks again"],
    [900204, "a deleted pod had room while it was bound"],
    [900384, "a StatefulSet's pod waits for what an earlier pod of the name still holds"],
    [930991, "a volume without a claim keeps the finalizer of its provisioner"],
  ] as const) {
    test(`that failed once pass now: ${what} (${seed})`, () => {
      assert.equal(checkSeed(seed, false), undefined);
    });
  }
});
