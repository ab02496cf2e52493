/**
 * The parts of a claim's status that resizer and kubelet share while a volume grows.
 * Upstream: pkg/volume/util/resize_util.go v1.36; external-resizer v2.2 pkg/util/util.go MergeResizeConditionsOfPVC.
 */
import type { PersistentVolumeClaim, PersistentVolumeClaimCondition } from "../api/types.ts";

type Status = NonNullable<PersistentVolumeClaim["status"]>;

export const resizeCondition = {
  resizing: "Resizing",
  fileSystemResizePending: "FileSystemResizePending",
  controllerError: "ControllerResizeError",
  nodeError: "NodeResizeError",
} as const;

export const resizeStatus = {
  controllerInProgress: "ControllerResizeInProgress",
  controllerInfeasible: "ControllerResizeInfeasible",
  nodePending: "NodeResizePending",
  nodeInProgress: "NodeResizeInProgress",
  nodeInfeasible: "NodeResizeInfeasible",
} as const;

const known: ReadonlySet<string> = new Set(Object.values(resizeCondition));

/** Conditions about resizing are replaced by `next`, those that it does not name dropped unless `keepsOld`. */
export function mergeResizeConditions(
  before: readonly PersistentVolumeClaimCondition[],
  next: readonly PersistentVolumeClaimCondition[],
  keepsOld: boolean,
): readonly PersistentVolumeClaimCondition[] {
  const merged: PersistentVolumeClaimCondition[] = [];
  for (const condition of before) {
    const replaced = next.find(({ type }) => type === condition.type);
    if (replaced !== undefined) merged.push(replaced);
    else if (keepsOld || !known.has(condition.type)) merged.push(condition);
  }
  return [...merged, ...next.filter(({ type }) => !before.some((c) => c.type === type))];
}

/** A status with these conditions; without the field where there is none. */
export function withConditions(
  status: Status,
  conditions: readonly PersistentVolumeClaimCondition[],
): Status {
  const { conditions: _, ...rest } = status;
  return conditions.length > 0 ? { ...rest, conditions } : rest;
}

/** How far the growth of the claim's storage is; undefined where none is under way. */
export function storageResizeStatus(claim: PersistentVolumeClaim): string | undefined {
  return claim.status?.allocatedResourceStatuses?.["storage"];
}

/** A status that says how far the growth is; undefined: none is under way. */
export function withResizeStatus(status: Status, resize: string | undefined): Status {
  const { allocatedResourceStatuses = {}, ...rest } = status;
  const { storage: _, ...others } = allocatedResourceStatuses;
  const next = resize === undefined ? others : { ...others, storage: resize };
  return Object.keys(next).length > 0 ? { ...rest, allocatedResourceStatuses: next } : rest;
}
