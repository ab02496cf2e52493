/**
 * The volume's half of a binding, written by the PV controller or, if the class waits for its first consumer, by the scheduler.
 * Upstream: component-helpers v0.36 storage/volume/pv_helpers.go GetBindVolumeToClaim.
 */
import type { ObjectReference, PersistentVolume, PersistentVolumeClaim } from "../api/types.ts";
import { annotation, hasAnnotation, withAnnotations } from "./annotations.ts";
import { isVolumeBoundToClaim } from "./claim-reference.ts";

/** Returns the volume with the claim as its owner; the same object if it already is. */
export function withClaimRef(
  volume: PersistentVolume,
  claim: PersistentVolumeClaim,
): PersistentVolume {
  const { claimRef } = volume.spec;
  const { name, namespace, uid } = claim.metadata;
  const isComplete =
    claimRef?.name === name && claimRef.namespace === namespace && claimRef.uid === uid;
  const isReserved = isVolumeBoundToClaim(volume, claim);
  const next = isComplete
    ? volume
    : { ...volume, spec: { ...volume.spec, claimRef: claimReference(claim) } };
  // A volume that a user reserved for the claim does not count as bound by the controller.
  return isReserved || hasAnnotation(volume, annotation.boundByController)
    ? next
    : withAnnotations(next, { [annotation.boundByController]: "yes" });
}

/** Returns a reference to the claim. Its resourceVersion is the current one and is never refreshed. */
export function claimReference(claim: PersistentVolumeClaim): ObjectReference {
  const { name, namespace, uid, resourceVersion } = claim.metadata;
  return {
    kind: "PersistentVolumeClaim",
    apiVersion: "v1",
    ...(namespace !== undefined && { namespace }),
    name,
    uid,
    resourceVersion,
  };
}
