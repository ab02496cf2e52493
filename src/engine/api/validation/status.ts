/**
 * What controllers and the curious write through the status endpoint. Upstream: ValidatePersistentVolumeClaimStatusUpdate,
 * ValidateVolumeAttachmentUpdate, ValidateStatefulSetStatus, v1.36. Other kinds' statuses are taken as they come.
 */
import { asJson, type FieldErrors } from "../field-error.ts";
import { type FieldPath, statusPath } from "../field-path.ts";
import type { Kind } from "../meta.ts";
import { checkLabelKey } from "../names.ts";
import { quantityOrZero } from "../quantity.ts";
import { isNativeResource } from "../resource-names.ts";
import { sortedKeys } from "../text-order.ts";
import type { KindMap, PersistentVolumeClaim, StatefulSet } from "../types.ts";
import { validateBasicResource } from "./resources.ts";
import { validateVolumeAttachmentStatus } from "./volume-attachment.ts";
import { validateNonNegative } from "./workload.ts";

const resizeStates: readonly string[] = [
  "ControllerResizeInProgress",
  "ControllerResizeInfeasible",
  "NodeResizeInProgress",
  "NodeResizeInfeasible",
  "NodeResizePending",
];

export function validateStatus(object: KindMap[Kind], errors: FieldErrors): void {
  if (object.kind === "PersistentVolumeClaim") validateClaimStatus(object, errors);
  if (object.kind === "VolumeAttachment") validateVolumeAttachmentStatus(object, errors);
  if (object.kind === "StatefulSet") validateStatefulSetStatus(object, errors);
}

function validateClaimStatus({ status = {} }: PersistentVolumeClaim, errors: FieldErrors): void {
  const { capacity, allocatedResources, allocatedResourceStatuses } = status;
  for (const key of sortedKeys(capacity)) {
    const path = statusPath.child("capacity").key(key);
    validateBasicResource(quantityOrZero(capacity?.[key]), path, errors);
  }
  const statesPath = statusPath.child("allocatedResourceStatuses");
  for (const key of sortedKeys(allocatedResourceStatuses)) {
    validateClaimResourceKey(key, statesPath, errors);
    if (resizeStates.includes(allocatedResourceStatuses?.[key] ?? "")) continue;
    // The message shows the key, not the state.
    errors.notSupported(statesPath, asJson(key), resizeStates);
  }
  const allocatedPath = statusPath.child("allocatedResources");
  for (const key of sortedKeys(allocatedResources)) {
    if (!validateClaimResourceKey(key, allocatedPath, errors)) continue;
    const path = allocatedPath.key(key);
    validateBasicResource(quantityOrZero(allocatedResources?.[key]), path, errors);
  }
}

const partCounts = [
  "readyReplicas",
  "currentReplicas",
  "updatedReplicas",
  "availableReplicas",
] as const;

function validateStatefulSetStatus({ status }: StatefulSet, errors: FieldErrors): void {
  if (status === undefined) return;
  const { replicas, readyReplicas = 0, availableReplicas = 0 } = status;
  for (const field of ["replicas", ...partCounts, "observedGeneration", "collisionCount"] as const)
    validateNonNegative(status[field], statusPath.child(field), errors);
  for (const field of partCounts) {
    const count = status[field] ?? 0;
    if (count > replicas)
      errors.invalid(statusPath.child(field), count, "cannot be greater than status.replicas");
  }
  if (availableReplicas > readyReplicas) {
    const text = "cannot be greater than status.readyReplicas";
    errors.invalid(statusPath.child("availableReplicas"), availableReplicas, text);
  }
}

/** A claim holds storage, and what others define under names of their own. Upstream: validatePersistentVolumeClaimResourceKey. */
function validateClaimResourceKey(key: string, path: FieldPath, errors: FieldErrors): boolean {
  const complaints = checkLabelKey(key);
  errors.invalidEach(path, key, complaints);
  if (complaints.length > 0) return false;
  if (key === "storage" || !isNativeResource(key)) return true;
  errors.notSupported(path, key, ["storage"]);
  return false;
}
