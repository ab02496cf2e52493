/**
 * Which pods of a StatefulSet go next for a new revision. Upstream: pkg/controller/statefulset/stateful_set_control.go, end of
 * updateStatefulSet (until 1.34) and updateStatefulSetAfterInvariantEstablished (1.35 and newer: MaxUnavailableStatefulSet).
 */

import type { KubernetesVersion } from "../../scenario.ts";
import type { Instant } from "../../trace/trace.ts";
import { hasMaxUnavailableStatefulSets } from "../../version-differences.ts";
import { scaled } from "../workload/int-or-percent.ts";
import { isTerminating } from "../workload/pod-status.ts";
import { type Pod, replicasOf, type StatefulSet } from "./identity.ts";
import { podRevision } from "./revisions.ts";
import { isUnavailable } from "./status.ts";

export interface RolloutState {
  readonly set: StatefulSet;
  /** By ordinal; undefined where a pod has just been asked for. */
  readonly replicas: readonly (Pod | undefined)[];
  readonly updateRevision: string;
  readonly now: Instant;
}

/** From the highest ordinal down, none below the partition. */
export function podsToReplace(state: RolloutState, version: KubernetesVersion): readonly Pod[] {
  return hasMaxUnavailableStatefulSets(version) ? withinBudget(state) : oneByOne(state);
}

/** The highest pod of another revision, unless a higher one is not available yet. */
function oneByOne(state: RolloutState): readonly Pod[] {
  for (const pod of candidates(state)) {
    if (pod !== undefined && isOutdated(state, pod)) return [pod];
    if (isUnavailable(state.set, pod, state.now)) return [];
  }
  return [];
}

/** As many as maxUnavailable allows. Parallel sets first replace pods that serve nobody anyway. */
function withinBudget(state: RolloutState): readonly Pod[] {
  const { set, replicas, now } = state;
  const unavailableCount = replicas.filter((pod) => isUnavailable(set, pod, now)).length;
  const budget = Math.max(0, maxUnavailable(set) - unavailableCount);
  const outdated = candidates(state).filter(
    (pod) => pod !== undefined && isOutdated(state, pod),
  ) as Pod[];
  if (set.spec?.podManagementPolicy !== "Parallel") return outdated.slice(0, budget);
  const useless = outdated.filter((pod) => isUnavailable(set, pod, now));
  return [...useless, ...outdated.filter((pod) => !useless.includes(pod)).slice(0, budget)];
}

function candidates({ set, replicas }: RolloutState): readonly (Pod | undefined)[] {
  return replicas.slice(set.spec?.updateStrategy?.rollingUpdate?.partition ?? 0).reverse();
}

function isOutdated({ updateRevision }: RolloutState, pod: Pod): boolean {
  return podRevision(pod) !== updateRevision && !isTerminating(pod);
}

function maxUnavailable(set: StatefulSet): number {
  return Math.max(
    1,
    scaled(set.spec?.updateStrategy?.rollingUpdate?.maxUnavailable ?? 1, replicasOf(set), false),
  );
}
