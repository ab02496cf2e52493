/**
 * The parts of a claim's status that resizer and kubelet share during an expansion. Upstream: pkg/volume/util/resize_util.go
 * v1.36; external-resizer v2.2 pkg/util/util.go MergeResizeConditionsOfPVC.
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

/** Returns the status with a resize condition, which replaces one of the same type. */
export function withResizeCondition(status: Status, next: PersistentVolumeClaimCondition): Status {
  const { conditions = [] } = status;
  const isNew = conditions.every(({ type }) => type !== next.type);
  return withConditions(
    status,
    isNew ? [...conditions, next] : conditions.map((c) => (c.type === next.type ? next : c)),
  );
}

/** Like `withResizeCondition`, but removes all other resize conditions. */
export function withOnlyResizeCondition(
  status: Status,
  next: PersistentVolumeClaimCondition,
): Status {
  const { conditions = [] } = status;
  const kept = conditions.filter(({ type }) => type === next.type || !known.has(type));
  return withResizeCondition({ ...status, conditions: kept }, next);
}

export function withoutResizeConditions(status: Status): Status {
  const { conditions = [] } = status;
  return withConditions(
    status,
    conditions.filter(({ type }) => !known.has(type)),
  );
}

/** Returns the status with these conditions; without the field if there are none. */
export function withConditions(
  status: Status,
  conditions: readonly PersistentVolumeClaimCondition[],
): Status {
  const { conditions: _, ...rest } = status;
  return conditions.length > 0 ? { ...rest, conditions } : rest;
}

/** Returns the state of the storage's expansion; undefined if none is in progress. */
export function storageResizeStatus(claim: PersistentVolumeClaim): string | undefined {
  return claim.status?.allocatedResourceStatuses?.["storage"];
}

/** Returns the status with this state of the storage's expansion; undefined removes it. */
export function withResizeStatus(status: Status, resize: string | undefined): Status {
  const { allocatedResourceStatuses = {}, ...rest } = status;
  const { storage: _, ...others } = allocatedResourceStatuses;
  const next = resize === undefined ? others : { ...others, storage: resize };
  return Object.keys(next).length > 0 ? { ...rest, allocatedResourceStatuses: next } : rest;
}
