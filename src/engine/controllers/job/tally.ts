/**
 * Counts a Job's pods and decides whether it ends before all its completions. Upstream: pkg/controller/job/job_controller.go
 * syncJob, getNewFinishedPods, pastBackoffLimitOnFailure, pastActiveDeadline v1.36.
 */
import { instantOf } from "../../api/timestamp.ts";
import { isPodReady } from "../../matching/pod-condition.ts";
import type { Instant } from "../../trace/instant.ts";
import { isCountedTerminating, isPodActive } from "../workload/pod-status.ts";
import { trueCondition, type Verdict } from "./conditions.ts";
import { failJobMessage, judge } from "./failure-policy.ts";
import { awaitingSuccessor, failedIndexes } from "./index-failures.ts";
import { indexesOf, isIndexed, parseIndexes, validIndex } from "./indexes.ts";
import { hasFailed, isTracked, type Job, type Pod } from "./job-pods.ts";
import { successPolicyMessage } from "./success-policy.ts";

export interface Tally {
  /** Pods with the finalizer: not counted for good yet. */
  readonly tracked: readonly Pod[];
  /** Ended, still tracked, and not in status.uncountedTerminatedPods yet. */
  readonly newSucceeded: readonly Pod[];
  readonly newFailed: readonly Pod[];
  /** Over the Job's whole life, like `failed`. */
  readonly succeeded: number;
  readonly failed: number;
  readonly ready: number;
  readonly terminating: number;
  readonly succeededIndexes: ReadonlySet<number>;
  readonly failedIndexes: ReadonlySet<number>;
  /** If failures are limited per index: by index, failed pods that are kept until their successors are created. */
  readonly awaitingSuccessor: ReadonlyMap<number, Pod>;
}

/** `released` are the uids of pods without the finalizer, even if the cache still shows it. */
export function tallyOf(job: Job, pods: readonly Pod[], released: ReadonlySet<string>): Tally {
  const { succeeded = [], failed = [] } = job.status?.uncountedTerminatedPods ?? {};
  const noted = new Set([...succeeded, ...failed]);
  const tracked = pods.filter((pod) => isTracked(pod) && !released.has(pod.metadata.uid));
  const fresh = tracked.filter(
    (pod) =>
      !noted.has(pod.metadata.uid) && (!isIndexed(job) || validIndex(job, pod) !== undefined),
  );
  const newSucceeded = fresh.filter((pod) => pod.status?.phase === "Succeeded");
  const newFailed = fresh.filter((pod) => hasFailed(job, pod));
  const indexes = { succeeded: succeededIndexes(job, pods), failed: failedIndexes(job, pods) };
  const settled = new Set([
    ...indexes.succeeded,
    ...indexes.failed,
    ...indexesOf(pods.filter(isPodActive)),
  ]);
  return {
    tracked,
    newSucceeded,
    newFailed,
    succeeded: isIndexed(job)
      ? indexes.succeeded.size
      : (job.status?.succeeded ?? 0) + succeeded.length + newSucceeded.length,
    failed:
      (job.status?.failed ?? 0) +
      failed.length +
      newFailed.filter((pod) => judge(job, pod).isCounted).length,
    ready: pods.filter((pod) => isPodActive(pod) && isPodReady(pod)).length,
    terminating: pods.filter(isCountedTerminating).length,
    succeededIndexes: indexes.succeeded,
    failedIndexes: indexes.failed,
    awaitingSuccessor: awaitingSuccessor(job, tracked, settled),
  };
}

function succeededIndexes(job: Job, pods: readonly Pod[]): ReadonlySet<number> {
  if (!isIndexed(job)) return new Set();
  const indexes = new Set(parseIndexes(job.status?.completedIndexes, job.spec?.completions ?? 0));
  for (const pod of pods) {
    const index = validIndex(job, pod);
    if (pod.status?.phase === "Succeeded" && isTracked(pod) && index !== undefined)
      indexes.add(index);
  }
  return indexes;
}

/** Returns why the Job ends now; undefined if it continues. */
export function verdictOf(
  job: Job,
  pods: readonly Pod[],
  tally: Tally,
  now: Instant,
): Verdict | undefined {
  for (const type of ["SuccessCriteriaMet", "FailureTarget"]) {
    const known = trueCondition(job, type);
    if (known === undefined) continue;
    const { reason = "", message = "" } = known;
    return { succeeded: type === "SuccessCriteriaMet", reason, message };
  }
  const message = failJobMessage(job, pods);
  if (message !== undefined) return { succeeded: false, reason: "PodFailurePolicy", message };
  const limit = job.spec?.backoffLimit ?? 6;
  if (tally.failed > limit || restartsBeyond(job, pods, limit)) {
    return {
      succeeded: false,
      reason: "BackoffLimitExceeded",
      message: "Job has reached the specified backoff limit",
    };
  }
  const left = activeDeadlineLeftMs(job, now);
  if (left !== undefined && left <= 0) {
    return {
      succeeded: false,
      reason: "DeadlineExceeded",
      message: "Job was active longer than specified deadline",
    };
  }
  return isIndexed(job) ? indexVerdict(job, tally) : undefined;
}

/** The verdict from failed and succeeded indexes, if any. */
function indexVerdict(job: Job, tally: Tally): Verdict | undefined {
  const { completions = 0, maxFailedIndexes } = job.spec ?? {};
  const failedCount = tally.failedIndexes.size;
  if (maxFailedIndexes !== undefined && failedCount > maxFailedIndexes) {
    return {
      succeeded: false,
      reason: "MaxFailedIndexesExceeded",
      message: "Job has exceeded the specified maximal number of failed indexes",
    };
  }
  if (failedCount > 0 && failedCount + tally.succeededIndexes.size >= completions)
    return { succeeded: false, reason: "FailedIndexes", message: "Job has failed indexes" };
  const message = successPolicyMessage(job, tally.succeededIndexes);
  return message === undefined ? undefined : { succeeded: true, reason: "SuccessPolicy", message };
}

/** With restartPolicy OnFailure, container restarts count as well. */
function restartsBeyond(job: Job, pods: readonly Pod[], limit: number): boolean {
  if (job.spec?.template.spec?.restartPolicy !== "OnFailure") return false;
  let restarts = 0;
  for (const { status } of pods) {
    if (status?.phase !== "Running" && status?.phase !== "Pending") continue;
    for (const container of [
      ...(status.initContainerStatuses ?? []),
      ...(status.containerStatuses ?? []),
    ]) {
      restarts += container.restartCount;
    }
  }
  return limit === 0 ? restarts > 0 : restarts >= limit;
}

/** Time until the active deadline; undefined for a Job that has none, has not started or is suspended. */
export function activeDeadlineLeftMs(job: Job, now: Instant): number | undefined {
  const { activeDeadlineSeconds, suspend } = job.spec ?? {};
  const { startTime } = job.status ?? {};
  if (activeDeadlineSeconds === undefined || startTime === undefined || suspend === true)
    return undefined;
  return instantOf(startTime) + activeDeadlineSeconds * 1000 - now;
}
