import assert from "node:assert/strict";
import type { ApiError } from "../../../../src/engine/api/meta.ts";
import { slowStart } from "../../../../src/engine/controllers/workload/slow-start.ts";
import type { Task } from "../../../../src/engine/runtime/effects.ts";

const refused: ApiError = { code: 403, reason: "Forbidden", message: "exceeded quota" };

/** Returns how many of `count` succeed and are tried, if those at the indexes in `failing` are refused. */
function outcome(count: number, failing: readonly number[]): string {
  let tried = 0;
  function* create(index: number): Task<ApiError | undefined> {
    tried++;
    return failing.includes(index) ? refused : undefined;
  }
  const { value } = slowStart(count, create).next();
  const { successes, error } = value as { successes: number; error?: ApiError };
  return `${successes} of ${tried} tried${error === undefined ? "" : `, ${error.message}`}`;
}

suite("slow start", () => {
  test("all are created if none is refused", () => {
    assert.equal(outcome(0, []), "0 of 0 tried");
    assert.equal(outcome(10, []), "10 of 10 tried");
  });

  test("if the first is refused, no other is tried", () => {
    assert.equal(outcome(500, [0]), "0 of 1 tried, exceeded quota");
  });

  test("of the batches of 1, 2, 4 … the one with a refusal is finished and is the last", () => {
    assert.equal(outcome(500, [1]), "2 of 3 tried, exceeded quota");
    assert.equal(outcome(500, [3]), "6 of 7 tried, exceeded quota");
    assert.equal(outcome(5, [4]), "4 of 5 tried, exceeded quota");
  });
});
