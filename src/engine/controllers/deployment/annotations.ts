/**
 * Annotations on a Deployment and its ReplicaSets. Upstream: pkg/controller/deployment/util/deployment_util.go
 * SetNewReplicaSetAnnotations, SetReplicasAnnotations, copyDeploymentAnnotationsToReplicaSet, MaxRevision v1.36.
 */
import type { KubeObject } from "../../api/meta.ts";
import { revisionKey } from "../../matching/deployment-revision.ts";
import { maxSurge, replicasOf } from "./fenceposts.ts";

type Deployment = KubeObject<"Deployment">;
type ReplicaSet = KubeObject<"ReplicaSet">;
type Annotations = Readonly<Record<string, string>>;

const revisionHistoryKey = "deployment.kubernetes.io/revision-history";
const desiredReplicasKey = "deployment.kubernetes.io/desired-replicas";
const maxReplicasKey = "deployment.kubernetes.io/max-replicas";

const notCopied: ReadonlySet<string> = new Set([
  "kubectl.kubernetes.io/last-applied-configuration",
  revisionKey,
  revisionHistoryKey,
  desiredReplicasKey,
  maxReplicasKey,
  "deprecated.deployment.rollback.to",
]);

/** A bigint, since revisions have 64 bits; 0 if the set has no valid one. */
export function revisionOf(set: ReplicaSet): bigint {
  return revisionIn(set.metadata.annotations?.[revisionKey]) ?? 0n;
}

export function maxRevision(sets: readonly ReplicaSet[]): bigint {
  let max = 0n;
  for (const set of sets) if (revisionOf(set) > max) max = revisionOf(set);
  return max;
}

function revisionIn(text: string | undefined): bigint | undefined {
  if (text === undefined || !/^[+-]?[0-9]+$/.test(text)) return undefined;
  const revision = BigInt(text.replace("+", ""));
  return BigInt.asIntN(64, revision) === revision ? revision : undefined;
}

/** Annotations for the new ReplicaSet; `set` is undefined if it is still to be created. */
export function newSetAnnotations(
  deployment: Deployment,
  set: ReplicaSet | undefined,
  revision: bigint,
): Annotations {
  const current = set?.metadata.annotations ?? {};
  const copied = Object.entries(deployment.metadata.annotations ?? {}).filter(
    ([key]) => !notCopied.has(key),
  );
  const annotations: Record<string, string> = { ...current, ...Object.fromEntries(copied) };
  const before = current[revisionKey];
  const isOlder = before === "" || (revisionIn(before) ?? revision) < revision;
  if (before === undefined || isOlder) {
    annotations[revisionKey] = String(revision);
    if (before !== undefined) {
      const history = current[revisionHistoryKey] ?? "";
      annotations[revisionHistoryKey] = history === "" ? before : `${history},${before}`;
    }
  }
  return set === undefined ? withReplicas(annotations, deployment) : annotations;
}

/** Adds the Deployment's size, to be compared when it changes. */
export function withReplicas(
  annotations: Annotations | undefined,
  deployment: Deployment,
): Annotations {
  const replicas = replicasOf(deployment);
  return {
    ...annotations,
    [desiredReplicasKey]: String(replicas),
    [maxReplicasKey]: String(replicas + maxSurge(deployment)),
  };
}

export function desiredReplicas(set: ReplicaSet): number | undefined {
  return integer(set.metadata.annotations?.[desiredReplicasKey]);
}

export function maxReplicas(set: ReplicaSet): number | undefined {
  return integer(set.metadata.annotations?.[maxReplicasKey]);
}

function integer(text: string | undefined): number | undefined {
  return text !== undefined && /^-?[0-9]+$/.test(text) ? Number(text) : undefined;
}
