/**
 * Spreads pods over zones and nodes: by the pod's own constraints, else softly by the defaults for its service or workload.
 * Upstream: kube-scheduler v1.36 plugins/podtopologyspread/filtering.go.
 */
import { deepEqual } from "../../api/json.ts";
import { labelSelectorMatches } from "../../api/selection/label-selector.ts";
import type { Node, Pod } from "../../api/types.ts";
import type { KubernetesVersion } from "../../scenario.ts";
import { wakesPodsForNominatedNeighbours } from "../../version-differences.ts";
import type { NodeInfo } from "../cache/node-info.ts";
import type { PodInfo } from "../cache/pod-info.ts";
import type { Snapshot } from "../cache/snapshot.ts";
import { eventObject } from "../framework/cluster-event.ts";
import {
  hint,
  type Plugin,
  type PreFilterResult,
  type Rejection,
  type ShiftingFilter,
  skip,
} from "../framework/plugin.ts";
import {
  countMatchingPods,
  hasAllTopologies,
  includesNode,
  ownConstraints,
  type SpreadConstraint,
} from "./spread-constraint.ts";
import { spreadScorer } from "./spread-score.ts";
import type { WorkloadSelectors } from "./workload-selectors.ts";

function lacksLabel({ topologyKey }: SpreadConstraint): Rejection {
  return {
    plugin: "PodTopologySpread",
    unresolvable: true,
    reasons: ["node(s) didn't match pod topology spread constraints (missing required label)"],
    explain: () => [
      {
        rule: "topology-label",
        wanted: `label ${topologyKey}`,
        wantedField: "spec.topologySpreadConstraints",
        found: "no such label",
        foundField: "metadata.labels",
      },
    ],
  };
}

function skewed(constraint: SpreadConstraint, skew: number): Rejection {
  return {
    plugin: "PodTopologySpread",
    unresolvable: false,
    reasons: ["node(s) didn't match pod topology spread constraints"],
    explain: () => [
      {
        rule: "topology-spread",
        wanted: `skew of at most ${constraint.maxSkew} over ${constraint.topologyKey}`,
        wantedField: "spec.topologySpreadConstraints",
        found: `skew of ${skew}`,
      },
    ],
  };
}

/** `counts` has a map for each constraint: matching pods by the value of the topology key. */
class SpreadFilter implements ShiftingFilter {
  readonly #pod: Pod;
  readonly #constraints: readonly SpreadConstraint[];
  readonly #counts: readonly Map<string, number>[];
  #lowest: readonly number[] | undefined;

  constructor(
    pod: Pod,
    constraints: readonly SpreadConstraint[],
    counts: readonly Map<string, number>[],
  ) {
    this.#pod = pod;
    this.#constraints = constraints;
    this.#counts = counts;
  }

