/**
 * Writes the phases and the claim's status fields. Upstream: pv_controller.go updateVolumePhase, updateVolumePhaseWithEvent,
 * updateClaimStatus, updateClaimStatusWithEvent v1.36.
 */
import { deepEqual, withFields } from "../../api/json.ts";
import type { Result } from "../../api/meta.ts";
import { refOf } from "../../api/meta.ts";
import { compareQuantityTexts, formatQuantity, parseQuantity } from "../../api/quantity.ts";
import type {
  PersistentVolume,
  PersistentVolumeClaim,
  PersistentVolumeClaimStatus,
  PersistentVolumeStatus,
} from "../../api/types.ts";
import { annotation, annotationOf } from "../../matching/annotations.ts";
import { event, type Task } from "../../runtime/effects.ts";
import type { Binder } from "./binder.ts";
import { saveClaimStatus, saveVolumeStatus } from "./saves.ts";

export type VolumePhase = "Available" | "Bound" | "Released" | "Failed";

/** Sets phase and message; writes nothing if the volume is in that phase already. */
export function* updateVolumePhase(
  binder: Binder,
  volume: PersistentVolume,
  phase: VolumePhase,
  message: string,
): Task<Result<PersistentVolume>> {
  if (volume.status?.phase === phase) return { ok: true, object: volume };
  const before = withoutMessage(volume.status ?? {});
  const status = withFields(before, message === "" ? { phase } : { phase, message });
  return yield* saveVolumeStatus(binder, withFields(volume, { status }));
}

function withoutMessage(status: PersistentVolumeStatus): PersistentVolumeStatus {
  if (status.message === undefined) return status;
  const { message: _, ...rest } = status;
  return rest;
}

/** Marks the volume Failed, with an event. If it is Failed already, it keeps its first message and gets no event. */
export function* failVolume(
  binder: Binder,
  volume: PersistentVolume,
  reason: string,
  message: string,
): Task<Result<PersistentVolume>> {
  if (volume.status?.phase === "Failed") return { ok: true, object: volume };
  const failed = yield* updateVolumePhase(binder, volume, "Failed", message);
  if (failed.ok) yield* event(refOf(volume), "Warning", reason, message);
  return failed;
}

/** Sets the phase. Access modes, capacity and attributes class come from the volume, and are removed if there is none. */
export function* updateClaimStatus(
  binder: Binder,
  claim: PersistentVolumeClaim,
  phase: "Pending" | "Bound" | "Lost",
  volume: PersistentVolume | undefined,
): Task<Result<PersistentVolumeClaim>> {
  const before = claim.status ?? {};
  const after =
    volume === undefined ? withoutVolume(before) : withVolume(before, phase, volume, binder);
  if (typeof after === "string") {
    return { ok: false, error: { code: 500, reason: "InternalError", message: after } };
  }
  const status: PersistentVolumeClaimStatus = withFields(after, { phase });
  if (deepEqual(status, before)) return { ok: true, object: claim };
  return yield* saveClaimStatus(binder, withFields(claim, { status }));
}

/** Marks the claim Lost, with an event; does nothing if it is Lost already. */
export function* loseClaim(
  binder: Binder,
  claim: PersistentVolumeClaim,
  reason: string,
  message: string,
): Task<Result<PersistentVolumeClaim>> {
  if (claim.status?.phase === "Lost") return { ok: true, object: claim };
  const lost = yield* updateClaimStatus(binder, claim, "Lost", undefined);
  if (lost.ok) yield* event(refOf(claim), "Warning", reason, message);
  return lost;
}

function withoutVolume(status: PersistentVolumeClaimStatus): PersistentVolumeClaimStatus {
  const { accessModes: _, capacity: __, currentVolumeAttributesClassName: ___, ...rest } = status;
  return rest;
}

/** Returns the new status, or an error message if the volume has no capacity. */
function withVolume(
  status: PersistentVolumeClaimStatus,
  phase: string,
  volume: PersistentVolume,
  binder: Binder,
): PersistentVolumeClaimStatus | string {
  const { accessModes } = volume.spec;
  const next = accessModes === undefined ? status : withFields(status, { accessModes });
  // A claim that is Bound already may differ in capacity from its volume, whose file system may still have to grow.
  if (status.phase === phase) return next;
  const offered = volume.spec.capacity?.["storage"];
  if (offered === undefined) {
    return `PersistentVolume "${volume.metadata.name}" is without a storage capacity`;
  }
  const before = annotationOf(volume, annotation.preResizeCapacity);
  const preResize = before === undefined ? undefined : parseQuantity(before);
  const known = status.capacity?.["storage"];
  const capacity =
    preResize !== undefined
      ? { ...status.capacity, storage: formatQuantity(preResize) }
      : known === undefined || compareQuantityTexts(known, offered) !== 0
        ? volume.spec.capacity
        : status.capacity;
  const current = volume.spec.volumeAttributesClassName;
  const takesClass = binder.attributesClasses && status.phase === "Pending" && phase === "Bound";
  return withFields(next, {
    ...(capacity !== undefined && { capacity }),
    ...(takesClass && current !== undefined && { currentVolumeAttributesClassName: current }),
  });
}
