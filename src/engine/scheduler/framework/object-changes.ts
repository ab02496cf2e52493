/**
 * Turns updates of nodes and pods into cluster events. Upstream: kube-scheduler v1.36 pkg/scheduler/framework/events.go
 * NodeSchedulingPropertiesChange, PodSchedulingPropertiesChange.
 */
import { deepEqual } from "../../api/json.ts";
import type { Node, Pod } from "../../api/types.ts";
import { podRequests } from "../cache/resources.ts";
import type { ClusterEvent } from "./cluster-event.ts";

export function nodeChanges(before: Node, after: Node): readonly ClusterEvent[] {
  const events: ClusterEvent[] = [];
  if (!deepEqual(before.status?.allocatable, after.status?.allocatable))
    events.push({ name: "NodeUpdateAllocatable", before, after });
  if (!deepEqual(before.metadata.labels, after.metadata.labels))
    events.push({ name: "NodeUpdateLabel", before, after });
  const taintsChanged =
    !deepEqual(before.spec.taints, after.spec.taints) ||
    before.spec.unschedulable !== after.spec.unschedulable;
  if (taintsChanged) events.push({ name: "NodeUpdateTaint", before, after });
  return events;
}

/** The events for an update of a pod that has a node. */
export function assignedPodChanges(before: Pod, after: Pod): readonly ClusterEvent[] {
  const events: ClusterEvent[] = [];
  if (!deepEqual(before.metadata.labels, after.metadata.labels))
    events.push({ name: "AssignedPodUpdateLabel", before, after });
  if (asksForLess(before, after)) events.push({ name: "AssignedPodScaleDown", before, after });
  return events;
}

/** The events for an update of a pod that waits for a node. */
export function waitingPodChanges(before: Pod, after: Pod): readonly ClusterEvent[] {
  const events: ClusterEvent[] = [];
  if (!deepEqual(before.metadata.labels, after.metadata.labels))
    events.push({ name: "TargetPodUpdateLabel", before, after });
  if (asksForLess(before, after)) events.push({ name: "TargetPodScaleDown", before, after });
  // The API server allows only additions and changes of tolerationSeconds, so comparing the counts is enough.
  if (before.spec.tolerations?.length !== after.spec.tolerations?.length)
    events.push({ name: "TargetPodUpdateToleration", before, after });
  const hadGates = (before.spec.schedulingGates ?? []).length > 0;
  if (hadGates && (after.spec.schedulingGates ?? []).length === 0)
    events.push({ name: "TargetPodGatesEliminated", before, after });
  return events;
}

function asksForLess(before: Pod, after: Pod): boolean {
  if (before.spec.containers === after.spec.containers) return false;
  const is = podRequests(after.spec);
  return [...podRequests(before.spec)].some(([name, amount]) => (is.get(name) ?? 0) < amount);
}
