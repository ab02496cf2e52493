/**
 * Counts ended pods exactly once, even across crashes: writes their uids into the status, then removes their finalizers, then
 * turns the uids into numbers. Upstream: pkg/controller/job/job_controller.go trackJobStatusAndRemoveFinalizers,
 * flushUncountedAndRemoveFinalizers, enactJobFinished, recordJobFinished v1.36.
 */
import { deepEqual } from "../../api/json.ts";
import { keyOf, refOf } from "../../api/meta.ts";
import { timestamp } from "../../api/timestamp.ts";
import type { JobStatus } from "../../api/types.ts";
import { event, isNotFound, patch, type Task, updateStatus } from "../../runtime/effects.ts";
import type { Instant } from "../../trace/instant.ts";
import { condition, type Verdict, withCondition } from "./conditions.ts";
import { judge } from "./failure-policy.ts";
import type { FinalizerExpectations } from "./finalizer-expectations.ts";
import { isAwaitingSuccessor, limitsFailuresPerIndex } from "./index-failures.ts";
import { formatIndexes, isIndexed, parseIndexes, validIndex } from "./indexes.ts";
import { hasFailed, type Job, type Pod, trackingFinalizer } from "./job-pods.ts";
import type { Tally } from "./tally.ts";

export interface Tracking {
  readonly job: Job;
  readonly tally: Tally;
  readonly released: FinalizerExpectations;
  /** The new status, except for what is counted here. */
  readonly status: JobStatus;
  /** If set, the Job ends once nothing is left to count. */
  readonly verdict: Verdict | undefined;
  readonly now: Instant;
  /** Called once the uids of ended pods are in the status. */
  readonly noted: () => void;
}

/** Returns an error if it could not, and is then called again. */
export function* trackPods(tracking: Tracking): Task<string | undefined> {
  const { job, verdict, now, released } = tracking;
  const ended = tracking.tally.tracked.filter((pod) => isCountable(tracking, pod));
  let status = withInterimCondition(noteUids(tracking, ended), verdict, now);
  let current = job;
  if (!deepEqual(job.status, status)) {
    const written = yield* updateStatus<"Job">({ ...current, status });
    if (!written.ok) return isNotFound(written.error) ? undefined : written.error.message;
    current = written.object;
    tracking.noted();
  }
  let failure: string | undefined;
  const held = new Set(tracking.tally.tracked.map((pod) => pod.metadata.uid));
  for (const pod of ended) {
    const { uid } = pod.metadata;
    released.expectRemoval(keyOf(job), uid);
    const kept = yield* releasePod(pod);
    if (kept === undefined) {
      held.delete(uid);
      continue;
    }
    released.removalObserved(keyOf(job), uid);
    failure ??= kept;
  }
  status = countNoted(status, held);
  const isOver = verdict !== undefined && failure === undefined && (status.terminating ?? 0) === 0;
  if (isOver) status = withFinalCondition(status, verdict, now);
  if (!deepEqual(current.status, status)) {
    const written = yield* updateStatus<"Job">({ ...current, status });
    if (!written.ok) return isNotFound(written.error) ? undefined : written.error.message;
  }
  if (isOver) yield* reportEnd(job, status, verdict);
  return failure;
}

/** Upstream: canRemoveFinalizer. */
function isCountable({ job, verdict, tally }: Tracking, pod: Pod): boolean {
  return (
    job.metadata.deletionTimestamp !== undefined ||
    verdict !== undefined ||
    pod.status?.phase === "Succeeded" ||
    (hasFailed(job, pod) && !isAwaitingSuccessor(tally.awaitingSuccessor, pod))
  );
}

