/**
 * Scales one ReplicaSet, or all of a Deployment in proportion. Upstream: pkg/controller/deployment/sync.go scale,
 * scaleReplicaSet and util GetProportion, IsSaturated, FindActiveOrLatest v1.36.
 */
import { type KubeObject, type Result, refOf } from "../../api/meta.ts";
import { event, remove, type Task, update } from "../../runtime/effects.ts";
import { byCreation } from "../workload/creation-order.ts";
import { desiredReplicas, maxReplicas, revisionOf, withReplicas } from "./annotations.ts";
import { isRolling, maxSurge, replicasOf } from "./fenceposts.ts";
import { activeSets } from "./replica-sets.ts";
import { type Rollout, sum } from "./status.ts";

type Deployment = KubeObject<"Deployment">;
type ReplicaSet = KubeObject<"ReplicaSet">;

/** Returns the updated set. */
export function* scaleSet(
  deployment: Deployment,
  set: ReplicaSet,
  replicas: number,
): Task<Result<ReplicaSet>> {
  const before = replicasOf(set);
  const annotations = withReplicas(set.metadata.annotations, deployment);
  const isNoted =
    desiredReplicas(set) === replicasOf(deployment) &&
    maxReplicas(set) === replicasOf(deployment) + maxSurge(deployment);
  if (before === replicas && isNoted) return { ok: true, object: set };
  const updated = yield* update<"ReplicaSet">({
    ...set,
    metadata: { ...set.metadata, annotations },
    spec: { ...(set.spec ?? { selector: {} }), replicas },
  });
  if (updated.ok && before !== replicas) {
    const direction = before < replicas ? "up" : "down";
    const text = `Scaled ${direction} replica set ${set.metadata.name} from ${before} to ${replicas}`;
    yield* event(refOf(deployment), "Normal", "ScalingReplicaSet", text);
  }
  return updated;
}

/** True if the Deployment's size has changed since its sets were last scaled. Upstream: isScalingEvent. */
export function isScalingEvent(deployment: Deployment, rollout: Rollout): boolean {
  return activeSets(rollout).some((set) => {
    const desired = desiredReplicas(set);
    return desired !== undefined && desired !== replicasOf(deployment);
  });
}

/** Upstream: scale. */
export function* scaleAll(deployment: Deployment, rollout: Rollout): Task<Result<undefined>> {
  for (const [set, size] of sizesOf(deployment, rollout)) {
    const scaled = yield* scaleSet(deployment, set, size);
    if (!scaled.ok) return scaled;
  }
  return { ok: true, object: undefined };
}

type Size = readonly [set: ReplicaSet, replicas: number];

/** The new sizes, in the order in which they are written. */
function sizesOf(deployment: Deployment, rollout: Rollout): readonly Size[] {
  const replicas = replicasOf(deployment);
  const only = activeOrLatest(rollout);
  if (only !== undefined) return replicasOf(only) === replicas ? [] : [[only, replicas]];
  if (isSaturated(deployment, rollout.newSet)) {
    const newestFirst = rollout.oldSets.toSorted(byCreation).reverse();
    return newestFirst.filter((set) => replicasOf(set) > 0).map((set) => [set, 0]);
  }
  return isRolling(deployment) ? proportionalSizes(deployment, activeSets(rollout)) : [];
}

/** The only active set; if none is, the new or the latest one; undefined if several are. Upstream: FindActiveOrLatest. */
function activeOrLatest(rollout: Rollout): ReplicaSet | undefined {
  const active = activeSets(rollout);
  if (active.length > 1) return undefined;
  return active[0] ?? rollout.newSet ?? [...rollout.oldSets].sort(byCreation).at(-1);
}

function isSaturated(deployment: Deployment, set: ReplicaSet | undefined): boolean {
  const replicas = replicasOf(deployment);
  return (
    set !== undefined &&
    replicasOf(set) === replicas &&
    desiredReplicas(set) === replicas &&
    (set.status?.availableReplicas ?? 0) === replicas
  );
}

/** Spreads added or removed replicas over the sets by size; the rounding difference goes to the largest. */
function proportionalSizes(deployment: Deployment, active: readonly ReplicaSet[]): readonly Size[] {
  const wanted = replicasOf(deployment);
  const allowed = wanted > 0 ? wanted + maxSurge(deployment) : 0;
  const toAdd = allowed - sum(active, replicasOf);
  if (toAdd === 0) return active.map((set) => [set, replicasOf(set)]);
  const largestFirst = active.toSorted(
    (a, b) => replicasOf(b) - replicasOf(a) || (toAdd > 0 ? byCreation(b, a) : byCreation(a, b)),
  );
  let added = 0;
  const sizes = largestFirst.map((set): Size => {
    const share = proportion(deployment, set, toAdd, added);
    added += share;
    return [set, replicasOf(set) + share];
  });
  const leftover = toAdd - added;
  return sizes.map(([set, size], i) => [set, i === 0 ? Math.max(0, size + leftover) : size]);
}

function proportion(deployment: Deployment, set: ReplicaSet, toAdd: number, added: number): number {
  if (replicasOf(set) === 0 || toAdd === added) return 0;
  const share = fraction(deployment, set);
  return toAdd > 0 ? Math.min(share, toAdd - added) : Math.max(share, toAdd - added);
}

function fraction(deployment: Deployment, set: ReplicaSet): number {
  const size = replicasOf(set);
  if (replicasOf(deployment) === 0) return -size;
  const noted = maxReplicas(set) ?? 0;
  const before = noted === 0 ? (deployment.status?.replicas ?? 0) : noted;
  if (before === 0) return 0;
  return Math.round((size * (replicasOf(deployment) + maxSurge(deployment))) / before) - size;
}

/** Deletes old, empty sets beyond revisionHistoryLimit. Upstream: cleanupDeployment. */
export function* cleanUpHistory(
  deployment: Deployment,
  oldSets: readonly ReplicaSet[],
): Task<Result<undefined>> {
  const limit = deployment.spec?.revisionHistoryLimit;
  const alive = oldSets.filter((set) => set.metadata.deletionTimestamp === undefined);
  if (limit === undefined || limit === 2_147_483_647 || alive.length <= limit)
    return { ok: true, object: undefined };
  const oldestFirst = [...alive].sort(
    (a, b) => Number(revisionOf(a) - revisionOf(b)) || byCreation(a, b),
  );
  for (const set of oldestFirst.slice(0, alive.length - limit)) {
    const isUsed = (set.status?.replicas ?? 0) > 0 || replicasOf(set) > 0;
    if (isUsed || (set.metadata.generation ?? 1) > (set.status?.observedGeneration ?? 0)) continue;
    const removed = yield* remove("ReplicaSet", set.metadata.namespace, set.metadata.name);
    if (!removed.ok && removed.error.reason !== "NotFound") return removed;
  }
  return { ok: true, object: undefined };
}
