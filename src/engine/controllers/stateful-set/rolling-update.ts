/**
 * Which pod of a StatefulSet is replaced next for a new revision. Upstream: pkg/controller/statefulset/stateful_set_control.go,
 * end of updateStatefulSet v1.36. The gate MaxUnavailableStatefulSet is off by default, also in 1.35 from 1.35.4
 * (kubernetes/kubernetes#137904), so one pod is replaced at a time.
 */
import type { KubernetesVersion } from "../../scenario.ts";
import type { Instant } from "../../trace/instant.ts";
import { rolloutsWaitForAvailability } from "../../version-differences.ts";
import { isTerminating } from "../workload/pod-status.ts";
import type { Pod, StatefulSet } from "./identity.ts";
import { podRevision } from "./revisions.ts";
import { isUnavailable, isUnhealthy } from "./status.ts";

/** The pods within the set's replicas. Missing pods take no space, because `count` may be any number. */
export interface Replicas {
  readonly count: number;
  /** By ordinal, relative to the first. */
  readonly existing: ReadonlyMap<number, Pod>;
}

interface RolloutState {
  readonly set: StatefulSet;
  readonly replicas: Replicas;
  readonly updateRevision: string;
  readonly now: Instant;
  readonly version: KubernetesVersion;
}

/**
 * Returns the pod with the highest ordinal that has another revision, down to the partition, unless a higher pod is not
 * available yet. Undefined if there is nothing to replace for now.
 */
export function podToReplace(state: RolloutState): Pod | undefined {
  const { set, replicas } = state;
  const partition = set.spec?.updateStrategy?.rollingUpdate?.partition ?? 0;
  for (let index = replicas.count - 1; index >= partition; index--) {
    const pod = replicas.existing.get(index);
    if (pod !== undefined && isOutdated(state, pod)) return pod;
    if (isToBeWaitedFor(state, pod)) return undefined;
  }
  return undefined;
}

/** Δ57. */
function isToBeWaitedFor({ set, now, version }: RolloutState, pod: Pod | undefined): boolean {
  return rolloutsWaitForAvailability(version) ? isUnavailable(set, pod, now) : isUnhealthy(pod);
}

function isOutdated({ updateRevision }: RolloutState, pod: Pod): boolean {
  return podRevision(pod) !== updateRevision && !isTerminating(pod);
}
