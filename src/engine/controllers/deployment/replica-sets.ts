/**
 * Finds or creates the ReplicaSet of the Deployment's current template. Upstream: pkg/controller/deployment/sync.go
 * getAllReplicaSetsAndSyncRevision, getNewReplicaSet and util FindNewReplicaSet, NewRSNewReplicas v1.36.
 */

import { deepEqual } from "../../api/json.ts";
import {
  type ApiError,
  controllerOf,
  type Draft,
  type KubeObject,
  type Result,
  refOf,
} from "../../api/meta.ts";
import { semanticEqual } from "../../api/semantic-equal.ts";
import type { DeploymentCondition, DeploymentStatus, PodTemplateSpec } from "../../api/types.ts";
import { revisionKey } from "../../matching/deployment-revision.ts";
import { hasProgressDeadline } from "../../matching/progress-deadline.ts";
import { create, event, getLive, type Task, update, updateStatus } from "../../runtime/effects.ts";
import { done, type Outcome, retry } from "../../runtime/outcome.ts";
import type { KubernetesVersion } from "../../scenario.ts";
import { shortensReplicaSetNames } from "../../version-differences.ts";
import { byCreation } from "../workload/creation-order.ts";
import { isNamespaceTerminating } from "../workload/namespace-terminating.ts";
import { controllerReference } from "../workload/pod-template.ts";
import { templateHash } from "../workload/template-hash.ts";
import { maxRevision, newSetAnnotations } from "./annotations.ts";
import { condition, conditionOf, withCondition } from "./conditions.ts";
import { isRolling, maxSurge, replicasOf } from "./fenceposts.ts";
import { allSets, type Clock, type Rollout, sum } from "./status.ts";

type Deployment = KubeObject<"Deployment">;
type ReplicaSet = KubeObject<"ReplicaSet">;

/** The Deployment with its revision written, and its ReplicaSets. */
export interface Synced {
  readonly deployment: Deployment;
  readonly rollout: Rollout;
}

const hashLabel = "pod-template-hash";
/** Upstream: DNS1123SubdomainMaxLength. */
const subdomainBytesMax = 253;

/** Prefix of a sync's error if the API server refused the new set. */
export const creationFailure = "Failed to create new replica set";

/** Splits the sets into new and old and updates revisions. Upstream: getAllReplicaSetsAndSyncRevision. */
export function* syncRevision(
  deployment: Deployment,
  sets: readonly ReplicaSet[],
  clock: Clock,
): Task<Result<Synced>> {
  const oldestFirst = [...sets].sort(byCreation);
  const existing = oldestFirst.find((set) =>
    equalIgnoringHash(set.spec?.template, deployment.spec?.template),
  );
  const oldSets = oldestFirst.filter((set) => set !== existing);
  return existing === undefined
    ? { ok: true, object: { deployment, rollout: { newSet: undefined, oldSets } } }
    : yield* syncExisting(deployment, existing, oldSets, clock);
}

/** Like syncRevision, but creates the new set if there is none. */
export function* syncNewSet(
  deployment: Deployment,
  sets: readonly ReplicaSet[],
  clock: Clock,
): Task<Result<Synced>> {
  const synced = yield* syncRevision(deployment, sets, clock);
  if (!synced.ok || synced.object.rollout.newSet !== undefined) return synced;
  return yield* createNew(deployment, synced.object.rollout.oldSets, clock);
}

/** Retries, except in a terminating namespace. Upstream: handleErr. */
export function afterFailure(error: ApiError): Outcome {
  return isNamespaceTerminating(error) ? done("NamespaceTerminating") : retry(error.message);
}

function nextRevision(oldSets: readonly ReplicaSet[]): bigint {
  return maxRevision(oldSets) + 1n;
}

/** Compares quantities by value. Upstream: EqualIgnoreHash. */
function equalIgnoringHash(
  a: PodTemplateSpec | undefined,
  b: PodTemplateSpec | undefined,
): boolean {
  return semanticEqual(withoutHash(a), withoutHash(b));
}

function withoutHash(template: PodTemplateSpec | undefined): unknown {
  const labels = template?.metadata?.labels ?? {};
  const kept = Object.entries(labels).filter(([key]) => key !== hashLabel);
  return { ...template, metadata: { ...template?.metadata, labels: Object.fromEntries(kept) } };
}

function* syncExisting(
  deployment: Deployment,
  existing: ReplicaSet,
  oldSets: readonly ReplicaSet[],
  clock: Clock,
): Task<Result<Synced>> {
  const annotations = newSetAnnotations(deployment, existing, nextRevision(oldSets));
  const minReadySeconds = deployment.spec?.minReadySeconds;
  const { minReadySeconds: current, ...spec } = existing.spec ?? { selector: {} };
  if (
    !deepEqual(annotations, existing.metadata.annotations ?? {}) ||
    (current ?? 0) !== (minReadySeconds ?? 0)
  ) {
    const updated = yield* update<"ReplicaSet">({
      ...existing,
      metadata: { ...existing.metadata, annotations },
      spec: { ...spec, ...(minReadySeconds !== undefined && { minReadySeconds }) },
    });
    return updated.ok
      ? { ok: true, object: { deployment, rollout: { newSet: updated.object, oldSets } } }
      : updated;
  }
  const found =
    hasProgressDeadline(deployment) && conditionOf(deployment.status, "Progressing") === undefined
      ? condition(
          "Progressing",
          "True",
          "FoundNewReplicaSet",
          `Found new replica set "${existing.metadata.name}"`,
          clock.now,
        )
      : undefined;
  const noted = yield* note(deployment, annotations[revisionKey] ?? "", found);
  return noted.ok
    ? { ok: true, object: { deployment: noted.object, rollout: { newSet: existing, oldSets } } }
    : noted;
}

