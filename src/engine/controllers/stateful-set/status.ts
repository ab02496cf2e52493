/**
 * Counts of a StatefulSet's pods. Upstream: pkg/controller/statefulset/stateful_set_control.go computeReplicaStatus and
 * stateful_set_utils.go completeRollingUpdate, isUnavailable v1.36.
 */
import type { StatefulSetStatus } from "../../api/types.ts";
import { replicasOf } from "../../matching/ordinals.ts";
import { isPodReady } from "../../matching/pod-condition.ts";
import type { Instant } from "../../trace/instant.ts";
import { isPodAvailable, isTerminating } from "../workload/pod-status.ts";
import type { Pod, StatefulSet } from "./identity.ts";
import { podRevision, type Revisions } from "./revisions.ts";

export function isRunningAndReady(pod: Pod): boolean {
  return pod.status?.phase === "Running" && isPodReady(pod);
}

export function isRunningAndAvailable(set: StatefulSet, pod: Pod, now: Instant): boolean {
  return isPodAvailable(pod, set.spec?.minReadySeconds ?? 0, now);
}

/** A missing pod is unavailable too. */
export function isUnavailable(set: StatefulSet, pod: Pod | undefined, now: Instant): boolean {
  return pod === undefined || isTerminating(pod) || !isRunningAndAvailable(set, pod, now);
}

/** Upstream until 1.33: the opposite of isHealthy, which ignores minReadySeconds. */
export function isUnhealthy(pod: Pod | undefined): boolean {
  return pod === undefined || isTerminating(pod) || !isRunningAndReady(pod);
}

export function statefulSetStatus(
  set: StatefulSet,
  pods: readonly Pod[],
  revisions: Revisions,
  now: Instant,
): StatefulSetStatus {
  const current = revisions.current.metadata.name;
  const update = revisions.update.metadata.name;
  let [ready, available, ofCurrent, ofUpdate] = [0, 0, 0, 0];
  for (const pod of pods) {
    if (isRunningAndReady(pod)) {
      ready++;
      if (isRunningAndAvailable(set, pod, now)) available++;
    }
    if (isTerminating(pod)) continue;
    if (podRevision(pod) === current) ofCurrent++;
    if (podRevision(pod) === update) ofUpdate++;
  }
  return {
    observedGeneration: set.metadata.generation ?? 1,
    replicas: pods.length,
    ...(ready > 0 && { readyReplicas: ready }),
    availableReplicas: available,
    ...(ofCurrent > 0 && { currentReplicas: ofCurrent }),
    ...(ofUpdate > 0 && { updatedReplicas: ofUpdate }),
    currentRevision: current,
    updateRevision: update,
    collisionCount: revisions.collisionCount,
  };
}

/** Counts one pod of the current revision less, because its deletion was just requested. */
export function withFewerCurrent(status: StatefulSetStatus): StatefulSetStatus {
  const { currentReplicas = 0, ...rest } = status;
  return currentReplicas === 1 ? rest : { ...rest, currentReplicas: currentReplicas - 1 };
}

/** Once all pods have the update revision, it becomes the current one. */
export function withRolloutCompleted(
  set: StatefulSet,
  status: StatefulSetStatus,
): StatefulSetStatus {
  const wanted = replicasOf(set);
  const isDone =
    (set.spec?.updateStrategy?.type ?? "RollingUpdate") === "RollingUpdate" &&
    (status.updatedReplicas ?? 0) === wanted &&
    (status.readyReplicas ?? 0) === wanted &&
    status.replicas === wanted;
  if (!isDone) return status;
  const { currentReplicas: _, currentRevision: __, ...rest } = status;
  return {
    ...rest,
    ...(status.updateRevision !== undefined && { currentRevision: status.updateRevision }),
    ...(wanted > 0 && { currentReplicas: wanted }),
  };
}
