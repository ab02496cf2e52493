/**
 * A topology spread constraint with its defaults filled in. Upstream: kube-scheduler v1.36 plugins/podtopologyspread/common.go,
 * plugin.go (system defaults).
 */
import { type Labels, labelSelectorMatches } from "../../api/selection/label-selector.ts";
import { untoleratedTaint } from "../../api/selection/tolerations.ts";
import type { LabelSelector, Node, Pod, TopologySpreadConstraint } from "../../api/types.ts";
import { anchorOf, type CountsByNode } from "../cache/pod-counts.ts";
import type { Snapshot } from "../cache/snapshot.ts";
import { nodeMatchesPod } from "./node-affinity.ts";

export interface SpreadConstraint {
  readonly maxSkew: number;
  readonly topologyKey: string;
  readonly minDomains: number;
  /** Skips nodes that the pod's node selector or affinity excludes. */
  readonly honorsAffinity: boolean;
  /** Skips nodes with taints that the pod does not tolerate. */
  readonly honorsTaints: boolean;
  /** Which pods it counts; none if undefined. */
  readonly selector: LabelSelector | undefined;
  /** The selector as text, to compare selectors by. */
  readonly signature: string;
  /** True if the constraint counts the pod itself. */
  readonly matchesItself: boolean;
}

/** The pod's own constraints with this whenUnsatisfiable. */
export function ownConstraints(
  pod: Pod,
  whenUnsatisfiable: "DoNotSchedule" | "ScheduleAnyway",
): readonly SpreadConstraint[] {
  const constraints = pod.spec.topologySpreadConstraints;
  if (constraints === undefined) return [];
  return constraints
    .filter((c) => c.whenUnsatisfiable === whenUnsatisfiable)
    .map((c) => fromPod(c, pod));
}

function fromPod(constraint: TopologySpreadConstraint, pod: Pod): SpreadConstraint {
  const selector = withMatchLabelKeys(constraint, pod.metadata.labels);
  return {
    maxSkew: constraint.maxSkew,
    topologyKey: constraint.topologyKey,
    minDomains: constraint.minDomains ?? 1,
    honorsAffinity: (constraint.nodeAffinityPolicy ?? "Honor") === "Honor",
    honorsTaints: constraint.nodeTaintsPolicy === "Honor",
    selector,
    signature: JSON.stringify(selector ?? null),
    matchesItself: labelSelectorMatches(selector, pod.metadata.labels),
  };
}

/** Adds matchLabelKeys to the selector: pods count only if they have the pod's values for these keys. */
function withMatchLabelKeys(
  { labelSelector, matchLabelKeys }: TopologySpreadConstraint,
  labels: Labels | undefined,
): LabelSelector | undefined {
  if (labelSelector === undefined || matchLabelKeys === undefined) return labelSelector;
  const same = matchLabelKeys.flatMap((key) => {
    const value = labels?.[key];
    return value === undefined ? [] : [{ key, operator: "In", values: [value] }];
  });
  return {
    ...labelSelector,
    matchExpressions: [...(labelSelector.matchExpressions ?? []), ...same],
  };
}

/** The soft constraints of a pod that brings none but belongs to a service or workload. Upstream: systemDefaultConstraints. */
export function defaultConstraints(
  selector: LabelSelector,
  signature: string,
): readonly SpreadConstraint[] {
  const constraint = (topologyKey: string, maxSkew: number): SpreadConstraint => ({
    maxSkew,
    topologyKey,
    minDomains: 1,
    honorsAffinity: true,
    honorsTaints: false,
    selector,
    signature,
    matchesItself: true,
  });
  return [constraint("kubernetes.io/hostname", 3), constraint("topology.kubernetes.io/zone", 5)];
}

export function hasAllTopologies(node: Node, constraints: readonly SpreadConstraint[]): boolean {
  const { labels } = node.metadata;
  return constraints.every((c) => labels !== undefined && Object.hasOwn(labels, c.topologyKey));
}

/** Upstream: matchNodeInclusionPolicies. */
export function includesNode(constraint: SpreadConstraint, pod: Pod, node: Node): boolean {
  if (constraint.honorsAffinity && !nodeMatchesPod(pod, node)) return false;
  return (
    !constraint.honorsTaints ||
    untoleratedTaint(pod.spec.tolerations, node.spec.taints, ["NoSchedule", "NoExecute"]) ===
      undefined
  );
}

const nobody: CountsByNode = new Map();

function isEmpty({ matchLabels = {}, matchExpressions = [] }: LabelSelector = {}): boolean {
  return Object.keys(matchLabels).length === 0 && matchExpressions.length === 0;
}

/**
 * Counts matching pods of the pod's namespace by node. Pods that are being deleted do not count, and none does if the selector
 * is empty. Upstream: countPodsMatchSelector.
 */
export function countMatchingPods(
  { counts }: Snapshot,
  { signature, selector }: SpreadConstraint,
  pod: Pod,
): CountsByNode {
  const { namespace } = pod.metadata;
  if (isEmpty(selector)) return nobody;
  return counts.of({
    key: `spread ${namespace ?? ""} ${signature}`,
    matches: ({ metadata }) =>
      metadata.namespace === namespace &&
      metadata.deletionTimestamp === undefined &&
      labelSelectorMatches(selector, metadata.labels),
    anchor: anchorOf(selector),
  });
}
