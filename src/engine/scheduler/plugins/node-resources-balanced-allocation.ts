/**
 * Prefers nodes whose cpu and memory would be used evenly.
 * Upstream: kube-scheduler v1.36 plugins/noderesources/balanced_allocation.go.
 */
import type { KubernetesVersion } from "../../scenario.ts";
import { balanceCountsChange, scoresBalanceOfBestEffort } from "../../version-differences.ts";
import type { NodeInfo } from "../cache/node-info.ts";
import { type ScoredAmounts, scoredAmounts } from "../cache/resources.ts";
import { maxNodeScore, type Plugin } from "../framework/plugin.ts";

/** 100 if both fractions are equal, 50 if one is 1 and the other 0. */
function balance({ allocatable, requested }: NodeInfo, more: ScoredAmounts): number {
  const { cpu, memory } = allocatable;
  if (cpu === 0 || memory === 0) return maxNodeScore;
  const ofCpu = Math.min(1, (requested.cpu + more.cpu) / cpu);
  const ofMemory = Math.min(1, (requested.memory + more.memory) / memory);
  return Math.trunc((1 - Math.abs((ofCpu - ofMemory) / 2)) * maxNodeScore);
}

const nothing: ScoredAmounts = { cpu: 0, memory: 0 };

export function nodeResourcesBalancedAllocation(version: KubernetesVersion): Plugin {
  return {
    name: "NodeResourcesBalancedAllocation",
    weight: 1,
    preScore: ({ requests }) => {
      const more = scoredAmounts(requests);
      const isBestEffort = more.cpu === 0 && more.memory === 0;
      if (isBestEffort && !scoresBalanceOfBestEffort(version)) return undefined;
      if (!balanceCountsChange(version)) return { score: (node) => balance(node, more) };
      const half = maxNodeScore / 2;
      return {
        score: (node) =>
          half + Math.trunc((half + balance(node, more) - balance(node, nothing)) / 2),
      };
    },
    hints: [],
  };
}
