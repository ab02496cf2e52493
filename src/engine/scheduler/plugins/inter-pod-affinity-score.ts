/**
 * Scores nodes by preferred pod affinity and anti-affinity: that of the pod, and that of the pods already on nodes.
 * Upstream: kube-scheduler v1.36 plugins/interpodaffinity/scoring.go.
 */
import { termMatches } from "../cache/affinity-term.ts";
import type { NodeInfo } from "../cache/node-info.ts";
import type { PlacedTerm } from "../cache/placed-terms.ts";
import type { PodInfo } from "../cache/pod-info.ts";
import type { Snapshot } from "../cache/snapshot.ts";
import { maxNodeScore, type PodScorer } from "../framework/plugin.ts";
import { countTermMatches } from "./affinity-counts.ts";
import { TopologySums } from "./topology-sums.ts";

/** The weight of another pod's required affinity for this one. Upstream: DefaultHardPodAffinityWeight. */
const requiredAffinityWeight = 1;

export function affinityScorer(
  pod: PodInfo,
  _nodes: readonly NodeInfo[],
  snapshot: Snapshot,
): PodScorer | undefined {
  const { preferredAffinity, preferredAntiAffinity } = pod;
  const wishes = preferredAffinity.length + preferredAntiAffinity.length;
  if (wishes === 0 && snapshot.terms.isEmpty) return undefined;
  const scores = new TopologySums();
  for (const { term, weight } of preferredAffinity)
    scores.addCounts(term.topologyKey, countTermMatches(snapshot, [term]), snapshot, weight);
  for (const { term, weight } of preferredAntiAffinity)
    scores.addCounts(term.topologyKey, countTermMatches(snapshot, [term]), snapshot, -weight);
  for (const placed of snapshot.terms.all()) {
    const weight = weightOf(placed);
    if (weight !== 0 && termMatches(placed.term, pod.pod, snapshot.namespaceLabels))
      scores.addCounts(placed.term.topologyKey, placed.byNode, snapshot, weight);
  }
  if (scores.isEmpty) return undefined;
  return {
    score: ({ node }) => scores.total(node),
    normalize,
  };
}

function weightOf({ kind, weight }: PlacedTerm): number {
  switch (kind) {
    case "requiredAffinity":
      return requiredAffinityWeight;
    case "preferredAffinity":
      return weight;
    case "preferredAntiAffinity":
      return -weight;
    case "requiredAntiAffinity":
      return 0;
  }
}

function normalize(scores: number[]): void {
  const highest = Math.max(...scores);
  const lowest = Math.min(...scores);
  const range = highest - lowest;
  for (const [i, score] of scores.entries()) {
    // Divides first, as upstream does: rounding may leave a result slightly below a whole number.
    scores[i] = range === 0 ? 0 : Math.trunc(maxNodeScore * ((score - lowest) / range));
  }
}
