/**
 * Which pods are deleted first if there are too many. Upstream: pkg/controller/controller_utils.go ActivePodsWithRanks and
 * pkg/controller/replicaset/replica_set.go getPodsToDelete, getPodsRankedByRelatedPodsOnSameNode v1.36.
 */
import type { KubeObject } from "../../api/meta.ts";
import { instantOf } from "../../api/timestamp.ts";
import { isPodReady, podCondition } from "../../matching/pod-condition.ts";
import type { Instant } from "../../trace/instant.ts";
import { compareRestarts, phaseRank } from "../workload/pod-order.ts";
import { isPodActive } from "../workload/pod-status.ts";

type Pod = KubeObject<"Pod">;

/**
 * Returns the `count` pods to delete. `related` are all pods of the owner and its siblings, by which the spread over nodes is
 * measured.
 */
export function podsToDelete(
  pods: readonly Pod[],
  related: readonly Pod[],
  count: number,
  now: Instant,
): readonly Pod[] {
  if (count >= pods.length) return pods;
  const onNode = new Map<string, number>();
  for (const pod of related) {
    if (isPodActive(pod))
      onNode.set(pod.spec.nodeName ?? "", (onNode.get(pod.spec.nodeName ?? "") ?? 0) + 1);
  }
  const crowd = (pod: Pod): number => onNode.get(pod.spec.nodeName ?? "") ?? 0;
  return [...pods].sort((a, b) => compare(a, b, crowd, now)).slice(0, count);
}

/** Negative if `a` is deleted before `b`. */
function compare(a: Pod, b: Pod, crowd: (pod: Pod) => number, now: Instant): number {
  const unassigned = Number(a.spec.nodeName !== undefined) - Number(b.spec.nodeName !== undefined);
  if (unassigned !== 0) return unassigned;
  const phase = phaseRank(a) - phaseRank(b);
  if (phase !== 0) return phase;
  const ready = Number(isPodReady(a)) - Number(isPodReady(b));
  if (ready !== 0) return ready;
  const cost = deletionCost(a) - deletionCost(b);
  if (cost !== 0) return cost;
  const crowded = crowd(b) - crowd(a);
  if (crowded !== 0) return crowded;
  if (isPodReady(a)) {
    const younger = compareAge(readySince(a), readySince(b), a, b, now);
    if (younger !== 0) return younger;
  }
  const restarts = compareRestarts(a, b);
  if (restarts !== 0) return restarts;
  return compareAge(
    instantOf(a.metadata.creationTimestamp),
    instantOf(b.metadata.creationTimestamp),
    a,
    b,
    now,
  );
}

function deletionCost(pod: Pod): number {
  const cost = pod.metadata.annotations?.["controller.kubernetes.io/pod-deletion-cost"] ?? "0";
  return /^(0|-?[1-9][0-9]*)$/.test(cost) ? Number(cost) : 0;
}

function readySince(pod: Pod): Instant {
  return instantOf(podCondition(pod, "Ready")?.lastTransitionTime ?? "");
}

/** Compares ages on a logarithmic scale; within one step the uid decides, as chance does upstream. */
function compareAge(a: Instant, b: Instant, first: Pod, second: Pod, now: Instant): number {
  if (a === b || Number.isNaN(a) || Number.isNaN(b)) return 0;
  const rank = ageRank(a, now) - ageRank(b, now);
  if (rank !== 0) return rank;
  return (first.metadata.uid ?? "") < (second.metadata.uid ?? "") ? -1 : 1;
}

/** Returns floor(log₂) of the age in nanoseconds; -1 for none. */
function ageRank(since: Instant, now: Instant): number {
  const age = (now - since) * 1e6;
  let rank = -1;
  for (let power = 1; power <= age; power *= 2) rank++;
  return rank;
}
