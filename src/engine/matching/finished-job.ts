/** Whether a Job is over. Upstream: pkg/controller/job/utils.go FinishedCondition, IsJobFinished v1.36. */
import type { KubeObject } from "../api/meta.ts";
import type { JobCondition } from "../api/types.ts";

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
