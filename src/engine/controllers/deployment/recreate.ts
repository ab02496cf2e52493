/**
 * The Recreate strategy: no new pod before the last old one is gone. Upstream: pkg/controller/deployment/recreate.go v1.36.
 */
import type { KubeObject } from "../../api/meta.ts";
import { isPodEnded } from "../../matching/pod-state.ts";
import type { Task } from "../../runtime/effects.ts";
import { type Outcome, retry } from "../../runtime/outcome.ts";
import { replicasOf } from "./fenceposts.ts";
import { afterFailure, syncNewSet, syncRevision } from "./replica-sets.ts";
import { cleanUpHistory, scaleSet } from "./scale.ts";
import { type Clock, isComplete, type Rollout, sum, syncRolloutStatus } from "./status.ts";

type Deployment = KubeObject<"Deployment">;
type ReplicaSet = KubeObject<"ReplicaSet">;
type PodsOf = (set: ReplicaSet) => readonly KubeObject<"Pod">[];

export function* recreate(
  given: Deployment,
  sets: readonly ReplicaSet[],
  podsOf: PodsOf,
  clock: Clock,
): Task<Outcome> {
  const before = yield* syncRevision(given, sets, clock);
  if (!before.ok) return retry(before.error.message);
  const { rollout } = before.object;
  const active = rollout.oldSets.filter((set) => replicasOf(set) > 0);
  for (const set of active) {
    const scaled = yield* scaleSet(before.object.deployment, set, 0);
    if (!scaled.ok) return retry(scaled.error.message);
  }
  if (active.length > 0 || oldPodsRun(rollout, podsOf))
    return yield* syncRolloutStatus(before.object.deployment, rollout, clock);
  const synced =
    rollout.newSet === undefined
      ? yield* syncNewSet(before.object.deployment, sets, clock)
      : before;
  if (!synced.ok) return afterFailure(synced.error);
  return yield* scaleUp(synced.object.deployment, synced.object.rollout, clock);
}

/** Upstream: oldPodsRunning. A pod that is terminating still holds its volumes. */
function oldPodsRun(rollout: Rollout, podsOf: PodsOf): boolean {
  if (sum(rollout.oldSets, (set) => set.status?.replicas) > 0) return true;
  return rollout.oldSets.some((set) => podsOf(set).some((pod) => !isPodEnded(pod)));
}

function* scaleUp(deployment: Deployment, rollout: Rollout, clock: Clock): Task<Outcome> {
  const { newSet, oldSets } = rollout;
  if (newSet === undefined) return retry("the new replica set does not exist");
  if (replicasOf(newSet) !== replicasOf(deployment)) {
    const scaled = yield* scaleSet(deployment, newSet, replicasOf(deployment));
    if (!scaled.ok) return retry(scaled.error.message);
  }
  if (isComplete(deployment, deployment.status)) {
    const cleaned = yield* cleanUpHistory(deployment, oldSets);
    if (!cleaned.ok) return retry(cleaned.error.message);
  }
  return yield* syncRolloutStatus(deployment, rollout, clock);
}
