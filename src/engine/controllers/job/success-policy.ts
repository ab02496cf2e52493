/**
 * When an Indexed Job has succeeded before all of its indexes have. Upstream: pkg/controller/job/success_policy.go
 * matchSuccessPolicy v1.36.
 */
import { parseIndexes } from "./indexes.ts";
import type { Job } from "./job-pods.ts";

/** The message for the first rule that is met; undefined where none is. */
export function successPolicyMessage(job: Job, succeeded: ReadonlySet<number>): string | undefined {
  if (succeeded.size === 0) return undefined;
  const { successPolicy, completions = 0 } = job.spec ?? {};
  const met = (successPolicy?.rules ?? []).findIndex(({ succeededIndexes, succeededCount }) => {
    if (succeededIndexes === undefined)
      return succeededCount !== undefined && succeeded.size >= succeededCount;
    const wanted = parseIndexes(succeededIndexes, completions);
    if (wanted.size === 0) return false;
    const there = [...wanted].filter((index) => succeeded.has(index)).length;
    return there === wanted.size || (succeededCount !== undefined && there >= succeededCount);
  });
  return met < 0 ? undefined : `Matched rules at index ${met}`;
}
