/**
 * Prefers nodes with fewer matching pods in their zone and on themselves.
 * Upstream: kube-scheduler v1.36 plugins/podtopologyspread/scoring.go.
 */

import type { Pod } from "../../api/types.ts";
import { hostnameLabel } from "../../api/well-known-labels.ts";
import type { NodeInfo } from "../cache/node-info.ts";
import type { Snapshot } from "../cache/snapshot.ts";
import { maxNodeScore, type PodScorer } from "../framework/plugin.ts";
import {
  countMatchingPods,
  defaultConstraints,
  hasAllTopologies,
  includesNode,
  ownConstraints,
  type SpreadConstraint,
} from "./spread-constraint.ts";
import type { WorkloadSelectors } from "./workload-selectors.ts";

/** Marks a node that lacks topology labels; it ends up with a score of 0. */
const ignored = -1;

/** One constraint's share of a node's score. */
interface Share {
  readonly constraint: SpreadConstraint;
  readonly weight: number;
  readonly countOn: (node: NodeInfo) => number;
}

export function spreadScorer(
  pod: Pod,
  nodes: readonly NodeInfo[],
  snapshot: Snapshot,
  workloads: WorkloadSelectors,
): PodScorer | undefined {
  const own = (pod.spec.topologySpreadConstraints ?? []).length > 0;
  const constraints = own ? ownConstraints(pod, "ScheduleAnyway") : fromWorkload(pod, workloads);
  if (constraints.length === 0) return undefined;
  // The system defaults also apply to nodes without a zone.
  const scored = own ? nodes.filter(({ node }) => hasAllTopologies(node, constraints)) : nodes;
  const shares = constraints.map((c) => share(c, pod, scored, snapshot, own ? constraints : []));
  const scoredNodes = scored.length < nodes.length ? new Set(scored) : undefined;
  return {
    score: (node) => {
      if (scoredNodes?.has(node) === false) return ignored;
      const labels = node.node.metadata.labels ?? {};
      let sum = 0;
      for (const { constraint, weight, countOn } of shares) {
        if (!Object.hasOwn(labels, constraint.topologyKey)) continue;
        sum += countOn(node) * weight + constraint.maxSkew - 1;
      }
      return Math.round(sum);
    },
    normalize,
  };
}

function fromWorkload(pod: Pod, workloads: WorkloadSelectors): readonly SpreadConstraint[] {
  const found = workloads.selectorOf(pod);
  return found === undefined ? [] : defaultConstraints(found.selector, found.signature);
}

function share(
  constraint: SpreadConstraint,
  pod: Pod,
  scored: readonly NodeInfo[],
  snapshot: Snapshot,
  required: readonly SpreadConstraint[],
): Share {
  const onNodes = countMatchingPods(snapshot, constraint, pod);
  if (constraint.topologyKey === hostnameLabel) {
    const countOn = (node: NodeInfo): number => onNodes.get(node.name) ?? 0;
    return { constraint, weight: topologyWeight(scored.length), countOn };
  }
  const domains = new Map<string, number>();
  for (const node of scored) domains.set(domainOf(node, constraint), 0);
  for (const [name, count] of onNodes) {
    const node = snapshot.node(name);
    const domain = node && domainOf(node, constraint);
    const known = domain === undefined ? undefined : domains.get(domain);
    if (node === undefined || domain === undefined || known === undefined) continue;
    if (!hasAllTopologies(node.node, required)) continue;
    if (includesNode(constraint, pod, node.node)) domains.set(domain, known + count);
  }
  return {
    constraint,
    weight: topologyWeight(domains.size),
    countOn: (node) => domains.get(domainOf(node, constraint)) ?? 0,
  };
}

function domainOf({ node }: NodeInfo, { topologyKey }: SpreadConstraint): string {
  return node.metadata.labels?.[topologyKey] ?? "";
}

/** Keeps topologies with many domains from outweighing those with few. */
function topologyWeight(domainCount: number): number {
  return Math.log(domainCount + 2);
}

/** Turns counts into scores: the fewest pods get the most. */
function normalize(scores: number[]): void {
  const counted = scores.filter((score) => score !== ignored);
  const highest = Math.max(0, ...counted);
  const lowest = counted.length === 0 ? 0 : Math.min(...counted);
  for (const [i, score] of scores.entries()) {
    if (score === ignored) scores[i] = 0;
    else if (highest === 0) scores[i] = maxNodeScore;
    else scores[i] = Math.trunc((maxNodeScore * (highest + lowest - score)) / highest);
  }
}
