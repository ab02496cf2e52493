/**
 * The claims of a pod, by what has to happen to them. Upstream: kube-scheduler v1.36 plugins/volumebinding/binder.go
 * GetPodVolumeClaims; volume_binding.go podHasPVCs.
 */
import { makeKey } from "../../api/meta.ts";
import type { PersistentVolumeClaim, Pod, StorageClass } from "../../api/types.ts";
import { annotation, hasAnnotation } from "../../matching/annotations.ts";
import { claimNameOf, isClaimForPod } from "../../matching/pod-claims.ts";
import { bindingMode } from "../../matching/storage-class.ts";
import type { VolumeCaches } from "./volume-caches.ts";

export interface PodClaims {
  readonly bound: readonly PersistentVolumeClaim[];
  /** Unbound claims that are bound once the pod has a node. */
  readonly delayed: readonly PersistentVolumeClaim[];
  /** Unbound claims that the PV controller has to bind first. */
  readonly immediate: readonly PersistentVolumeClaim[];
}

export type PodClaimsAnswer =
  | { readonly ok: true; readonly claims: PodClaims }
  | { readonly ok: false; readonly claimName: string; readonly error: string };

/** True once the PV controller is done with the claim; its phase does not count. */
export function isFullyBound(claim: PersistentVolumeClaim): boolean {
  return (claim.spec.volumeName ?? "") !== "" && hasAnnotation(claim, annotation.bindCompleted);
}

/** Undefined if the pod has no claims. */
export function podClaims(
  pod: Pod,
  caches: VolumeCaches,
  classOf: (name: string) => StorageClass | undefined,
): PodClaimsAnswer | undefined {
  const bound: PersistentVolumeClaim[] = [];
  const delayed: PersistentVolumeClaim[] = [];
  const immediate: PersistentVolumeClaim[] = [];
  let hasClaims = false;
  for (const volume of pod.spec.volumes ?? []) {
    const name = claimNameOf(pod, volume);
    if (name === undefined) continue;
    hasClaims = true;
    const claim = caches.claim(makeKey(pod.metadata.namespace, name));
    const error = claimError(pod, name, volume.ephemeral !== undefined, claim);
    if (claim === undefined || error !== undefined)
      return { ok: false, claimName: name, error: error ?? "" };
    if (isFullyBound(claim)) bound.push(claim);
    else if (isDelayed(claim, classOf)) delayed.push(claim);
    else immediate.push(claim);
  }
  return hasClaims ? { ok: true, claims: { bound, delayed, immediate } } : undefined;
}

/** A claim with a volumeName does not wait for a pod. */
function isDelayed(
  claim: PersistentVolumeClaim,
  classOf: (name: string) => StorageClass | undefined,
): boolean {
  if ((claim.spec.volumeName ?? "") !== "") return false;
  const mode = bindingMode(claim, classOf);
  return mode.ok && mode.delayed;
}

function claimError(
  pod: Pod,
  name: string,
  isEphemeral: boolean,
  claim: PersistentVolumeClaim | undefined,
): string | undefined {
  if (claim === undefined) {
    return isEphemeral
      ? `waiting for ephemeral volume controller to create the persistentvolumeclaim "${name}"`
      : `persistentvolumeclaim "${name}" not found`;
  }
  if (claim.status?.phase === "Lost") {
    return `persistentvolumeclaim "${name}" bound to non-existent persistentvolume "${claim.spec.volumeName ?? ""}"`;
  }
  if (claim.metadata.deletionTimestamp !== undefined) {
    return `persistentvolumeclaim "${name}" is being deleted`;
  }
  if (isEphemeral && !isClaimForPod(claim, pod)) {
    const { namespace = "" } = claim.metadata;
    return `PVC ${namespace}/${name} was not created for pod ${namespace}/${pod.metadata.name} (pod is not owner)`;
  }
  return undefined;
}
