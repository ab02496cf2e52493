/**
 * A rolling update: the new set grows as far as the surge allows, old sets shrink as far as availability allows.
 * Upstream: pkg/controller/deployment/rolling.go v1.36.
 */
import type { KubeObject } from "../../api/meta.ts";
import type { Task } from "../../runtime/effects.ts";
import { type Outcome, retry } from "../../runtime/outcome.ts";
import { byCreation } from "../workload/creation-order.ts";
import { maxUnavailable, replicasOf } from "./fenceposts.ts";
import { afterFailure, newSetReplicas, syncNewSet } from "./replica-sets.ts";
import { cleanUpHistory, scaleSet } from "./scale.ts";
import { allSets, type Clock, isComplete, type Rollout, sum, syncRolloutStatus } from "./status.ts";

type Deployment = KubeObject<"Deployment">;
type ReplicaSet = KubeObject<"ReplicaSet">;

export function* rollOut(
  given: Deployment,
  sets: readonly ReplicaSet[],
  clock: Clock,
): Task<Outcome> {
  const synced = yield* syncNewSet(given, sets, clock);
  if (!synced.ok) return afterFailure(synced.error);
  const { deployment, rollout } = synced.object;
  const { newSet } = rollout;
  if (newSet === undefined) return retry("the new replica set does not exist");
  const wanted = replicasOf(deployment);
  if (replicasOf(newSet) !== wanted) {
    const size =
      replicasOf(newSet) > wanted
        ? wanted
        : newSetReplicas(deployment, allSets(rollout), replicasOf(newSet));
    if (size !== replicasOf(newSet)) {
      const scaled = yield* scaleSet(deployment, newSet, size);
      if (!scaled.ok) return retry(scaled.error.message);
      return yield* syncRolloutStatus(deployment, rollout, clock);
    }
  }
  const isShrunk = yield* shrinkOldSets(deployment, { ...rollout, newSet });
  if (!isShrunk && isComplete(deployment, deployment.status)) {
    const cleaned = yield* cleanUpHistory(deployment, rollout.oldSets);
    if (!cleaned.ok) return retry(cleaned.error.message);
  }
  return yield* syncRolloutStatus(deployment, rollout, clock);
}

/** Returns true if a set was scaled down. A refused write ends it with false; the next sync continues. */
function* shrinkOldSets(
  deployment: Deployment,
  rollout: Rollout & { readonly newSet: ReplicaSet },
): Task<boolean> {
  const { newSet } = rollout;
  const active = rollout.oldSets.filter((set) => replicasOf(set) > 0);
  if (active.length === 0) return false;
  const minAvailable = replicasOf(deployment) - maxUnavailable(deployment);
  // Unavailable pods of the new set must not make room for the removal of old ones.
  const newUnavailable = replicasOf(newSet) - (newSet.status?.availableReplicas ?? 0);
  const excess = sum(allSets(rollout), replicasOf) - minAvailable - newUnavailable;
  if (excess <= 0) return false;
  const cleaned = yield* shrink(deployment, [...active].sort(byCreation), excess, unavailableOf);
  if (cleaned === undefined) return false;
  const available = sum([...cleaned.sets, newSet], (set) => set.status?.availableReplicas);
  const shrunk = yield* shrink(deployment, cleaned.sets, available - minAvailable, replicasOf);
  return shrunk !== undefined && cleaned.total + shrunk.total > 0;
}

/** Unavailable pods of old sets go first: that costs no availability. Upstream: cleanupUnhealthyReplicas. */
function unavailableOf(set: ReplicaSet): number {
  return replicasOf(set) - (set.status?.availableReplicas ?? 0);
}

interface Shrunk {
  readonly sets: readonly ReplicaSet[];
  readonly total: number;
}

/**
 * Takes up to `count` replicas from the sets in order, from each at most `spare(set)`. Returns undefined if a write is refused
 * or `spare` is negative: that set's status does not show the last scaling yet.
 */
function* shrink(
  deployment: Deployment,
  sets: readonly ReplicaSet[],
  count: number,
  spare: (set: ReplicaSet) => number,
): Task<Shrunk | undefined> {
  const after: ReplicaSet[] = [];
  let total = 0;
  for (const set of sets) {
    if (total < count && spare(set) < 0) return undefined;
    const less = Math.min(count - total, spare(set), replicasOf(set));
    if (less <= 0) {
      after.push(set);
      continue;
    }
    const scaled = yield* scaleSet(deployment, set, replicasOf(set) - less);
    if (!scaled.ok) return undefined;
    after.push(scaled.object);
    total += less;
  }
  return { sets: after, total };
}
