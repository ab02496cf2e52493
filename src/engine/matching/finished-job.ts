/**
 * Whether a Job is over, and until when it stays then. Upstream: pkg/controller/job/utils.go FinishedCondition, IsJobFinished
 * v1.36; ttlafterfinished_controller.go getFinishAndExpireTime.
 */
import type { KubeObject } from "../api/meta.ts";
import { instantOf } from "../api/timestamp.ts";
import type { JobCondition } from "../api/types.ts";
import type { Instant } from "../trace/instant.ts";

/** The condition by which a Job is over; undefined while it is not. */
export function finishedCondition({ status }: KubeObject<"Job">): JobCondition | undefined {
  return status?.conditions?.find(
    (condition) =>
      (condition.type === "Complete" || condition.type === "Failed") && condition.status === "True",
  );
}

export function isFinished(job: KubeObject<"Job">): boolean {
  return finishedCondition(job) !== undefined;
}

/** When it is deleted; undefined for a Job that has not finished or may stay. */
export function expiresAt(job: KubeObject<"Job">): Instant | undefined {
  const ttl = job.spec?.ttlSecondsAfterFinished;
  const finished = finishedCondition(job);
  if (ttl === undefined || finished?.lastTransitionTime === undefined) return undefined;
  return instantOf(finished.lastTransitionTime) + ttl * 1000;
}
