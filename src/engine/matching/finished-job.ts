/**
 * Whether a Job has finished, and when it is deleted then. Upstream: pkg/controller/job/utils.go FinishedCondition,
 * IsJobFinished v1.36; ttlafterfinished_controller.go getFinishAndExpireTime.
 */
import type { KubeObject } from "../api/meta.ts";
import { instantOf } from "../api/timestamp.ts";
import type { JobCondition } from "../api/types.ts";
import type { Instant } from "../trace/instant.ts";

/** Returns the condition that says the Job has finished; undefined if it has not. */
export function finishedCondition({ status }: KubeObject<"Job">): JobCondition | undefined {
  return status?.conditions?.find(
    (condition) =>
      (condition.type === "Complete" || condition.type === "Failed") && condition.status === "True",
  );
}

export function isFinished(job: KubeObject<"Job">): boolean {
  return finishedCondition(job) !== undefined;
}

/** Returns when the Job is deleted; undefined if it has not finished or has no TTL. */
export function expiresAt(job: KubeObject<"Job">): Instant | undefined {
  const ttl = job.spec?.ttlSecondsAfterFinished;
  const finished = finishedCondition(job);
  if (ttl === undefined || finished?.lastTransitionTime === undefined) return undefined;
  return instantOf(finished.lastTransitionTime) + ttl * 1000;
}
