/** Which pods a StatefulSet's size asks for. Upstream: pkg/controller/statefulset/stateful_set_utils.go v1.36. */
import type { KubeObject } from "../api/meta.ts";

type StatefulSet = KubeObject<"StatefulSet">;

/** The set's name and the ordinal that a pod's name spells; ordinal -1 where it spells none. */
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

/** True while the set's size asks for this pod; false for one that is scaled away. */
export function isInOrdinalRange(set: StatefulSet, podName: string): boolean {
  const { ordinal } = parentAndOrdinal(podName);
  return ordinal >= startOrdinal(set) && ordinal < startOrdinal(set) + replicasOf(set);
}
