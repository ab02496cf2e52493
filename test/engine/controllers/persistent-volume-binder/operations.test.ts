/** One operation per name, refused while it runs and while it backs off. */
import assert from "node:assert/strict";
import {
  type OperationResult,
  Operations,
} from "../../../../src/engine/controllers/persistent-volume-binder/operations.ts";
import type { ComponentContext } from "../../../../src/engine/runtime/component.ts";
import { sleep, type Task } from "../../../../src/engine/runtime/effects.ts";
import { Scene } from "../../../support/component-scene.ts";

/** Requests the operation every 100 ms for `ms`; returns when it was started. */
function startsOf(results: readonly OperationResult[], ms: number): readonly number[] {
  const starts: number[] = [];
  const component = {
    name: "operator",
    source: "operator",
    start(context: ComponentContext): void {
      const operations = new Operations(context);
      const operation = function* (): Task<OperationResult> {
        starts.push(context.now);
        yield* sleep(50);
        return results[starts.length - 1] ?? { ok: true };
      };
      for (let at = 0; at <= ms; at += 100) {
        context.after(at, () => operations.run("delete-a", operation));
      }
    },
  };
  new Scene([component], []).run(ms + 100);
  return starts.map((at) => at - (starts[0] ?? 0));
}

const failed: OperationResult = { ok: false, error: "no" };

suite("asynchronous operations", () => {
  test("after a success the next may start at once", () => {
    assert.deepEqual(startsOf([], 300), [0, 100, 200, 300]);
  });

  test("after failures the next may start after half a second, then one, then two", () => {
    assert.deepEqual(
      startsOf([failed, failed, failed], 4_500),
      [0, 600, 1700, 3800, 3900, 4000, 4100, 4200, 4300, 4400, 4500],
    );
  });
});
