/**
 * Keeps the cache and the queue up to date with the cluster. Ended pods do not exist for the scheduler: its watch leaves them
 * out.
 * Upstream: kube-scheduler v1.36 pkg/scheduler/eventhandlers.go.
 */
import type { Kind, KubeObject } from "../api/meta.ts";
import type { Pod } from "../api/types.ts";
import { defaultScheduler, isPodEnded } from "../matching/pod-state.ts";
import type { ComponentContext } from "../runtime/component.ts";
import {
  freesRoomOfAssumedPodsAtOnce,
  losesNominationsByBinding,
  wakesPodsForLostNominations,
} from "../version-differences.ts";
import { podInfo } from "./cache/pod-info.ts";
import type { SchedulerCache } from "./cache/scheduler-cache.ts";
import type { ClusterEvent, EventName } from "./framework/cluster-event.ts";
import { assignedPodChanges, nodeChanges, waitingPodChanges } from "./framework/object-changes.ts";
import type { Nominator } from "./queue/nominator.ts";
import type { SchedulingQueue } from "./queue/scheduling-queue.ts";

export interface SchedulerState {
  readonly cache: SchedulerCache;
  readonly queue: SchedulingQueue;
  readonly nominator: Nominator;
}

function isAssigned({ spec }: Pod): boolean {
  return (spec.nodeName ?? "") !== "";
}

function isOurs({ spec }: Pod): boolean {
  return (spec.schedulerName ?? defaultScheduler) === defaultScheduler;
}

export function watchCluster(context: ComponentContext, state: SchedulerState): void {
  watchNodes(context, state);
  watchPods(context, state);
  const namespaceChanged = (): void => state.cache.namespaceChanged();
  context
    .informer("Namespace")
    .on({ add: namespaceChanged, update: namespaceChanged, delete: namespaceChanged });
  const moveOn = <K extends Kind>(
    kind: K,
    names: { readonly [verb in "add" | "update" | "delete"]?: EventName },
  ): void => {
    const move = (
      name: EventName | undefined,
      before: KubeObject<K> | undefined,
      after: KubeObject<K> | undefined,
    ): void => {
      if (name !== undefined) state.queue.moveAll({ name, before, after } as ClusterEvent);
    };
    context.informer(kind).on({
      add: (object) => move(names.add, undefined, object),
      update: (before, after) => move(names.update, before, after),
      delete: (object) => move(names.delete, object, undefined),
    });
  };
  moveOn("PersistentVolume", { add: "PersistentVolumeAdd", update: "PersistentVolumeUpdate" });
  moveOn("PersistentVolumeClaim", {
    add: "PersistentVolumeClaimAdd",
    update: "PersistentVolumeClaimUpdate",
  });
  moveOn("StorageClass", { add: "StorageClassAdd", update: "StorageClassUpdate" });
  moveOn("CSINode", { add: "CSINodeAdd", update: "CSINodeUpdate" });
  moveOn("CSIDriver", { update: "CSIDriverUpdate" });
  moveOn("CSIStorageCapacity", {
    add: "CSIStorageCapacityAdd",
    update: "CSIStorageCapacityUpdate",
  });
  moveOn("VolumeAttachment", { delete: "VolumeAttachmentDelete" });
}

function watchNodes(context: ComponentContext, { cache, queue }: SchedulerState): void {
  context.informer("Node").on({
    add: (node) => {
      cache.setNode(node);
      queue.moveAll({ name: "NodeAdd", after: node });
    },
    update: (before, after) => {
      cache.setNode(after);
      for (const event of nodeChanges(before, after)) queue.moveAll(event);
    },
    delete: (node) => {
      queue.moveAll({ name: "NodeDelete", before: node });
      cache.removeNode(node.metadata.name);
    },
  });
}

