/** The ordinals of a StatefulSet's pods. Upstream: pkg/controller/statefulset/stateful_set_utils.go v1.36. */
import type { KubeObject } from "../api/meta.ts";

type StatefulSet = KubeObject<"StatefulSet">;

/** Splits a pod's name into the set's name and the ordinal; ordinal -1 if there is none. */
export function parentAndOrdinal(podName: string): {
  readonly parent: string;
  readonly ordinal: number;
} {
  const match = /^(.*)-([0-9]+)$/.exec(podName);
  const ordinal = match === null ? -1 : Number(match[2]);
  return match === null || ordinal > 2_147_483_647
    ? { parent: match?.[1] ?? "", ordinal: -1 }
    : { parent: match[1] ?? "", ordinal };
}

export function startOrdinal(set: StatefulSet): number {
  return set.spec?.ordinals?.start ?? 0;
}

export function replicasOf(set: StatefulSet): number {
  return set.spec?.replicas ?? 1;
}

/** True if the pod's ordinal is within the set's replicas; false if it is scaled away. */
export function isInOrdinalRange(set: StatefulSet, podName: string): boolean {
  const { ordinal } = parentAndOrdinal(podName);
  return ordinal >= startOrdinal(set) && ordinal < startOrdinal(set) + replicasOf(set);
}
