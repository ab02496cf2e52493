/**
 * Failures per index: how often an index may fail, when it is tried again, and which failed pod is kept until then.
 * Upstream: pkg/controller/job/indexed_job_utils.go calculateFailedIndexes, getPodsWithDelayedDeletionPerIndex,
 * addIndexFailureCountAnnotation and backoff_utils.go getRemainingTimePerIndex v1.36.
 */
import type { Draft } from "../../api/meta.ts";
import type { Instant } from "../../trace/instant.ts";
import { remainingMs } from "./backoff.ts";
import { judge } from "./failure-policy.ts";
import { completionIndex, parseIndexes, validIndex } from "./indexes.ts";
import { finishTime, hasFailed, isTracked, type Job, type Pod } from "./job-pods.ts";

const failureCountKey = "batch.kubernetes.io/job-index-failure-count";
const ignoredFailureCountKey = "batch.kubernetes.io/job-index-ignored-failure-count";

export function limitsFailuresPerIndex(job: Job): boolean {
  return job.spec?.backoffLimitPerIndex !== undefined;
}

/** Indexes that will not be tried again; empty if failures are not limited per index. */
export function failedIndexes(job: Job, pods: readonly Pod[]): ReadonlySet<number> {
  if (!limitsFailuresPerIndex(job)) return new Set();
  const indexes = new Set(parseIndexes(job.status?.failedIndexes, job.spec?.completions ?? 0));
  for (const pod of pods) {
    const index = validIndex(job, pod);
    if (index !== undefined && isTracked(pod) && failsItsIndex(job, pod)) indexes.add(index);
  }
  return indexes;
}

function failsItsIndex(job: Job, pod: Pod): boolean {
  if (!hasFailed(job, pod)) return false;
  const { isCounted, failsIndex } = judge(job, pod);
  return (
    failsIndex ||
    (isCounted && countOf(pod, failureCountKey) >= (job.spec?.backoffLimitPerIndex ?? 0))
  );
}

/**
 * By index, the failed pod that is kept until its successor is created, which takes over its count. `settled` are indexes that
 * have succeeded or failed, or have an active pod; `tracked` are the pods that still have the finalizer.
 */
export function awaitingSuccessor(
  job: Job,
  tracked: readonly Pod[],
  settled: ReadonlySet<number>,
): ReadonlyMap<number, Pod> {
  const last = new Map<number, Pod>();
  if (!limitsFailuresPerIndex(job)) return last;
  for (const pod of tracked) {
    const index = validIndex(job, pod);
    if (index === undefined || settled.has(index) || !hasFailed(job, pod)) continue;
    const known = last.get(index);
    const isLater =
      known === undefined ||
      (allFailures(known) <= allFailures(pod) && finishTime(known) <= finishTime(pod));
    if (isLater) last.set(index, pod);
  }
  return last;
}

/** How long until an index may be tried again after this pod. */
export function indexBackoffMs(predecessor: Pod | undefined, now: Instant): number {
  if (predecessor === undefined) return 0;
  const failures = allFailures(predecessor) + 1;
  return remainingMs({ failures, lastFailureAt: finishTime(predecessor) }, now);
}

/** Adds the number of failures of the pod's index so far. */
export function withFailureCount(
  draft: Draft<"Pod">,
  job: Job,
  predecessor: Pod | undefined,
): Draft<"Pod"> {
  const isCounted = predecessor !== undefined && judge(job, predecessor).isCounted;
  const isIgnored = predecessor !== undefined && !isCounted;
  const counted = countOf(predecessor, failureCountKey) + Number(isCounted);
  const ignored = countOf(predecessor, ignoredFailureCountKey) + Number(isIgnored);
  const annotations = {
    ...draft.metadata.annotations,
    [failureCountKey]: String(counted),
    ...(ignored > 0 && { [ignoredFailureCountKey]: String(ignored) }),
  };
  return { ...draft, metadata: { ...draft.metadata, annotations } };
}

/** True while this failed pod waits for its successor. */
export function isAwaitingSuccessor(waiting: ReadonlyMap<number, Pod>, pod: Pod): boolean {
  return waiting.get(completionIndex(pod) ?? -1)?.metadata.uid === pod.metadata.uid;
}

function allFailures(pod: Pod): number {
  return countOf(pod, failureCountKey) + countOf(pod, ignoredFailureCountKey);
}

function countOf(pod: Pod | undefined, key: string): number {
  const text = pod?.metadata.annotations?.[key] ?? "";
  return /^\+?[0-9]+$/.test(text) && Number(text) <= 2_147_483_647 ? Number(text) : 0;
}