/** Adds ended pods to the uncounted ones, or their indexes to completedIndexes, which is enough to count a success once. */
function noteUids({ job, status, verdict, tally }: Tracking, ended: readonly Pod[]): JobStatus {
  const completions = job.spec?.completions ?? 0;
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  const [nowSucceeded, nowFailed] = [new Set(succeeded), new Set(failed)];
  const { completedIndexes, ...rest } = status;
  const indexes = new Set(parseIndexes(completedIndexes, completions));
  for (const pod of ended) {
    const { uid } = pod.metadata;
    const index = validIndex(job, pod);
    const isValid = !isIndexed(job) || index !== undefined;
    if (pod.status?.phase === "Succeeded" && !nowFailed.has(uid)) {
      if (!isIndexed(job)) nowSucceeded.add(uid);
      else if (index !== undefined) indexes.add(index);
    } else if (isValid && (hasFailed(job, pod) || verdict?.succeeded === false)) {
      if (judge(job, pod).isCounted) nowFailed.add(uid);
    }
  }
  return {
    ...(isIndexed(job) ? withSucceededIndexes(rest, indexes) : rest),
    uncountedTerminatedPods: {
      ...(nowSucceeded.size > 0 && { succeeded: [...nowSucceeded] }),
      ...(nowFailed.size > 0 && { failed: [...nowFailed] }),
    },
    ...(limitsFailuresPerIndex(job) && { failedIndexes: formatIndexes(tally.failedIndexes) }),
  };
}

/** `succeeded` is the number of these indexes: a Job with fewer completions than before forgets the others. */
function withSucceededIndexes(
  { succeeded: _, ...rest }: JobStatus,
  indexes: ReadonlySet<number>,
): JobStatus {
  return indexes.size === 0
    ? rest
    : { ...rest, completedIndexes: formatIndexes(indexes), succeeded: indexes.size };
}

/** Turns the uids of pods without a finalizer into numbers; `held` are those that still have it. */
function countNoted(status: JobStatus, held: ReadonlySet<string>): JobStatus {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  const isHeld = (uid: string): boolean => held.has(uid);
  const [heldSucceeded, heldFailed] = [succeeded.filter(isHeld), failed.filter(isHeld)];
  const [allSucceeded, allFailed] = [
    (status.succeeded ?? 0) + succeeded.length - heldSucceeded.length,
    (status.failed ?? 0) + failed.length - heldFailed.length,
  ];
  return {
    ...status,
    uncountedTerminatedPods: {
      ...(heldSucceeded.length > 0 && { succeeded: heldSucceeded }),
      ...(heldFailed.length > 0 && { failed: heldFailed }),
    },
    ...(allSucceeded > 0 && { succeeded: allSucceeded }),
    ...(allFailed > 0 && { failed: allFailed }),
  };
}

/** Adds the condition that announces how the Job will end. */
function withInterimCondition(
  status: JobStatus,
  verdict: Verdict | undefined,
  now: Instant,
): JobStatus {
  if (verdict === undefined) return status;
  const type = verdict.succeeded ? "SuccessCriteriaMet" : "FailureTarget";
  const conditions = status.conditions ?? [];
  if (conditions.some((c) => c.type === type)) return status;
  return {
    ...status,
    conditions: [...conditions, condition(type, "True", verdict.reason, verdict.message, now)],
  };
}

function withFinalCondition(status: JobStatus, verdict: Verdict, now: Instant): JobStatus {
  const type = verdict.succeeded ? "Complete" : "Failed";
  const next = condition(type, "True", verdict.reason, verdict.message, now);
  return {
    ...status,
    conditions: withCondition(status.conditions ?? [], next),
    ...(verdict.succeeded && { completionTime: timestamp(now) }),
  };
}

function* reportEnd(job: Job, status: JobStatus, verdict: Verdict): Task {
  if (!verdict.succeeded) {
    yield* event(refOf(job), "Warning", verdict.reason, verdict.message);
    return;
  }
  const { completions } = job.spec ?? {};
  if (completions !== undefined && (status.succeeded ?? 0) > completions) {
    yield* event(
      refOf(job),
      "Warning",
      "TooManySucceededPods",
      "Too many succeeded pods running after completion count reached",
    );
  }
  yield* event(refOf(job), "Normal", "Completed", "Job completed");
}

/** Removes the tracking finalizer. Returns why it could not. */
export function* releasePod(pod: Pod): Task<string | undefined> {
  const { namespace, name, uid } = pod.metadata;
  const released = yield* patch("Pod", namespace, name, (live) =>
    live.metadata.uid !== uid
      ? live
      : {
          ...live,
          metadata: {
            ...live.metadata,
            finalizers: (live.metadata.finalizers ?? []).filter((f) => f !== trackingFinalizer),
          },
        },
  );
  return released.ok || isNotFound(released.error) ? undefined : released.error.message;
}
