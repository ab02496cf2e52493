/**
 * Phases and the claim's status fields. Upstream: pv_controller.go updateVolumePhase, updateVolumePhaseWithEvent,
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

/** Sets phase and message; writes nothing where the volume has that phase. */
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

/** A Failed volume keeps the message of its first failure: neither status nor event is repeated. */
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

/** Sets the phase. Access modes, capacity and attributes class are taken from the volume, and removed where there is none. */
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

/** A claim that is Lost already is left as it is. */
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

/** The status, or the error of a volume that has no capacity. */
function withVolume(
  status: PersistentVolumeClaimStatus,
  phase: string,
  volume: PersistentVolume,
  binder: Binder,
): PersistentVolumeClaimStatus | string {
  const { accessModes } = volume.spec;
  const next = accessModes === undefined ? status : withFields(status, { accessModes });
  // A claim that was Bound already may rightly differ from its volume: its file system has yet to grow.
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
