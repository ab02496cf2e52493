/**
 * The counts of pods in a status. Upstream: ValidateDeploymentStatusUpdate, ValidateReplicaSetStatus,
 * ValidateReplicationControllerStatus, ValidateStatefulSetStatusUpdate, ValidateDaemonSetStatusUpdate, v1.36; the counts in
 * validateJobStatus and ValidatePodDisruptionBudgetStatusUpdate.
 */
import type { FieldErrors } from "../field-error.ts";
import { statusPath } from "../field-path.ts";
import { type Kind, type KubeObject, specAndStatus } from "../meta.ts";
import { validateNonNegative } from "./workload.ts";

interface Rules {
  readonly counts: readonly string[];
  /** Counts that must not be greater than replicas. */
  readonly parts?: readonly string[];
  /** The server's name for the ready pods; availableReplicas must not be greater than their number. */
  readonly ready?: string;
}

const rules: { readonly [K in Kind]?: Rules } = {
  Deployment: {
    counts: [
      "observedGeneration",
      "replicas",
      "updatedReplicas",
      "readyReplicas",
      "availableReplicas",
      "unavailableReplicas",
      "terminatingReplicas",
      "collisionCount",
    ],
    parts: ["updatedReplicas", "readyReplicas", "availableReplicas"],
    ready: "readyReplicas",
  },
  ReplicaSet: replicaRules("observedGeneration", "terminatingReplicas"),
  ReplicationController: replicaRules("observedGeneration"),
  StatefulSet: {
    counts: [
      "replicas",
      "readyReplicas",
      "currentReplicas",
      "updatedReplicas",
      "availableReplicas",
      "observedGeneration",
      "collisionCount",
    ],
    parts: ["readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"],
    ready: "status.readyReplicas",
  },
  DaemonSet: {
    counts: [
      "currentNumberScheduled",
      "numberMisscheduled",
      "desiredNumberScheduled",
      "numberReady",
      "observedGeneration",
      "updatedNumberScheduled",
      "numberAvailable",
      "numberUnavailable",
      "collisionCount",
    ],
  },
  Job: { counts: ["active", "succeeded", "failed", "ready", "terminating"] },
  PodDisruptionBudget: {
    counts: ["disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"],
  },
};

function replicaRules(...others: readonly string[]): Rules {
  const parts = ["fullyLabeledReplicas", "readyReplicas", "availableReplicas"];
  return { counts: ["replicas", ...parts, ...others], parts, ready: "readyReplicas" };
}

type Counts = Readonly<Record<string, number | undefined>>;

function countsOf(object: KubeObject): Counts {
  return (specAndStatus(object).status ?? {}) as Counts;
}

export function validateCounts(next: KubeObject, old: KubeObject, errors: FieldErrors): void {
  const own = rules[next.kind];
  if (own === undefined) return;
  const status = countsOf(next);
  for (const field of own.counts)
    validateNonNegative(status[field], statusPath.child(field), errors);
  for (const field of own.parts ?? []) {
    const count = status[field] ?? 0;
    if (count > (status["replicas"] ?? 0))
      errors.invalid(statusPath.child(field), count, "cannot be greater than status.replicas");
  }
  const { availableReplicas: available = 0, readyReplicas: ready = 0 } = status;
  if (own.ready !== undefined && available > ready)
    errors.invalid(
      statusPath.child("availableReplicas"),
      available,
      `cannot be greater than ${own.ready}`,
    );
  const { collisionCount } = countsOf(old);
  if (collisionCount === undefined || (status["collisionCount"] ?? -1) >= collisionCount) return;
  const path = statusPath.child("collisionCount");
  errors.invalid(path, status["collisionCount"] ?? 0, "cannot be decremented");
}
