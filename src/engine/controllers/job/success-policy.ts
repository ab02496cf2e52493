/**
 * Whether an Indexed Job has succeeded before all of its indexes have. Upstream: pkg/controller/job/success_policy.go
 * matchSuccessPolicy v1.36.
 */
import { indexRanges } from "./indexes.ts";
import type { Job } from "./job-pods.ts";

/** The message for the first rule that is met; undefined if none is. */
export function successPolicyMessage(job: Job, succeeded: ReadonlySet<number>): string | undefined {
  if (succeeded.size === 0) return undefined;
  const { successPolicy, completions = 0 } = job.spec ?? {};
  const sorted = [...succeeded].sort((a, b) => a - b);
  const met = (successPolicy?.rules ?? []).findIndex(({ succeededIndexes, succeededCount }) => {
    if (succeededIndexes === undefined)
      return succeededCount !== undefined && succeeded.size >= succeededCount;
    const { wanted, there } = countThere(indexRanges(succeededIndexes, completions), sorted);
    if (wanted === 0) return false;
    return there === wanted || (succeededCount !== undefined && there >= succeededCount);
  });
  return met < 0 ? undefined : `Matched rules at index ${met}`;
}

/**
 * Counts the indexes that the ranges name, and those of them that have succeeded, without listing them: a range may have two
 * billion. Ranges ascend, as validation requires.
 */
function countThere(
  ranges: Iterable<readonly [first: number, last: number]>,
  succeeded: readonly number[],
): { readonly wanted: number; readonly there: number } {
  let [wanted, there, at] = [0, 0, 0];
  for (const [first, last] of ranges) {
    wanted += last - first + 1;
    for (; at < succeeded.length && (succeeded[at] ?? 0) <= last; at++)
      if ((succeeded[at] ?? 0) >= first) there++;
  }
  return { wanted, there };
}
