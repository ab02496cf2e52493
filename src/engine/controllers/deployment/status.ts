/**
 * A Deployment's status and the progress of its rollout. Upstream: pkg/controller/deployment/sync.go calculateStatus and
 * progress.go syncRolloutStatus, requeueStuckDeployment v1.36.
 */
import { deepEqual } from "../../api/json.ts";
import type { KubeObject } from "../../api/meta.ts";
import { instantOf } from "../../api/timestamp.ts";
import type {
  DeploymentCondition,
  DeploymentStatus,
  ReplicaSetCondition,
} from "../../api/types.ts";
import { hasProgressDeadline } from "../../matching/progress-deadline.ts";
import { type Task, updateStatus } from "../../runtime/effects.ts";
import { done, type Outcome, retry, wait } from "../../runtime/outcome.ts";
import type { KubernetesVersion } from "../../scenario.ts";
import type { Instant } from "../../trace/instant.ts";
import { countsTerminatingReplicas } from "../../version-differences.ts";
import { condition, conditionOf, withCondition, withoutCondition } from "./conditions.ts";
import { maxUnavailable, replicasOf } from "./fenceposts.ts";

type Deployment = KubeObject<"Deployment">;
type ReplicaSet = KubeObject<"ReplicaSet">;

/**
 * The ReplicaSets of a Deployment as they were when the sync began; `newSet` has its current template. What the sync changes
 * in them shows in the next sync, and only then in the Deployment's status.
 */
export interface Rollout {
  readonly newSet: ReplicaSet | undefined;
  readonly oldSets: readonly ReplicaSet[];
}

/** The first delay of a rate-limited queue. */
const rateLimitMs = 5;

export interface Clock {
  readonly version: KubernetesVersion;
  readonly now: Instant;
}

export function allSets(rollout: Rollout): readonly ReplicaSet[] {
  return rollout.newSet === undefined ? rollout.oldSets : [...rollout.oldSets, rollout.newSet];
}

export function sum(
  sets: readonly ReplicaSet[],
  count: (set: ReplicaSet) => number | undefined,
): number {
  return sets.reduce((total, set) => total + (count(set) ?? 0), 0);
}

/** Upstream: calculateStatus. */
function deploymentStatus(
  deployment: Deployment,
  rollout: Rollout,
  clock: Clock,
): DeploymentStatus {
  const sets = allSets(rollout);
  const available = sum(sets, (set) => set.status?.availableReplicas);
  const unavailable = Math.max(0, sum(sets, replicasOf) - available);
  const ready = sum(sets, (set) => set.status?.readyReplicas);
  const replicas = sum(sets, (set) => set.status?.replicas);
  const updated = rollout.newSet?.status?.replicas ?? 0;
  const terminating = terminatingCount(sets, clock.version);
  const { collisionCount, conditions = [] } = deployment.status ?? {};
  const availability =
    available >= replicasOf(deployment) - maxUnavailable(deployment)
      ? condition(
          "Available",
          "True",
          "MinimumReplicasAvailable",
          "Deployment has minimum availability.",
          clock.now,
        )
      : condition(
          "Available",
          "False",
          "MinimumReplicasUnavailable",
          "Deployment does not have minimum availability.",
          clock.now,
        );
  return {
    observedGeneration: deployment.metadata.generation ?? 1,
    ...(replicas > 0 && { replicas }),
    ...(updated > 0 && { updatedReplicas: updated }),
    ...(ready > 0 && { readyReplicas: ready }),
    ...(available > 0 && { availableReplicas: available }),
    ...(unavailable > 0 && { unavailableReplicas: unavailable }),
    ...(terminating !== undefined && { terminatingReplicas: terminating }),
    ...(collisionCount !== undefined && { collisionCount }),
    conditions: withCondition(conditions, availability),
  };
}

/** Undefined if a synced set does not report its count; a set that was never synced counts as 0. */
function terminatingCount(
  sets: readonly ReplicaSet[],
  version: KubernetesVersion,
): number | undefined {
  if (!countsTerminatingReplicas(version)) return undefined;
  let total = 0;
  for (const { status } of sets) {
    if (status?.terminatingReplicas !== undefined) total += status.terminatingReplicas;
    else if ((status?.observedGeneration ?? 0) > 0) return undefined;
  }
  return total;
}

export function isComplete(deployment: Deployment, status: DeploymentStatus | undefined): boolean {
  const replicas = replicasOf(deployment);
  return (
    (status?.updatedReplicas ?? 0) === replicas &&
    (status?.replicas ?? 0) === replicas &&
    (status?.availableReplicas ?? 0) === replicas &&
    (status?.observedGeneration ?? 0) >= (deployment.metadata.generation ?? 1)
  );
}

function isProgressing(before: DeploymentStatus | undefined, after: DeploymentStatus): boolean {
  const old = (status: DeploymentStatus | undefined): number =>
    (status?.replicas ?? 0) - (status?.updatedReplicas ?? 0);
  return (
    (after.updatedReplicas ?? 0) > (before?.updatedReplicas ?? 0) ||
    old(after) < old(before) ||
    (after.readyReplicas ?? 0) > (before?.readyReplicas ?? 0) ||
    (after.availableReplicas ?? 0) > (before?.availableReplicas ?? 0)
  );
}

function isTimedOut(deployment: Deployment, status: DeploymentStatus, now: Instant): boolean {
  const current = conditionOf(status, "Progressing");
  if (current === undefined || current.reason === "NewReplicaSetAvailable") return false;
  if (current.reason === "ProgressDeadlineExceeded") return true;
  return deadlineOf(deployment, current) < now;
}

