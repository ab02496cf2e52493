/**
 * The status of a ReplicaSet or ReplicationController. Upstream: pkg/controller/replicaset/replica_set_utils.go
 * calculateStatus v1.36.
 */
import type { KubeObject } from "../../api/meta.ts";
import { timestamp } from "../../api/timestamp.ts";
import type { ReplicaSetCondition, ReplicaSetStatus } from "../../api/types.ts";
import { isPodReady } from "../../matching/pod-condition.ts";
import type { Instant } from "../../trace/instant.ts";
import { isPodAvailable } from "../workload/pod-status.ts";

type Pod = KubeObject<"Pod">;

export interface StatusInput {
  readonly current: ReplicaSetStatus | undefined;
  readonly generation: number;
  readonly minReadySeconds: number;
  readonly templateLabels: Readonly<Record<string, string>>;
  readonly active: readonly Pod[];
  /** Undefined if terminating pods are not counted. */
  readonly terminatingCount: number | undefined;
  /** Why pods could not be created or deleted in this round. */
  readonly failure:
    | { readonly reason: "FailedCreate" | "FailedDelete"; readonly message: string }
    | undefined;
  readonly now: Instant;
}

export function replicaSetStatus(input: StatusInput): ReplicaSetStatus {
  const { active, minReadySeconds, templateLabels, now } = input;
  let fullyLabeled = 0;
  let ready = 0;
  let available = 0;
  for (const pod of active) {
    if (hasLabels(pod, templateLabels)) fullyLabeled++;
    if (isPodReady(pod)) ready++;
    if (isPodAvailable(pod, minReadySeconds, now)) available++;
  }
  const conditions = withFailure(input.current?.conditions ?? [], input);
  return {
    replicas: active.length,
    ...(fullyLabeled > 0 && { fullyLabeledReplicas: fullyLabeled }),
    ...(ready > 0 && { readyReplicas: ready }),
    ...(available > 0 && { availableReplicas: available }),
    ...(input.terminatingCount !== undefined && { terminatingReplicas: input.terminatingCount }),
    observedGeneration: input.generation,
    ...(conditions.length > 0 && { conditions }),
  };
}

function hasLabels(pod: Pod, labels: Readonly<Record<string, string>>): boolean {
  return Object.entries(labels).every(([key, value]) => pod.metadata.labels?.[key] === value);
}

function withFailure(
  current: readonly ReplicaSetCondition[],
  { failure, now }: StatusInput,
): readonly ReplicaSetCondition[] {
  const known = current.find((condition) => condition.type === "ReplicaFailure");
  if (failure === undefined) return current.filter((condition) => condition !== known);
  if (known !== undefined) return current;
  const condition: ReplicaSetCondition = {
    type: "ReplicaFailure",
    status: "True",
    lastTransitionTime: timestamp(now),
    reason: failure.reason,
    message: failure.message,
  };
  return [...current, condition];
}
