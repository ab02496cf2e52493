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
    [603927, "a deleted node's volumes are taken by force"],
    [70011563, "an ordered set's surplus pods wait for one before them that cannot run"],
    [90008252, "a Job that is gone makes no pod in place of one that it may not adopt"],
    [50005511, "a pod waits for a volume that went while it was scheduled"],
    [
      9002495,
      "a claim that is seen held when its snapshots are ready is let go at the next resync",
    ],
    [40002012, "a volume is not said to go after a claim that stays"],
    [70007128, "pods are refused in turn while another waits in vain for its volume"],
    [85002585, "a claim is given to a node again and again for which its driver has no room"],
    [80003065, "a snapshot of a volume that its driver has not is tried forever"],
    [8102933, "a DaemonSet's pod whose node is gone is told where to look"],
    [7805156, "a pod that was given its claim's volume gets that of the recreated claim"],
    [80005560, "a claim stays with a snapshot that goes only after a claim restored from it"],
    [1116, "a set that recreates one pod still cannot make the other"],
    [24588, "a volume is reserved for a claim of another class, and the binder looks again"],
    [900204, "a pod that is gone had room while it was bound"],
    [900384, "a set's pod waits for what its namesake still holds"],
    [930991, "a volume without a claim keeps the finalizer of its provisioner"],
  ] as const) {
    test(`that have failed once do not again: ${what} (${seed})`, () => {
      assert.equal(checkSeed(seed, false), undefined);
    });
  }
});
