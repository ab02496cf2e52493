/**
 * The interface of scheduling plugins: for one pod they tell which nodes it may run on, how good each is, and which events are
 * worth another try. Upstream: kube-scheduler v1.36 pkg/scheduler/framework/interface.go. A plugin's per-cycle state is the
 * object that `preFilter` and `preScore` return.
 */
import type { FailedRule } from "../../trace/decision.ts";
import type { NodeInfo } from "../cache/node-info.ts";
import type { PodInfo } from "../cache/pod-info.ts";
import type { Snapshot } from "../cache/snapshot.ts";
import type { ClusterEvent, EventName } from "./cluster-event.ts";

export type PluginName =
  | "SchedulingGates"
  | "NodeUnschedulable"
  | "NodeName"
  | "TaintToleration"
  | "NodeAffinity"
  | "NodePorts"
  | "NodeResourcesFit"
  | "VolumeRestrictions"
  | "NodeVolumeLimits"
  | "VolumeBinding"
  | "VolumeZone"
  | "PodTopologySpread"
  | "InterPodAffinity"
  | "DefaultPreemption"
  | "NodeResourcesBalancedAllocation"
  | "ImageLocality";

/** Why a pod cannot run on a node, or on any node. */
export interface Rejection {
  readonly plugin: PluginName;
  /** Evicting other pods would not help. Upstream: UnschedulableAndUnresolvable. */
  readonly unresolvable: boolean;
  readonly reasons: readonly string[];
  /** The rules behind the reasons, for explanations. Takes the node as it was when it was rejected. */
  readonly explain?: (node: NodeInfo) => readonly FailedRule[];
}

/** A plugin's filter for one pod. */
export interface PodFilter {
  check(node: NodeInfo): Rejection | undefined;
  /** Returns a copy for `shift`, which leaves this filter as it is. Absent if pods on other nodes do not matter. */
  readonly copy?: () => ShiftingFilter;
}

/** A filter that can be told of pods added to nodes or removed from them on trial. */
export interface ShiftingFilter extends PodFilter {
  shift(pod: PodInfo, node: NodeInfo, by: 1 | -1): void;
}

export type PreFilterResult =
  /** The plugin has nothing to say about this pod. */
  | { readonly type: "skip" }
  | { readonly type: "reject"; readonly rejection: Rejection }
  /** `nodeNames`: only these nodes need to be filtered. */
  | {
      readonly type: "filter";
      readonly filter: PodFilter;
      readonly nodeNames?: ReadonlySet<string>;
    };

export const skip: PreFilterResult = { type: "skip" };

/** A plugin's score of one pod. */
export interface PodScorer {
  score(node: NodeInfo): number;
  /** Scales the scores, given in the order of the nodes, to 0 to 100. */
  readonly normalize?: (scores: number[]) => void;
}

/** An event after which a pod that the plugin rejected is tried again. */
export interface QueueingHint {
  readonly event: EventName;
  /** If absent, every such event wakes the pod. */
  readonly wakes?: (pod: PodInfo, event: ClusterEvent) => boolean;
}

export interface Plugin {
  readonly name: PluginName;
  readonly preFilter?: (pod: PodInfo, snapshot: Snapshot) => PreFilterResult;
  readonly weight?: number;
  /** Why the pod cannot be scored. Called only if there is more than one feasible node. */
  readonly preScoreError?: (pod: PodInfo) => string | undefined;
  readonly preScore?: (
    pod: PodInfo,
    nodes: readonly NodeInfo[],
    snapshot: Snapshot,
  ) => PodScorer | undefined;
  readonly hints: readonly QueueingHint[];
}

/** Makes a hint whose `wakes` gets the event in its own type. */
export function hint<N extends EventName>(
  event: N,
  wakes?: (pod: PodInfo, event: ClusterEvent<N>) => boolean,
): QueueingHint {
  if (wakes === undefined) return { event };
  return {
    event,
    wakes: (pod, seen) => seen.name === event && wakes(pod, seen as ClusterEvent<N>),
  };
}

export const maxNodeScore = 100;

/** Scales scores so that the highest is 100. Upstream: helper.DefaultNormalizeScore. */
export function normalizeByMaximum(scores: number[]): void {
  const highest = Math.max(0, ...scores);
  for (let i = 0; i < scores.length; i++)
    scores[i] = highest === 0 ? 0 : Math.trunc(((scores[i] ?? 0) * maxNodeScore) / highest);
}

/** Like `normalizeByMaximum`, with 100 for a score of 0 and 0 for the highest. */
export function normalizeInReverse(scores: number[]): void {
  normalizeByMaximum(scores);
  for (let i = 0; i < scores.length; i++) scores[i] = maxNodeScore - (scores[i] ?? 0);
}
