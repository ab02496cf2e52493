/**
 * Updates through the status endpoint. Upstream: ValidatePersistentVolumeClaimStatusUpdate,
 * ValidateVolumeAttachmentUpdate and their like, v1.36.
 */
import { asJson, type FieldErrors } from "../field-error.ts";
import { type FieldPath, statusPath } from "../field-path.ts";
import { sortedKeys } from "../go/text-order.ts";
import type { KubeObject } from "../meta.ts";
import { checkLabelKey } from "../names/names.ts";
import { isNativeResource } from "../names/resource-names.ts";
import { quantityOrZero } from "../quantity.ts";
import type { Namespace, PersistentVolumeClaim } from "../types.ts";
import { validateConditions } from "./conditions.ts";
import { validateJobStatus } from "./job-status.ts";
import { validateQuotaStatus } from "./limits.ts";
import { validateNodeStatus } from "./node.ts";
import { validatePodStatus } from "./pod-status.ts";
import { validateBasicResource } from "./resources.ts";
import { validateBalancer } from "./service-addresses.ts";
import { validateVolumeAttachmentStatus } from "./volume-attachment.ts";
import { validateCounts } from "./workload-status.ts";

const resizeStates: readonly string[] = [
  "ControllerResizeInProgress",
  "ControllerResizeInfeasible",
  "NodeResizeInProgress",
  "NodeResizeInfeasible",
  "NodeResizePending",
];

export function validateStatus(object: KubeObject, old: KubeObject, errors: FieldErrors): void {
  switch (object.kind) {
    case "Pod":
      if (old.kind === "Pod") validatePodStatus(object, old, errors);
      break;
    case "PersistentVolumeClaim":
      validateClaimStatus(object, errors);
      break;
    case "VolumeAttachment":
      validateVolumeAttachmentStatus(object, errors);
      break;
    case "Node":
      validateNodeStatus(object, errors);
      break;
    case "Namespace":
      validateNamespaceStatus(object, errors);
      break;
    case "ResourceQuota":
      validateQuotaStatus(object, errors);
      break;
    case "PodDisruptionBudget":
      validateConditions(object.status?.conditions ?? [], statusPath.child("conditions"), errors);
      validateCounts(object, old, errors);
      break;
    case "Service":
      if (old.kind === "Service") validateBalancer(object, old, errors);
      break;
    default:
      validateCounts(object, old, errors);
      if (object.kind === "Job" && old.kind === "Job") validateJobStatus(object, old, errors);
  }
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

/** Upstream: ValidateNamespaceStatusUpdate. */
function validateNamespaceStatus({ metadata, status }: Namespace, errors: FieldErrors): void {
  const phase = status?.phase ?? "Active";
  const stays = metadata.deletionTimestamp === undefined;
  const right = stays ? "Active" : "Terminating";
  if (phase === right) return;
  const detail = `may only be '${right}' if \`deletionTimestamp\` is ${stays ? "" : "not "}empty`;
  errors.invalid(statusPath.child("Phase"), asJson(phase), detail);
}

/** Only storage and resources outside of Kubernetes' domain are allowed. Upstream: validatePersistentVolumeClaimResourceKey. */
function validateClaimResourceKey(key: string, path: FieldPath, errors: FieldErrors): boolean {
  const complaints = checkLabelKey(key);
  errors.invalidEach(path, key, complaints);
  if (complaints.length > 0) return false;
  if (key === "storage" || !isNativeResource(key)) return true;
  errors.notSupported(path, key, ["storage"]);
  return false;
}
