/**
 * A DaemonSet's pods by node, and its status. Upstream: pkg/controller/daemon/daemon_controller.go getNodesToDaemonPods,
 * updateDaemonSetStatus v1.36.
 */
import { push } from "../../api/go/multi-map.ts";
import type { DaemonSetStatus } from "../../api/types.ts";
import { isPodReady } from "../../matching/pod-condition.ts";
import { isPodEnded } from "../../matching/pod-state.ts";
import type { Instant } from "../../trace/instant.ts";
import { byCreation } from "../workload/creation-order.ts";
import { isPodAvailable, isTerminating } from "../workload/pod-status.ts";
import {
  type DaemonSet,
  isPodUpdated,
  type Node,
  type Pod,
  placementOn,
  targetNode,
} from "./daemon-pod.ts";

export type PodsByNode = ReadonlyMap<string, readonly Pod[]>;

/**
 * Skips ended pods that only wait for a finalizer, and pods without a node (they may have been adopted).
 * Upstream: getNodesToDaemonPods.
 */
export function groupByNode(pods: readonly Pod[]): PodsByNode {
  const byNode = new Map<string, Pod[]>();
  for (const pod of pods) {
    if (isPodEnded(pod) && isTerminating(pod)) continue;
    const node = targetNode(pod);
    if (node !== undefined) push(byNode, node, pod);
  }
  return byNode;
}

/** Orders pods that already have a node before pods that do not, then by age. Upstream: podByCreationTimestampAndPhase. */
export function byPlaceAndCreation(a: Pod, b: Pod): number {
  const placed = Number(b.spec.nodeName !== undefined) - Number(a.spec.nodeName !== undefined);
  return placed === 0 ? byCreation(a, b) : placed;
}

export interface StatusInput {
  readonly set: DaemonSet;
  readonly nodes: readonly Node[];
  readonly byNode: PodsByNode;
  /** Hash of the current template. */
  readonly hash: string;
  readonly observedGeneration: number;
  readonly now: Instant;
}

/** Upstream: updateDaemonSetStatus. */
export function daemonSetStatus({
  set,
  nodes,
  byNode,
  hash,
  observedGeneration,
  now,
}: StatusInput): DaemonSetStatus {
  let [desired, current, misscheduled, ready, available, updated] = [0, 0, 0, 0, 0, 0];
  for (const node of nodes) {
    const oldest = [...(byNode.get(node.metadata.name) ?? [])].sort(byPlaceAndCreation)[0];
    if (!placementOn(set, node).shouldRun) {
      if (oldest !== undefined) misscheduled++;
      continue;
    }
    desired++;
    if (oldest === undefined) continue;
    current++;
    if (isPodReady(oldest)) ready++;
    if (isPodAvailable(oldest, set.spec?.minReadySeconds ?? 0, now)) available++;
    if (isPodUpdated(set, oldest, hash)) updated++;
  }
  const { collisionCount, conditions } = set.status ?? {};
  return {
    currentNumberScheduled: current,
    numberMisscheduled: misscheduled,
    desiredNumberScheduled: desired,
    numberReady: ready,
    ...(observedGeneration > 0 && { observedGeneration }),
    ...(updated > 0 && { updatedNumberScheduled: updated }),
    ...(available > 0 && { numberAvailable: available }),
    ...(desired > available && { numberUnavailable: desired - available }),
    ...(collisionCount !== undefined && { collisionCount }),
    ...(conditions !== undefined && { conditions }),
  };
}
