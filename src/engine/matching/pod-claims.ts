/**
 * The claims that a pod uses. Upstream: component-helpers v0.36 storage/ephemeral/ephemeral.go; pkg/controller/volume/common
 * PodPVCIndexFunc.
 */
import { controllerOf, type Key, makeKey } from "../api/meta.ts";
import type { PersistentVolumeClaim, Pod, Volume } from "../api/types.ts";

/** Returns the name of the claim behind a volume of the pod; undefined if the volume has no claim. */
export function claimNameOf(pod: Pod, volume: Volume): string | undefined {
  if (volume.persistentVolumeClaim !== undefined) return volume.persistentVolumeClaim.claimName;
  return volume.ephemeral === undefined ? undefined : ephemeralClaimName(pod, volume);
}

export function ephemeralClaimName(pod: Pod, volume: Volume): string {
  return `${pod.metadata.name}-${volume.name}`;
}

/** True if the pod controls the claim. Upstream: VolumeIsForPod. */
export function isClaimForPod(claim: PersistentVolumeClaim, pod: Pod): boolean {
  return (
    claim.metadata.namespace === pod.metadata.namespace &&
    controllerOf(claim)?.uid === pod.metadata.uid
  );
}

/** Returns the keys of all claims behind the pod's volumes, with the computed names of ephemeral ones. */
export function claimKeysOf(pod: Pod): readonly Key[] {
  const keys: Key[] = [];
  for (const volume of pod.spec.volumes ?? []) {
    const name = claimNameOf(pod, volume);
    if (name !== undefined) keys.push(makeKey(pod.metadata.namespace, name));
  }
  return keys;
}

/** Name of the informer index of pods by the claims they use; shared by all components. */
export const podsByClaim = "claim";
