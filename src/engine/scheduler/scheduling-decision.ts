/** The trace's decision about a pod, made from what a scheduling cycle found out about the nodes. */
import type { Candidate, Decision, FailedRule } from "../trace/decision.ts";
import type { NodeInfo } from "./cache/node-info.ts";
import type { Diagnosis } from "./framework/fit-error.ts";
import type { PluginName, Rejection } from "./framework/plugin.ts";
import type { CycleResult } from "./scheduling-cycle.ts";

const candidateCountMax = 10;

/** Returns the decision for a pod that got a node: which node, and why not the others. */
export function scheduledDecision({
  node,
  score: best,
  others,
  diagnosis,
}: CycleResult & { type: "fits" }): Decision {
  const wanted = `a score above ${best}`;
  // Shared among nodes of equal score: there are many, and the trace keeps the decisions of all pods.
  const failedByScore = new Map<number, readonly FailedRule[]>();
  const feasible = others.map(({ node: other, score }): Candidate => {
    let failed = failedByScore.get(score);
    if (failed === undefined) {
      const found = `score ${score}`;
      failed =
        score === best
          ? [{ rule: "node-order", wanted: "to come first among nodes with the same score", found }]
          : [{ rule: "node-score", wanted, found }];
      failedByScore.set(score, failed);
    }
    return { ref: other.ref, failed };
  });
  return {
    reason: "Scheduled",
    chosen: node.ref,
    candidates: [...feasible, ...rejected(diagnosis, candidateCountMax - feasible.length)],
    candidateCount: diagnosis.nodeCount,
  };
}

/** Returns the decision for a pod that got no node. A rejection before any node was filtered applies to each of `nodes`. */
export function unscheduledDecision(
  reason: string,
  diagnosis: Diagnosis | undefined,
  text: string,
  nodes: readonly NodeInfo[] = [],
): Decision {
  if (diagnosis === undefined) return { reason, text };
  const { preFilter, nodeCount } = diagnosis;
  const candidates =
    preFilter === undefined ? rejected(diagnosis, candidateCountMax) : rejectedBy(preFilter, nodes);
  return { reason, candidates, candidateCount: nodeCount, text };
}

function rejectedBy(rejection: Rejection, nodes: readonly NodeInfo[]): readonly Candidate[] {
  const [first] = nodes;
  if (first === undefined) return [];
  const failed = rulesOf(rejection, first);
  return nodes.slice(0, candidateCountMax).map(({ ref }) => ({ ref, failed }));
}

function rejected(
  { byNode: { nodes, rejections } }: Diagnosis,
  countMax: number,
): readonly Candidate[] {
  const candidates: Candidate[] = [];
  for (const [i, node] of nodes.entries()) {
    const rejection = rejections[i];
    if (candidates.length >= countMax || rejection === undefined) break;
    candidates.push({ ref: node.ref, failed: rulesOf(rejection, node) });
  }
  return candidates;
}

function rulesOf({ plugin, reasons, explain }: Rejection, node: NodeInfo): readonly FailedRule[] {
  const wanted = `what the ${plugin} plugin requires`;
  return explain?.(node) ?? reasons.map((found) => ({ rule: kebab(plugin), wanted, found }));
}

function kebab(plugin: PluginName): string {
  return plugin.replace(/(?<!^)[A-Z]/g, "-$&").toLowerCase();
}
