/**
 * What controllers and the curious write through the status endpoint. Upstream: ValidatePersistentVolumeClaimStatusUpdate,
 * ValidateVolumeAttachmentUpdate, ValidateStatefulSetStatus, v1.36. Other kinds' statuses are taken as they come.
 */
import { asJson, type FieldErrors } from "../field-error.ts";
import { type FieldPath, statusPath } from "../field-path.ts";
import type { Kind } from "../meta.ts";
import { checkLabelKey } from "../names.ts";
import { quantityOrZero } from "../quantity.ts";
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
  validateAmounts(status.capacity, statusPath.child("capacity"), errors);
  const allocatedPath = statusPath.child("allocatedResources");
  validateClaimResourceKeys(status.allocatedResources, allocatedPath, errors);
  validateAmounts(status.allocatedResources, allocatedPath, errors);
  const statesPath = statusPath.child("allocatedResourceStatuses");
  validateClaimResourceKeys(status.allocatedResourceStatuses, statesPath, errors);
  for (const key in status.allocatedResourceStatuses) {
    if (resizeStates.includes(status.allocatedResourceStatuses[key] ?? "")) continue;
    // The message shows the key, not the state.
    errors.notSupported(statesPath, asJson(key), resizeStates);
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

function validateAmounts(
  list: Readonly<Record<string, string>> | undefined,
  path: FieldPath,
  errors: FieldErrors,
): void {
  for (const key of sortedKeys(list)) {
    validateBasicResource(quantityOrZero(list?.[key]), path.key(key), errors);
  }
}

/** A claim holds storage, and what others define under names of their own. */
function validateClaimResourceKeys(
  list: Readonly<Record<string, string>> | undefined,
  path: FieldPath,
  errors: FieldErrors,
): void {
  for (const key of sortedKeys(list)) {
    if (key.includes("/")) errors.invalidEach(path, key, checkLabelKey(key));
    else if (key !== "storage") errors.notSupported(path, asJson(key), ["storage"]);
  }
}