/** Writes revision and condition to the Deployment if they differ. The status endpoint accepts annotations too. */
function* note(
  deployment: Deployment,
  revision: string,
  progressing: DeploymentCondition | undefined,
): Task<Result<Deployment>> {
  const { metadata, status } = deployment;
  const isNoted = metadata.annotations?.[revisionKey] === revision;
  if (isNoted && progressing === undefined) return { ok: true, object: deployment };
  return yield* updateStatus<"Deployment">({
    ...deployment,
    metadata: { ...metadata, annotations: { ...metadata.annotations, [revisionKey]: revision } },
    ...(progressing !== undefined && { status: withProgressing(status, progressing) }),
  });
}

function withProgressing(
  status: DeploymentStatus | undefined,
  progressing: DeploymentCondition,
): DeploymentStatus {
  return { ...status, conditions: withCondition(status?.conditions ?? [], progressing) };
}

/** Upstream: NewRSNewReplicas. */
export function newSetReplicas(
  deployment: Deployment,
  sets: readonly ReplicaSet[],
  current: number,
): number {
  const replicas = replicasOf(deployment);
  if (!isRolling(deployment)) return replicas;
  const room = replicas + maxSurge(deployment) - sum(sets, replicasOf);
  return room <= 0 ? current : current + Math.min(room, replicas - current);
}

function newSetDraft(
  deployment: Deployment,
  replicas: number,
  revision: bigint,
  version: KubernetesVersion,
): Draft<"ReplicaSet"> {
  const { namespace, name } = deployment.metadata;
  const template = deployment.spec?.template ?? {};
  const hash = templateHash(template, deployment.status?.collisionCount);
  const labels = { ...template.metadata?.labels, [hashLabel]: hash };
  const selector = deployment.spec?.selector ?? {};
  const minReadySeconds = deployment.spec?.minReadySeconds;
  return {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: {
      name: replicaSetName(name, hash, version),
      ...(namespace !== undefined && { namespace }),
      labels,
      annotations: newSetAnnotations(deployment, undefined, revision),
      ownerReferences: [controllerReference(deployment)],
    },
    spec: {
      replicas,
      ...(minReadySeconds !== undefined && { minReadySeconds }),
      selector: { ...selector, matchLabels: { ...selector.matchLabels, [hashLabel]: hash } },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  };
}

function replicaSetName(deployment: string, hash: string, version: KubernetesVersion): string {
  const end = `-${hash}`;
  const kept = shortensReplicaSetNames(version)
    ? deployment.slice(0, subdomainBytesMax - end.length)
    : deployment;
  return kept + end;
}

function* createNew(
  deployment: Deployment,
  oldSets: readonly ReplicaSet[],
  clock: Clock,
): Task<Result<Synced>> {
  const revision = nextRevision(oldSets);
  const replicas = newSetReplicas(deployment, oldSets, 0);
  const draft = newSetDraft(deployment, replicas, revision, clock.version);
  const name = draft.metadata.name ?? "";
  const created = yield* create<"ReplicaSet">(draft);
  let newSet: ReplicaSet;
  if (created.ok) {
    newSet = created.object;
    if (replicas > 0)
      yield* event(
        refOf(deployment),
        "Normal",
        "ScalingReplicaSet",
        `Scaled up replica set ${name} from 0 to ${replicas}`,
      );
  } else if (created.error.reason === "AlreadyExists") {
    const mine = yield* takeExisting(deployment, name);
    if (!mine.ok) return mine;
    newSet = mine.object;
  } else {
    if (isNamespaceTerminating(created.error)) return created;
    const message = `${creationFailure} "${name}": ${created.error.message}`;
    yield* reportFailure(deployment, message, clock);
    return { ok: false, error: { ...created.error, message } };
  }
  const text = `Created new replica set "${name}"`;
  const progressing =
    created.ok && hasProgressDeadline(deployment)
      ? condition("Progressing", "True", "NewReplicaSetCreated", text, clock.now)
      : undefined;
  const noted = yield* note(deployment, String(revision), progressing);
  return noted.ok
    ? { ok: true, object: { deployment: noted.object, rollout: { newSet, oldSets } } }
    : noted;
}

/** Returns the existing set if it is ours (the cache was behind). Otherwise salts the hash for the next attempt, and fails. */
function* takeExisting(deployment: Deployment, name: string): Task<Result<ReplicaSet>> {
  const live = yield* getLive("ReplicaSet", deployment.metadata.namespace, name);
  if (!live.ok) return live;
  const isOurs = controllerOf(live.object)?.uid === deployment.metadata.uid;
  if (isOurs && equalIgnoringHash(live.object.spec?.template, deployment.spec?.template))
    return live;
  const status = {
    ...deployment.status,
    collisionCount: (deployment.status?.collisionCount ?? 0) + 1,
  };
  yield* updateStatus<"Deployment">({ ...deployment, status });
  return {
    ok: false,
    error: {
      code: 409,
      reason: "AlreadyExists",
      message: `replicasets.apps "${name}" already exists`,
    },
  };
}

function* reportFailure(deployment: Deployment, text: string, clock: Clock): Task {
  if (hasProgressDeadline(deployment)) {
    const failed = condition("Progressing", "False", "ReplicaSetCreateError", text, clock.now);
    yield* updateStatus<"Deployment">({
      ...deployment,
      status: withProgressing(deployment.status, failed),
    });
  }
  yield* event(refOf(deployment), "Warning", "ReplicaSetCreateError", text);
}

/** All sets whose spec asks for pods. */
export function activeSets(rollout: Rollout): readonly ReplicaSet[] {
  return allSets(rollout).filter((set) => replicasOf(set) > 0);
}
