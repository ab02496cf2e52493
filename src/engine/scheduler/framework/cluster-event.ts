/**
 * Changes in the cluster that may make a rejected pod schedulable.
 * Upstream: kube-scheduler v1.36 pkg/scheduler/framework/events.go. Not modeled: resource claims and slices, pod groups,
 * workloads.
 */
import type {
  CSIDriver,
  CSINode,
  CSIStorageCapacity,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  StorageClass,
  VolumeAttachment,
} from "../../api/types.ts";

/** Maps each event name to its kind of object. `TargetPod` is the waiting pod itself. */
export interface EventObjects {
  readonly NodeAdd: Node;
  readonly NodeDelete: Node;
  readonly NodeUpdateAllocatable: Node;
  readonly NodeUpdateLabel: Node;
  readonly NodeUpdateTaint: Node;
  readonly AssignedPodAdd: Pod;
  readonly AssignedPodDelete: Pod;
  readonly AssignedPodUpdateLabel: Pod;
  readonly AssignedPodScaleDown: Pod;
  readonly TargetPodUpdateLabel: Pod;
  readonly TargetPodScaleDown: Pod;
  readonly TargetPodUpdateToleration: Pod;
  readonly TargetPodGatesEliminated: Pod;
  readonly PersistentVolumeAdd: PersistentVolume;
  readonly PersistentVolumeUpdate: PersistentVolume;
  readonly PersistentVolumeClaimAdd: PersistentVolumeClaim;
  readonly PersistentVolumeClaimUpdate: PersistentVolumeClaim;
  readonly StorageClassAdd: StorageClass;
  readonly StorageClassUpdate: StorageClass;
  readonly CSINodeAdd: CSINode;
  readonly CSINodeUpdate: CSINode;
  readonly CSIDriverUpdate: CSIDriver;
  readonly CSIStorageCapacityAdd: CSIStorageCapacity;
  readonly CSIStorageCapacityUpdate: CSIStorageCapacity;
  readonly VolumeAttachmentDelete: VolumeAttachment;
}

export type EventName = keyof EventObjects;

export interface ClusterEvent<N extends EventName = EventName> {
  readonly name: N;
  readonly before?: EventObjects[N];
  readonly after?: EventObjects[N];
}

/** Returns the object that was added or removed, or the new state of an updated one. */
export function eventObject<N extends EventName>(event: ClusterEvent<N>): EventObjects[N] {
  const object = event.after ?? event.before;
  if (object === undefined) throw new Error(`event ${event.name} without an object`);
  return object;
}
