/**
 * Decides what becomes of a volume. V1, V5b and so on label the branches, as in docs/upstream/binder.md.
 * Upstream: persistentvolume-binder, pv_controller.go syncVolume v1.36.
 */
import { keyOf, makeKey, type Result, refOf } from "../../api/meta.ts";
import type { PersistentVolume, PersistentVolumeClaim } from "../../api/types.ts";
import { annotation, hasAnnotation } from "../../matching/annotations.ts";
import { claimKeyOf, hasClaimUid } from "../../matching/claim-reference.ts";
import { volumeModeOf } from "../../matching/match-request.ts";
import { event, getLive, isNotFound, type Task } from "../../runtime/effects.ts";
import { unbind } from "./bind.ts";
import { type Binder, failed, type SyncEnd, settled, unsettled } from "./binder.ts";
import { decideVolume } from "./decisions.ts";
import { reclaimVolume } from "./reclaim.ts";
import { saveVolume } from "./saves.ts";
import { updateVolumePhase, type VolumePhase } from "./status.ts";
import { volumeUpkeep } from "./upkeep.ts";

export function* syncVolume(binder: Binder, offered: PersistentVolume): Task<SyncEnd> {
  let volume = offered;
  const kept = volumeUpkeep(volume, binder.settings.migratedDriver);
  if (kept !== volume) {
    const saved = yield* saveVolume(binder, kept);
    if (!saved.ok) return failed(saved.error);
    volume = saved.object;
  }
  if (volume.spec.claimRef === undefined || !hasClaimUid(volume)) {
    // V1, V2: free, or reserved for a claim by name.
    return yield* setPhase(binder, volume, "Available");
  }
  const known = binder.claims.get(claimKeyOf(volume) ?? "");
  const isOwn = known?.metadata.uid === volume.spec.claimRef.uid;
  const found = isOwn ? { ok: true as const, object: known } : yield* findClaim(binder, volume);
  if (!found.ok) return failed(found.error);
  const claim = found.object;
  if (claim === undefined) {
    // V4: the claim is gone.
    return yield* release(binder, volume);
  } else if ((claim.spec.volumeName ?? "") === "") {
    if (volumeModeOf(volume) !== volumeModeOf(claim)) return yield* reportModes(volume, claim);
    // V5b: the claim's sync completes the binding.
    binder.enqueueClaim(keyOf(claim));
    return unsettled("ClaimNotBoundYet");
  } else if (claim.spec.volumeName === volume.metadata.name) {
    // V6
    return yield* setPhase(binder, volume, "Bound");
  } else if (
    hasAnnotation(volume, annotation.provisionedBy) &&
    volume.spec.persistentVolumeReclaimPolicy === "Delete"
  ) {
    // V7: the claim took another volume while this one was provisioned for it.
    return yield* release(binder, volume);
  } else {
    // V8: the claim has another volume.
    decideVolume(binder, volume, "ClaimHasAnotherVolume", claim.spec.volumeName);
    return yield* unbind(binder, volume);
  }
}

function* setPhase(binder: Binder, volume: PersistentVolume, phase: VolumePhase): Task<SyncEnd> {
  const saved = yield* updateVolumePhase(binder, volume, phase, "");
  return saved.ok ? settled(phase) : failed(saved.error);
}

/** V5a: the volume names a claim of another volumeMode. */
function* reportModes(volume: PersistentVolume, claim: PersistentVolumeClaim): Task<SyncEnd> {
  yield* event(
    refOf(volume),
    "Warning",
    "VolumeMismatch",
    `Cannot bind PersistentVolume to requested PersistentVolumeClaim "${claim.metadata.name}" due to incompatible volumeMode.`,
  );
  yield* event(
    refOf(claim),
    "Warning",
    "VolumeMismatch",
    `Cannot bind PersistentVolume "${volume.metadata.name}" to requested PersistentVolumeClaim due to incompatible volumeMode.`,
  );
  return unsettled("VolumeMismatch");
}

/**
 * V3: returns the claim that the volume belongs to, or undefined if it is gone. The cached claim may be older than a binding
 * made by somebody else, and nothing must be reclaimed by mistake; hence the live reads.
 */
function* findClaim(
  binder: Binder,
  volume: PersistentVolume,
): Task<Result<PersistentVolumeClaim | undefined>> {
  const { claimRef } = volume.spec;
  const key = claimKeyOf(volume) ?? "";
  let claim = binder.claims.get(key);
  const phase = volume.status?.phase;
  if (claim === undefined && phase !== "Released" && phase !== "Failed") {
    claim = binder.claimInformer.get(key);
    if (claim === undefined) {
      const live = yield* getLive(
        "PersistentVolumeClaim",
        claimRef?.namespace,
        claimRef?.name ?? "",
      );
      if (!live.ok && !isNotFound(live.error)) return live;
      claim = live.ok ? live.object : undefined;
    }
  }
  if (claim === undefined || claim.metadata.uid === claimRef?.uid)
    return { ok: true, object: claim };
  const live = yield* getLive("PersistentVolumeClaim", claimRef?.namespace, claimRef?.name ?? "");
  if (!live.ok && !isNotFound(live.error)) return live;
  return {
    ok: true,
    object: live.ok && live.object.metadata.uid === claimRef?.uid ? live.object : undefined,
  };
}

function* release(binder: Binder, volume: PersistentVolume): Task<SyncEnd> {
  const phase = volume.status?.phase;
  if (phase === "Released" || phase === "Failed") {
    return yield* reclaimVolume(binder, volume);
  } else {
    const released = yield* updateVolumePhase(binder, volume, "Released", "");
    return released.ok ? yield* reclaimVolume(binder, released.object) : failed(released.error);
  }
}

/** Forgets a deleted volume and queues its claim, which may be Lost now. Upstream: deleteVolume. */
export function volumeDeleted(binder: Binder, volume: PersistentVolume): void {
  const { claimRef } = volume.spec;
  binder.volumes.delete(volume.metadata.name);
  if (claimRef !== undefined) binder.enqueueClaim(makeKey(claimRef.namespace, claimRef.name ?? ""));
}
