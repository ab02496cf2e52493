/**
 * What counts as success or failure of a Job's pods. Upstream: pkg/controller/job/job_controller.go isPodFailed,
 * activePodsForRemoval and pkg/controller/controller_utils.go ActivePods v1.36.
 */
import type { KubeObject } from "../../api/meta.ts";
import { instantOf } from "../../api/timestamp.ts";
import type { ContainerStatus } from "../../api/types.ts";
import { isPodReady, podCondition } from "../../matching/pod-condition.ts";
import type { Instant } from "../../trace/instant.ts";
import { compareRestarts, phaseRank } from "../workload/pod-order.ts";
import { isTerminating } from "../workload/pod-status.ts";

export type Job = KubeObject<"Job">;
export type Pod = KubeObject<"Pod">;

export const trackingFinalizer = "batch.kubernetes.io/job-tracking";

export function isTracked(pod: Pod): boolean {
  return pod.metadata.finalizers?.includes(trackingFinalizer) === true;
}

/** True if only failed pods are replaced; then a terminating pod does not count as failed yet. */
export function replacesOnlyFailed(job: Job): boolean {
  return job.spec?.podReplacementPolicy === "Failed" || job.spec?.podFailurePolicy !== undefined;
}

/** A terminating pod counts as failed unless only failed ones are replaced: it may never reach the phase Failed. */
export function hasFailed(job: Job, pod: Pod): boolean {
  if (pod.status?.phase === "Failed") return true;
  return !replacesOnlyFailed(job) && isTerminating(pod) && pod.status?.phase !== "Succeeded";
}

/** When a pod ended: by its containers, else its conditions, else its deletion. Upstream: getFinishedTime. */
export function finishTime(pod: Pod): Instant {
  const { creationTimestamp, deletionTimestamp, deletionGracePeriodSeconds = 0 } = pod.metadata;
  const byContainers = containersFinishedAt(pod);
  if (byContainers !== undefined) return byContainers;
  const ready = podCondition(pod, "Ready");
  if (ready?.status === "False" && ready.lastTransitionTime !== undefined)
    return instantOf(ready.lastTransitionTime);
  return deletionTimestamp === undefined
    ? instantOf(creationTimestamp)
    : instantOf(deletionTimestamp) - deletionGracePeriodSeconds * 1000;
}

/**
 * When the last container finished. Init containers count too, since sidecars finish last; if a regular container has not
 * finished, they alone count. Undefined if an init container has not finished, or none at all has. Upstream:
 * getFinishTimeFromContainers, latestFinishTime.
 */
function containersFinishedAt({ status }: Pod): Instant | undefined {
  const ofOthers = latestFinish(status?.containerStatuses);
  return latestFinish(status?.initContainerStatuses, ofOthers);
}

function latestFinish(
  statuses: readonly ContainerStatus[] = [],
  before?: Instant,
): Instant | undefined {
  let latest = before;
  for (const { state } of statuses) {
    const finishedAt = state?.terminated?.finishedAt;
    if (finishedAt === undefined) return undefined;
    latest = Math.max(latest ?? Number.NEGATIVE_INFINITY, instantOf(finishedAt));
  }
  return latest;
}

/** Orders pods by progress, least first: the order of removal. Upstream: ActivePods. */
export function leastFarFirst(pods: readonly Pod[]): readonly Pod[] {
  const rank = (pod: Pod): number =>
    (pod.spec.nodeName === undefined ? 0 : 6) + phaseRank(pod) * 2 + (isPodReady(pod) ? 1 : 0);
  const readySince = (pod: Pod): string =>
    isPodReady(pod) ? (podCondition(pod, "Ready")?.lastTransitionTime ?? "") : "";
  return [...pods].sort((a, b) => {
    if (rank(a) !== rank(b)) return rank(a) - rank(b);
    const [firstReady, secondReady] = [readySince(a), readySince(b)];
    if (firstReady !== secondReady) return firstReady > secondReady ? -1 : 1;
    const restarts = compareRestarts(a, b);
    if (restarts !== 0) return restarts;
    const [first, second] = [a.metadata.creationTimestamp, b.metadata.creationTimestamp];
    if (first !== second) return first > second ? -1 : 1;
    return a.metadata.name < b.metadata.name ? -1 : 1;
  });
}