function watchPods(context: ComponentContext, state: SchedulerState): void {
  const appeared = (pod: Pod): void => {
    if (isPodEnded(pod)) return;
    if (isAssigned(pod)) assigned(state, pod);
    else if (isOurs(pod)) {
      nominate(state, pod);
      state.queue.add(pod);
    }
  };
  const disappeared = (pod: Pod): void => {
    if (isPodEnded(pod)) return;
    state.nominator.forget(pod.metadata.uid);
    if (isAssigned(pod)) {
      state.cache.removePod(pod.metadata.uid);
      state.queue.moveAll({ name: "AssignedPodDelete", before: pod });
    } else if (isOurs(pod)) waitingPodGone(context, state, pod);
  };
  context.informer("Pod").on({
    add: appeared,
    update: (before, after) => {
      if (isPodEnded(before) || isPodEnded(after) || before.metadata.uid !== after.metadata.uid) {
        disappeared(before);
        appeared(after);
      } else if (!isAssigned(after)) {
        if (isOurs(after)) waitingPodChanged(context, state, before, after);
      } else if (isAssigned(before)) {
        state.cache.setPod(after);
        for (const event of assignedPodChanges(before, after)) state.queue.moveAll(event);
      } else {
        state.queue.delete(after.metadata.uid);
        state.nominator.forget(after.metadata.uid);
        assigned(state, after);
        if (isOurs(before) && losesNominationsByBinding(context.version))
          nominationLost(context, state, before);
      }
    },
    delete: disappeared,
  });
}

function assigned({ cache, queue }: SchedulerState, pod: Pod): void {
  cache.setPod(pod);
  queue.moveAll({ name: "AssignedPodAdd", after: pod });
}

function nominate({ nominator }: SchedulerState, pod: Pod): void {
  const node = pod.status?.nominatedNodeName ?? "";
  if (node !== "") nominator.nominate(podInfo(pod), node);
}

function waitingPodChanged(
  context: ComponentContext,
  state: SchedulerState,
  before: Pod,
  after: Pod,
): void {
  if (state.cache.isAssumed(after.metadata.uid)) {
    const deletes =
      after.metadata.deletionTimestamp !== undefined &&
      before.metadata.deletionTimestamp === undefined;
    if (deletes && freesRoomOfAssumedPodsAtOnce(context.version)) {
      assumedPodGone(state, after.metadata.uid);
    }
    return;
  }
  const { nominatedNodeName: nodeBefore = "" } = before.status ?? {};
  const { nominatedNodeName: node = "" } = after.status ?? {};
  // If the pod names no node before and after, a nomination yet to be written stays. Upstream: nominator.go updateNominatedPod.
  if (nodeBefore !== "" || node !== "") state.nominator.nominate(podInfo(after), node);
  state.queue.update(after, waitingPodChanges(before, after));
  if (nodeBefore !== node) nominationLost(context, state, before);
}

function waitingPodGone(context: ComponentContext, state: SchedulerState, pod: Pod): void {
  const { uid } = pod.metadata;
  state.queue.delete(uid);
  const freesRoom = freesRoomOfAssumedPodsAtOnce(context.version) && state.cache.isAssumed(uid);
  if (freesRoom) assumedPodGone(state, uid);
  else nominationLost(context, state, pod);
}

/**
 * Retries pods of the same or a lower priority: the node that this pod was nominated for may have room. Upstream:
 * getLEPriorityPreCheck.
 */
function nominationLost({ version }: ComponentContext, { queue }: SchedulerState, pod: Pod): void {
  if ((pod.status?.nominatedNodeName ?? "") === "" || !wakesPodsForLostNominations(version)) return;
  const { priority } = podInfo(pod);
  queue.moveAll({ name: "AssignedPodDelete", before: pod }, (other) => other.priority <= priority);
}

/** Frees the pod's room at once; its binding goes on and fails. Upstream: handleAssumedPodDeletion. */
function assumedPodGone({ cache, queue }: SchedulerState, uid: string): void {
  const pod = cache.forget(uid);
  if (pod !== undefined) queue.moveAll({ name: "AssignedPodDelete", before: pod });
}
