/** Upstream: external-resizer v2.2 pkg/slowset. */
import assert from "node:assert/strict";
import { SlowSet } from "../../../../src/engine/controllers/external-resizer/slow-set.ts";

suite("what is infeasible", () => {
  const minute = 60_000;

  test("waits five minutes from the first time on, and then is no longer in the set", () => {
    let now = 0;
    const slow = new SlowSet(() => now);
    assert.equal(slow.remainingMs("a"), 0);
    slow.add("a");
    now = 2 * minute;
    slow.add("a");
    assert.deepEqual([slow.remainingMs("a"), slow.remainingMs("b")], [3 * minute, 0]);
    now = 5 * minute;
    assert.equal(slow.remainingMs("a"), 0);
    slow.add("a");
    assert.equal(slow.remainingMs("a"), 5 * minute);
    slow.remove("a");
    assert.equal(slow.remainingMs("a"), 0);
  });
});
