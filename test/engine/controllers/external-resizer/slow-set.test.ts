/** Upstream: external-resizer v2.2 pkg/slowset. */
import assert from "node:assert/strict";
import { SlowSet } from "../../../../src/engine/controllers/external-resizer/slow-set.ts";

suite("set of infeasible keys", () => {
  const minute = 60_000;

  test("a key waits five minutes from its first addition, and is then no longer in the set", () => {
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
