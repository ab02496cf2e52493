/** Counts that may be percentages, and the limits of a rolling update. */
import assert from "node:assert/strict";
import { rollingUpdateDefaults } from "../../../src/engine/api/defaults/workload.ts";
import { scaledDown, scaledUp } from "../../../src/engine/matching/int-or-percent.ts";
import { fenceposts } from "../../../src/engine/matching/rolling-update.ts";

suite("counts and percentages", () => {
  test("a percentage is rounded up or down, a count is kept, absent or invalid is 0", () => {
    assert.deepEqual([scaledUp("25%", 10), scaledDown("25%", 10)], [3, 2]);
    assert.equal(scaledUp("7%", 100), 7);
    assert.deepEqual([scaledUp(5, 3), scaledUp(undefined, 10)], [5, 0]);
    assert.equal(scaledUp("many", 10), 0);
  });
});

suite("a rolling update", () => {
  test("of one pod by default adds a second one and keeps the first available", () => {
    assert.deepEqual(fenceposts(rollingUpdateDefaults, 1), { surge: 1, unavailable: 0 });
  });

  test("rounds maxSurge up and maxUnavailable down", () => {
    const half = { maxSurge: "50%", maxUnavailable: "50%" };
    assert.deepEqual(fenceposts(half, 3), { surge: 2, unavailable: 1 });
  });

  test("that could not proceed may have one pod unavailable", () => {
    const tiny = { maxSurge: 0, maxUnavailable: "10%" };
    assert.deepEqual(fenceposts(tiny, 3), { surge: 0, unavailable: 1 });
  });
});
