/**
 * Nodes whose cpu and memory would be used up evenly are preferred.
 * Upstream: kube-scheduler v1.36 plugins/noderesources/balanced_allocation.go.
 */
import type { KubernetesVersion } from "../../scenario.ts";
import { balanceCountsChange, scoresBalanceOfBestEffort } from "../../version-differences.ts";
import type { NodeInfo } from "../cache/node-info.ts";
import { maxNodeScore, type Plugin } from "../framework/plugin.ts";

/** 100 where both fractions are equal, 50 where one is all and the other nothing. */
function balance(node: NodeInfo, more: ReadonlyMap<string, number> | undefined): number {
  const fractions: number[] = [];
  for (const resource of ["cpu", "memory"]) {
    const capacity = node.amountAllocatable(resource);
    if (capacity === 0) continue;
    const requested = node.amountRequested(resource) + (more?.get(resource) ?? 0);
    fractions.push(Math.min(1, requested / capacity));
  }
  const [a, b] = fractions;
  const deviation = a === undefined || b === undefined ? 0 : Math.abs((a - b) / 2);
  return Math.trunc((1 - deviation) * maxNodeScore);
}

export function nodeResourcesBalancedAllocation(version: KubernetesVersion): Plugin {
  return {
    name: "NodeResourcesBalancedAllocation",
    weight: 1,
    preScore: ({ requests }) => {
      const isBestEffort = (requests.get("cpu") ?? 0) === 0 && (requests.get("memory") ?? 0) === 0;
      if (isBestEffort && !scoresBalanceOfBestEffort(version)) return undefined;
      if (!balanceCountsChange(version)) return { score: (node) => balance(node, requests) };
      const half = maxNodeScore / 2;
      return {
        score: (node) =>
          half + Math.trunc((half + balance(node, requests) - balance(node, undefined)) / 2),
      };
    },
    hints: [],
  };
}