  check({ node }: NodeInfo): Rejection | undefined {
    this.#lowest ??= this.#constraints.map((constraint, i) => this.#lowestCount(constraint, i));
    for (const [i, constraint] of this.#constraints.entries()) {
      const value = node.metadata.labels?.[constraint.topologyKey];
      if (value === undefined) return lacksLabel(constraint);
      const matching = this.#counts[i]?.get(value) ?? 0;
      const skew = matching + (constraint.matchesItself ? 1 : 0) - (this.#lowest[i] ?? 0);
      if (skew > constraint.maxSkew) return skewed(constraint, skew);
    }
    return undefined;
  }

  readonly copy = (): ShiftingFilter =>
    new SpreadFilter(
      this.#pod,
      this.#constraints,
      this.#counts.map((counts) => new Map(counts)),
    );

  shift({ pod }: PodInfo, { node }: NodeInfo, by: 1 | -1): void {
    if (pod.metadata.namespace !== this.#pod.metadata.namespace) return;
    if (!hasAllTopologies(node, this.#constraints)) return;
    for (const [i, constraint] of this.#constraints.entries()) {
      if (!labelSelectorMatches(constraint.selector, pod.metadata.labels)) continue;
      if (!includesNode(constraint, this.#pod, node)) continue;
      const value = node.metadata.labels?.[constraint.topologyKey] ?? "";
      const counts = this.#counts[i];
      counts?.set(value, (counts.get(value) ?? 0) + by);
    }
    this.#lowest = undefined;
  }

  /** The smallest count of a domain; 0 if there are fewer domains than minDomains. */
  #lowestCount({ minDomains }: SpreadConstraint, i: number): number {
    const counts = this.#counts[i];
    if (counts === undefined || counts.size < minDomains) return 0;
    // Without any domain the result is MaxInt32, upstream's initial value (criticalPaths).
    let lowest = 2 ** 31 - 1;
    for (const count of counts.values()) lowest = Math.min(lowest, count);
    return lowest;
  }
}

function preFilter({ pod }: PodInfo, snapshot: Snapshot): PreFilterResult {
  const constraints = ownConstraints(pod, "DoNotSchedule");
  if (constraints.length === 0) return skip;
  const counts = constraints.map(() => new Map<string, number>());
  const matching = constraints.map((c) => countMatchingPods(snapshot, c, pod));
  for (const { name, node } of snapshot.nodes) {
    if (!hasAllTopologies(node, constraints)) continue;
    for (const [i, constraint] of constraints.entries()) {
      if (!includesNode(constraint, pod, node)) continue;
      const value = node.metadata.labels?.[constraint.topologyKey] ?? "";
      counts[i]?.set(value, (counts[i]?.get(value) ?? 0) + (matching[i]?.get(name) ?? 0));
    }
  }
  return { type: "filter", filter: new SpreadFilter(pod, constraints, counts) };
}

/** Upstream: getConstraints. */
function hardConstraints({ pod }: PodInfo): readonly SpreadConstraint[] {
  return ownConstraints(pod, "DoNotSchedule");
}

/** True if the waiting pod's constraints count the changed pod. Upstream: isSchedulableAfterPodChange. */
function isCounted(pod: PodInfo, { metadata }: Pod): boolean {
  if (metadata.namespace !== pod.pod.metadata.namespace) return false;
  return hardConstraints(pod).some((c) => labelSelectorMatches(c.selector, metadata.labels));
}

/** Upstream: involvedInTopologySpreading. */
function wasCounted(pod: PodInfo, gone: Pod, version: KubernetesVersion): boolean {
  const wasOnNode = (gone.spec.nodeName ?? "") !== "";
  return (wasOnNode || wakesPodsForNominatedNeighbours(version)) && isCounted(pod, gone);
}

/**
 * True if a label change makes one of the constraints count the other pod, or stop counting it. Upstream:
 * isSchedulableAfterPodChange.
 */
function countsOtherwise(pod: PodInfo, before: Pod, after: Pod): boolean {
  if (after.metadata.namespace !== pod.pod.metadata.namespace) return false;
  return hardConstraints(pod).some(
    ({ selector }) =>
      labelSelectorMatches(selector, before.metadata.labels) !==
      labelSelectorMatches(selector, after.metadata.labels),
  );
}

function hasTopologies(pod: PodInfo, node: Node): boolean {
  return hasAllTopologies(node, hardConstraints(pod));
}

/** Upstream: isSchedulableAfterNodeChange. */
function hasMoved(pod: PodInfo, before: Node, after: Node): boolean {
  const is = hasTopologies(pod, after);
  if (hasTopologies(pod, before) !== is) return true;
  const isElsewhere = ({ topologyKey }: SpreadConstraint): boolean =>
    before.metadata.labels?.[topologyKey] !== after.metadata.labels?.[topologyKey];
  return is && hardConstraints(pod).some(isElsewhere);
}

export function podTopologySpread(
  version: KubernetesVersion,
  workloads: WorkloadSelectors,
): Plugin {
  return {
    name: "PodTopologySpread",
    preFilter,
    weight: 2,
    preScore: ({ pod }, nodes, snapshot) => spreadScorer(pod, nodes, snapshot, workloads),
    hints: [
      hint("AssignedPodAdd", (pod, event) => isCounted(pod, eventObject(event))),
      hint("AssignedPodDelete", (pod, event) => wasCounted(pod, eventObject(event), version)),
      hint(
        "AssignedPodUpdateLabel",
        (pod, { before, after }) =>
          before !== undefined && after !== undefined && countsOtherwise(pod, before, after),
      ),
      hint(
        "TargetPodUpdateLabel",
        (pod, { before, after }) =>
          before !== undefined && after !== undefined && countsOtherwise(pod, before, after),
      ),
      hint("TargetPodUpdateToleration", (pod) => hardConstraints(pod).some((c) => c.honorsTaints)),
      hint("NodeAdd", (pod, event) => hasTopologies(pod, eventObject(event))),
      hint("NodeDelete", (pod, event) => hasTopologies(pod, eventObject(event))),
      hint(
        "NodeUpdateLabel",
        (pod, { before, after }) =>
          before !== undefined && after !== undefined && hasMoved(pod, before, after),
      ),
      hint(
        "NodeUpdateTaint",
        (pod, { before, after }) =>
          after !== undefined &&
          hasTopologies(pod, after) &&
          !deepEqual(before?.spec.taints, after.spec.taints),
      ),
    ],
  };
}