function deadlineOf(deployment: Deployment, progressing: DeploymentCondition): Instant {
  return (
    instantOf(progressing.lastUpdateTime ?? "") +
    (deployment.spec?.progressDeadlineSeconds ?? 0) * 1000
  );
}

/** Writes the status without checking progress, for scaling and paused Deployments. Upstream: syncDeploymentStatus. */
export function* syncStatus(deployment: Deployment, rollout: Rollout, clock: Clock): Task<Outcome> {
  const status = deploymentStatus(deployment, rollout, clock);
  return yield* writeStatus(deployment, status, done("Synced"));
}

/** Upstream: syncRolloutStatus. */
export function* syncRolloutStatus(
  deployment: Deployment,
  rollout: Rollout,
  clock: Clock,
): Task<Outcome> {
  let status = deploymentStatus(deployment, rollout, clock);
  if (!hasProgressDeadline(deployment)) {
    status = { ...status, conditions: withoutCondition(status.conditions ?? [], "Progressing") };
  }
  const current = conditionOf(deployment.status, "Progressing");
  const wasComplete =
    (status.replicas ?? 0) === (status.updatedReplicas ?? 0) &&
    current?.reason === "NewReplicaSetAvailable";
  if (hasProgressDeadline(deployment) && !wasComplete) {
    status = { ...status, conditions: withProgress(deployment, status, rollout, clock) };
  }
  const failure = replicaFailure(rollout);
  const conditions = status.conditions ?? [];
  status = {
    ...status,
    conditions:
      failure === undefined
        ? withoutCondition(conditions, "ReplicaFailure")
        : withCondition(conditions, failure),
  };
  return yield* writeStatus(deployment, status, nextLook(deployment, status, clock.now));
}

function withProgress(
  deployment: Deployment,
  status: DeploymentStatus,
  { newSet }: Rollout,
  { now }: Clock,
): readonly DeploymentCondition[] {
  const conditions = status.conditions ?? [];
  const what =
    newSet === undefined
      ? `Deployment "${deployment.metadata.name}"`
      : `ReplicaSet "${newSet.metadata.name}"`;
  if (isComplete(deployment, status)) {
    const text = `${what} has successfully progressed.`;
    return withCondition(
      conditions,
      condition("Progressing", "True", "NewReplicaSetAvailable", text, now),
    );
  }
  if (isProgressing(deployment.status, status)) {
    const current = conditionOf(deployment.status, "Progressing");
    const next = condition(
      "Progressing",
      "True",
      "ReplicaSetUpdated",
      `${what} is progressing.`,
      now,
    );
    // Progress renews lastUpdateTime even if status and reason stay.
    return [
      ...withoutCondition(conditions, "Progressing"),
      current?.status === "True" && current.lastTransitionTime !== undefined
        ? { ...next, lastTransitionTime: current.lastTransitionTime }
        : next,
    ];
  }
  if (isTimedOut(deployment, status, now)) {
    const text = `${what} has timed out progressing.`;
    return withCondition(
      conditions,
      condition("Progressing", "False", "ProgressDeadlineExceeded", text, now),
    );
  }
  return conditions;
}

/** Prefers the new set's failure to those of old sets. */
function replicaFailure(rollout: Rollout): DeploymentCondition | undefined {
  const sets =
    rollout.newSet === undefined ? rollout.oldSets : [rollout.newSet, ...rollout.oldSets];
  for (const set of sets) {
    const failure = set.status?.conditions?.find((c) => c.type === "ReplicaFailure");
    if (failure !== undefined) return fromSet(failure);
  }
  return undefined;
}

function fromSet({ lastTransitionTime, ...rest }: ReplicaSetCondition): DeploymentCondition {
  return {
    ...rest,
    ...(lastTransitionTime !== undefined && {
      lastTransitionTime,
      lastUpdateTime: lastTransitionTime,
    }),
  };
}

/**
 * Checks a rollout without progress again a second after its deadline, or just after the deadline if that is less than a
 * second away. Upstream: requeueStuckDeployment.
 */
function nextLook(deployment: Deployment, status: DeploymentStatus, now: Instant): Outcome {
  const current = conditionOf(deployment.status, "Progressing");
  if (!hasProgressDeadline(deployment) || current === undefined) return done("Synced");
  if (isComplete(deployment, status)) return done("Complete");
  if (current.reason === "ProgressDeadlineExceeded") return done("ProgressDeadlineExceeded");
  const leftMs = deadlineOf(deployment, current) - now;
  if (leftMs >= 1000) return wait("Progressing", leftMs + 1000);
  // A rollout that was complete once never times out, so upstream checks it over and over.
  const mayTimeOut = current.reason !== "NewReplicaSetAvailable";
  return wait("Progressing", mayTimeOut ? Math.max(leftMs, 0) + rateLimitMs : 1000);
}

/** Returns `otherwise` if the status is unchanged. Otherwise writes it, which queues the Deployment again. */
function* writeStatus(
  deployment: Deployment,
  status: DeploymentStatus,
  otherwise: Outcome,
): Task<Outcome> {
  if (deepEqual(deployment.status, status)) return otherwise;
  const written = yield* updateStatus<"Deployment">({ ...deployment, status });
  return written.ok ? done("StatusUpdated") : retry(written.error.message);
}
