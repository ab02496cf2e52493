/**
 * The claim that a volume belongs to, by its spec.claimRef. Upstream: component-helpers v0.36 storage/volume/pv_helpers.go
 * IsVolumeBoundToClaim; pkg/controller/volume/persistentvolume/pv_controller.go.
 */
import { type Key, makeKey } from "../api/meta.ts";
import type { ObjectReference, PersistentVolume, PersistentVolumeClaim } from "../api/types.ts";

let lastReference: ObjectReference | undefined;
let lastKey: Key = "";

/** Returns the key of the claim that the volume names, whether or not the claim exists; undefined without a claimRef. */
export function claimKeyOf(volume: PersistentVolume): Key | undefined {
  const { claimRef } = volume.spec;
  if (claimRef === undefined) return undefined;
  // Remembered because all handlers of a volume's change ask for it in a row.
  if (claimRef !== lastReference) {
    lastReference = claimRef;
    lastKey = makeKey(claimRef.namespace, claimRef.name ?? "");
  }
  return lastKey;
}

/** True if the claimRef names this claim, with its uid or without any. */
export function isVolumeBoundToClaim(
  volume: PersistentVolume,
  claim: PersistentVolumeClaim,
): boolean {
  const { claimRef } = volume.spec;
  if (claimRef === undefined) return false;
  if (claimRef.name !== claim.metadata.name || claimRef.namespace !== claim.metadata.namespace)
    return false;
  return !hasClaimUid(volume) || claimRef.uid === claim.metadata.uid;
}

/** False if the volume is free or only reserved by name. */
export function hasClaimUid(volume: PersistentVolume): boolean {
  const uid = volume.spec.claimRef?.uid;
  return uid !== undefined && uid !== "";
}
