/** Conditions of a Job's status. Upstream: pkg/controller/job/job_controller.go newCondition, ensureJobConditionStatus v1.36. */
import { timestamp } from "../../api/timestamp.ts";
import type { JobCondition } from "../../api/types.ts";
import type { Instant } from "../../trace/instant.ts";
import type { Job } from "./job-pods.ts";

type Conditions = readonly JobCondition[];

/** Why a Job ends. */
export interface Verdict {
  readonly succeeded: boolean;
  readonly reason: string;
  readonly message: string;
}

export function condition(
  type: string,
  status: "True" | "False",
  reason: string,
  message: string,
  now: Instant,
): JobCondition {
  const at = timestamp(now);
  return { type, status, lastProbeTime: at, lastTransitionTime: at, reason, message };
}

/** Adds or replaces the condition; does not add one that is False. */
export function withCondition(conditions: Conditions, next: JobCondition): Conditions {
  const current = conditions.find((c) => c.type === next.type);
  if (current === undefined) return next.status === "False" ? conditions : [...conditions, next];
  const isSame =
    current.status === next.status &&
    current.reason === next.reason &&
    current.message === next.message;
  return isSame ? conditions : conditions.map((c) => (c === current ? next : c));
}

/** The condition if it is True; otherwise undefined. */
export function trueCondition(job: Job, type: string): JobCondition | undefined {
  return job.status?.conditions?.find((c) => c.type === type && c.status === "True");
}
