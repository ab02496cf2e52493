/** What a scheduling cycle found out about the nodes, kept for explanations. */
import { makeRef } from "../api/meta.ts";
import type { Candidate, Decision, FailedRule } from "../trace/decision.ts";
import type { Diagnosis } from "./framework/fit-error.ts";
import type { PluginName, Rejection } from "./framework/plugin.ts";
import type { CycleResult } from "./scheduling-cycle.ts";

const candidateCountMax = 10;

/** A pod that got a node: which, and why not the others. */
export function scheduledDecision({
  node,
  score: best,
  others,
  diagnosis,
}: CycleResult & { type: "fits" }): Decision {
  const feasible = others.map(({ name, score }): Candidate => {
    const rule = score === best ? "node-order" : "node-score";
    const failed = [{ rule, wanted: `a score above ${best}`, found: `score ${score}` }];
    return { ref: makeRef("Node", undefined, name), failed };
  });
  return {
    reason: "Scheduled",
    chosen: makeRef("Node", undefined, node.name),
    candidates: [...feasible, ...rejected(diagnosis)].slice(0, candidateCountMax),
    candidateCount: diagnosis.nodeCount,
  };
}

/** A pod that got none. */
export function unscheduledDecision(
  reason: string,
  diagnosis: Diagnosis | undefined,
  text: string,
): Decision {
  if (diagnosis === undefined) return { reason, text };
  const { preFilter, nodeCount } = diagnosis;
  if (preFilter !== undefined) {
    // No node is to blame: what is wrong is wrong on all of them.
    const failed = rulesOf(preFilter);
    return { reason, candidates: [{ ref: "Node//*", failed }], candidateCount: nodeCount, text };
  }
  return {
    reason,
    candidates: rejected(diagnosis).slice(0, candidateCountMax),
    candidateCount: nodeCount,
    text,
  };
}

function rejected({ byNode }: Diagnosis): readonly Candidate[] {
  const candidates: Candidate[] = [];
  for (const [name, rejection] of byNode) {
    if (candidates.length === candidateCountMax) break;
    candidates.push({ ref: makeRef("Node", undefined, name), failed: rulesOf(rejection) });
  }
  return candidates;
}

function rulesOf({ plugin, reasons, explain }: Rejection): readonly FailedRule[] {
  return explain?.() ?? reasons.map((found) => ({ rule: kebab(plugin), wanted: "", found }));
}

function kebab(plugin: PluginName): string {
  return plugin.replace(/(?<!^)[A-Z]/g, "-$&").toLowerCase();
}
