/**
 * What controllers and the curious write through the status endpoint. Upstream: ValidatePersistentVolumeClaimStatusUpdate,
 * ValidateVolumeAttachmentUpdate, v1.36. Other kinds' statuses are taken as they come.
 */
import { asJson, type FieldErrors } from "../field-error.ts";
import { type FieldPath, statusPath } from "../field-path.ts";
import type { Kind } from "../meta.ts";
import { checkLabelKey } from "../names.ts";
import { quantityOrZero } from "../quantity.ts";
import { sortedKeys } from "../text-order.ts";
import type { KindMap, PersistentVolumeClaim } from "../types.ts";
import { validateBasicResource } from "./resources.ts";
import { validateVolumeAttachmentStatus } from "./volume-attachment.ts";

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
