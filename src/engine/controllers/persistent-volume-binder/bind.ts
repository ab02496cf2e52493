/**
 * Binds a claim and a volume in up to four writes, the volume's first. A crash in between leaves the volume reserved for the
 * claim, and the next sync completes the binding; in the other order the claim would name a volume that any claim can take.
 * Upstream: pv_controller.go bind, bindVolumeToClaim, bindClaimToVolume, unbindVolume; component-helpers v0.36
 * storage/volume/pv_helpers.go GetBindVolumeToClaim.
 */
import { withFields } from "../../api/json.ts";
import type { Result } from "../../api/meta.ts";
import type { PersistentVolume, PersistentVolumeClaim } from "../../api/types.ts";
import {
  annotation,
  hasAnnotation,
  withAnnotations,
  withoutAnnotation,
} from "../../matching/annotations.ts";
import { withClaimRef } from "../../matching/volume-binding.ts";
import type { Task } from "../../runtime/effects.ts";
import { type Binder, failed, type SyncEnd, settled } from "./binder.ts";
import { saveClaim, saveVolume } from "./saves.ts";
import { updateClaimStatus, updateVolumePhase } from "./status.ts";

export function* bind(
  binder: Binder,
  volume: PersistentVolume,
  claim: PersistentVolumeClaim,
): Task<SyncEnd> {
  const wanted = withClaimRef(volume, claim);
  const reserved: Result<PersistentVolume> =
    wanted === volume ? { ok: true, object: volume } : yield* saveVolume(binder, wanted);
  if (!reserved.ok) return failed(reserved.error);
  const boundVolume = yield* updateVolumePhase(binder, reserved.object, "Bound", "");
  if (!boundVolume.ok) return failed(boundVolume.error);
  const named = withVolumeName(claim, boundVolume.object);
  const written: Result<PersistentVolumeClaim> =
    named === claim ? { ok: true, object: claim } : yield* saveClaim(binder, named);
  if (!written.ok) return failed(written.error);
  const boundClaim = yield* updateClaimStatus(binder, written.object, "Bound", boundVolume.object);
  return boundClaim.ok ? settled("Bound") : failed(boundClaim.error);
}

/** Returns the claim bound to the volume; adds bound-by-controller only if the claim did not name the volume itself. */
function withVolumeName(
  claim: PersistentVolumeClaim,
  volume: PersistentVolume,
): PersistentVolumeClaim {
  const { name } = volume.metadata;
  const isNamed = claim.spec.volumeName === name;
  const next = isNamed
    ? claim
    : withFields(claim, { spec: withFields(claim.spec, { volumeName: name }) });
  const added = [
    ...(isNamed ? [] : [annotation.boundByController]),
    annotation.bindCompleted,
  ].filter((key) => !hasAnnotation(claim, key));
  if (added.length === 0) return next;
  return withAnnotations(next, Object.fromEntries(added.map((key) => [key, "yes"])));
}

/** Frees the volume. If a user had reserved it, the reservation stays and only the claim's uid is removed. */
export function* unbind(binder: Binder, volume: PersistentVolume): Task<SyncEnd> {
  const saved = yield* saveVolume(binder, withoutClaim(volume));
  if (!saved.ok) return failed(saved.error);
  const available = yield* updateVolumePhase(binder, saved.object, "Available", "");
  return available.ok ? settled("Available") : failed(available.error);
}

function withoutClaim(volume: PersistentVolume): PersistentVolume {
  const { claimRef, ...spec } = volume.spec;
  if (claimRef === undefined) return volume;
  if (hasAnnotation(volume, annotation.boundByController)) {
    return withoutAnnotation({ ...volume, spec }, annotation.boundByController);
  }
  const { uid: _, ...reservation } = claimRef;
  return { ...volume, spec: { ...spec, claimRef: reservation } };
}
