/**
 * Nodes near pods that a pod would like to be near are preferred, and those that like it; others less.
 * Upstream: kube-scheduler v1.36 plugins/interpodaffinity/scoring.go.
 */
import { termMatches } from "../cache/affinity-term.ts";
import type { NodeInfo } from "../cache/node-info.ts";
import type { PlacedTerm } from "../cache/placed-terms.ts";
import type { CountsByNode } from "../cache/pod-counts.ts";
import type { PodInfo } from "../cache/pod-info.ts";
import type { Snapshot } from "../cache/snapshot.ts";
import { maxNodeScore, type PodScorer } from "../framework/plugin.ts";
import { countTermMatches } from "./affinity-counts.ts";

/** What another pod's required affinity for this one is worth. Upstream: DefaultHardPodAffinityWeight. */
const requiredAffinityWeight = 1;

/** Scores by topology key and value, as `key\nvalue`. */
type TopologyScores = Map<string, number>;

export function affinityScorer(
  pod: PodInfo,
  _nodes: readonly NodeInfo[],
  snapshot: Snapshot,
): PodScorer | undefined {
  const { preferredAffinity, preferredAntiAffinity } = pod;
  const wishes = preferredAffinity.length + preferredAntiAffinity.length;
  if (wishes === 0 && snapshot.terms.isEmpty) return undefined;
  const scores: TopologyScores = new Map();
  for (const { term, weight } of preferredAffinity)
    addAll(scores, term.topologyKey, countTermMatches(snapshot, [term]), weight, snapshot);
  for (const { term, weight } of preferredAntiAffinity)
    addAll(scores, term.topologyKey, countTermMatches(snapshot, [term]), -weight, snapshot);
  for (const placed of snapshot.terms.all()) {
    const weight = weightOf(placed);
    if (weight !== 0 && termMatches(placed.term, pod.pod, snapshot.namespaceLabels))
      addAll(scores, placed.term.topologyKey, placed.byNode, weight, snapshot);
  }
  if (scores.size === 0) return undefined;
  const keys = new Set([...scores.keys()].map((pair) => pair.split("\n")[0] ?? ""));
  return {
    score: ({ node }) => {
      let sum = 0;
      for (const key of keys) {
        const value = node.metadata.labels?.[key];
        if (value !== undefined) sum += scores.get(`${key}\n${value}`) ?? 0;
      }
      return sum;
    },
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

function addAll(
  scores: TopologyScores,
  key: string,
  byNode: CountsByNode,
  weight: number,
  snapshot: Snapshot,
): void {
  for (const [name, count] of byNode) {
    const value = snapshot.node(name)?.node.metadata.labels?.[key];
    if (value === undefined) continue;
    const pair = `${key}\n${value}`;
    scores.set(pair, (scores.get(pair) ?? 0) + weight * count);
  }
}

function normalize(scores: number[]): void {
  const highest = Math.max(...scores);
  const lowest = Math.min(...scores);
  const range = highest - lowest;
  for (const [i, score] of scores.entries()) {
    scores[i] = range === 0 ? 0 : Math.trunc((maxNodeScore * (score - lowest)) / range);
  }
}
