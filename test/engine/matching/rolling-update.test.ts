/** Counts that are shares of all, and what they leave of a rolling update. */
import assert from "node:assert/strict";
import { rollingUpdateDefaults } from "../../../src/engine/api/defaults/workload.ts";
import { scaledDown, scaledUp } from "../../../src/engine/matching/int-or-percent.ts";
import { fenceposts } from "../../../src/engine/matching/rolling-update.ts";

suite("counts and shares", () => {
  test("a share is rounded up or down, a count taken as it is, nothing is none", () => {
    assert.deepEqual([scaledUp("25%", 10), scaledDown("25%", 10)], [3, 2]);
    assert.equal(scaledUp("7%", 100), 7);
    assert.deepEqual([scaledUp(5, 3), scaledUp(undefined, 10)], [5, 0]);
    assert.equal(scaledUp("many", 10), 0);
  });
});

suite("a rolling update", () => {
  test("of one pod has a second one by default, and never lacks the first", () => {
    assert.deepEqual(fenceposts(rollingUpdateDefaults, 1), { surge: 1, unavailable: 0 });
  });

  test("rounds what may be too many up, and what may be missing down", () => {
    const half = { maxSurge: "50%", maxUnavailable: "50%" };
    assert.deepEqual(fenceposts(half, 3), { surge: 2, unavailable: 1 });
  });

  test("that would never move may lack one pod", () => {
    const tiny = { maxSurge: 0, maxUnavailable: "10%" };
    assert.deepEqual(fenceposts(tiny, 3), { surge: 0, unavailable: 1 });
  });
});
