/**
 * Creates objects in growing batches, so that a template that the API server refuses costs one refusal, not a thousand.
 * Upstream: pkg/controller/controller_utils.go slowStartBatch v1.36. Within a batch objects are created one by one, not in
 * parallel.
 */
import type { ApiError } from "../../api/meta.ts";
import type { Task } from "../../runtime/effects.ts";

export interface BatchEnd {
  readonly successes: number;
  /** The first error in the last batch. */
  readonly error?: ApiError;
}

/** Creates batches of 1, 2, 4 …; a batch with a failure is finished and is the last. */
export function* slowStart(
  count: number,
  create: (index: number) => Task<ApiError | undefined>,
): Task<BatchEnd> {
  let successes = 0;
  let next = 0;
  for (let batch = Math.min(count, 1); batch > 0; batch = Math.min(2 * batch, count - next)) {
    let error: ApiError | undefined;
    for (const end = next + batch; next < end; next++) {
      const failed = yield* create(next);
      if (failed === undefined) successes++;
      else error ??= failed;
    }
    if (error !== undefined) return { successes, error };
  }
  return { successes };
}
