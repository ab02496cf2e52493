/**
 * Finds the node where a pod that fits nowhere can take the place of less important ones. Upstream: kube-scheduler v1.36
 * plugins/defaultpreemption/default_preemption.go, framework/preemption/preemption.go. Upstream starts at a random node; here
 * at the first.
 */
import { compareText } from "../../api/go/text-order.ts";
import type { Pod, PodDisruptionBudget } from "../../api/types.ts";
import type { NodeInfo } from "../cache/node-info.ts";
import type { PodInfo } from "../cache/pod-info.ts";
import type { Snapshot } from "../cache/snapshot.ts";
import { type Diagnosis, fitErrorMessage } from "../framework/fit-error.ts";
import { NodeRejections } from "../framework/node-rejections.ts";
import type { PodFilter, Rejection } from "../framework/plugin.ts";
import { nobody, type Passes, selectVictims, startTimeOf, type Victims } from "./victims.ts";

const candidatePercentageMin = 10;
const candidateCountMin = 100;
const priorityOffset = 2 ** 31;

export type PreemptionResult =
  | { readonly type: "nominated"; readonly node: string; readonly victims: Victims }
  /** `clears`: an earlier nomination is removed. */
  | { readonly type: "refused"; readonly message: string; readonly clears: boolean };

interface Candidate {
  readonly node: string;
  readonly victims: Victims;
}

export interface PreemptionRequest {
  readonly pod: PodInfo;
  readonly diagnosis: Diagnosis;
  readonly filters: readonly PodFilter[];
  readonly snapshot: Snapshot;
  readonly budgets: readonly PodDisruptionBudget[];
  readonly passes: Passes;
}

export function preempt(request: PreemptionRequest): PreemptionResult {
  const { pod, diagnosis, snapshot } = request;
  const ineligible = ineligibility(pod, diagnosis, snapshot);
  if (ineligible !== undefined) return { type: "refused", message: ineligible, clears: false };
  const { candidates, rejections } = findCandidates(request);
  const best = bestCandidate(candidates);
  if (best !== undefined) return { type: "nominated", ...best };
  const { nodeCount, standsFor } = diagnosis;
  const refused = { nodeCount, standsFor, byNode: rejections, absent: notHelpful };
  const message = fitErrorMessage(refused, "");
  return { type: "refused", message, clears: true };
}

const notHelpful: Rejection = {
  plugin: "DefaultPreemption",
  unresolvable: true,
  reasons: ["Preemption is not helpful for scheduling"],
};

function rejectionOf(
  { preFilter, byNode, absent }: Diagnosis,
  node: NodeInfo | undefined,
): Rejection | undefined {
  return preFilter ?? (node && byNode.of(node)) ?? absent;
}

/** Upstream: PodEligibleToPreemptOthers. */
function ineligibility(
  { pod, priority }: PodInfo,
  diagnosis: Diagnosis,
  snapshot: Snapshot,
): string | undefined {
  if (pod.spec.preemptionPolicy === "Never") return "not eligible due to preemptionPolicy=Never.";
  const nominated = snapshot.node(pod.status?.nominatedNodeName ?? "");
  if (nominated === undefined || rejectionOf(diagnosis, nominated)?.unresolvable === true)
    return undefined;
  for (const other of nominated.pods.values()) {
    if (other.priority < priority && isBeingPreempted(other.pod))
      return "not eligible due to a terminating pod on the nominated node.";
  }
  return undefined;
}

function isBeingPreempted({ metadata, status }: Pod): boolean {
  return (
    metadata.deletionTimestamp !== undefined &&
    (status?.conditions ?? []).some(
      ({ type, status: value, reason }) =>
        type === "DisruptionTarget" && value === "True" && reason === "PreemptionByScheduler",
    )
  );
}

/** Upstream: findCandidates, DryRunPreemption. */
function findCandidates(request: PreemptionRequest): {
  readonly candidates: readonly Candidate[];
  readonly rejections: NodeRejections;
} {
  const { pod, filters, snapshot, budgets, passes } = request;
  const nodes = helpfulNodes(request);
  const wanted = Math.max(
    Math.trunc((nodes.length * candidatePercentageMin) / 100),
    candidateCountMin,
  );
  const candidates: Candidate[] = [];
  const rejections = new NodeRejections();
  // Without pods of a lower priority no node has victims, and none needs to be tried.
  const hasVictims = nodes.length > 0 && snapshot.hasPodsBelow(pod.priority);
  let harmless = 0;
  for (const node of nodes) {
    const answer = hasVictims ? selectVictims(pod, node, filters, budgets, passes) : nobody;
    if (!answer.ok) {
      rejections.add(node, answer.rejection);
      continue;
    }
    candidates.push({ node: node.name, victims: answer.victims });
    if (answer.victims.violations === 0) harmless++;
    if (harmless > 0 && candidates.length >= wanted) break;
  }
  return { candidates, rejections };
}

/**
 * Nodes whose rejection may go away with other pods. None if PreFilter rejected the pod: no victim changes that.
 * Upstream: nodesWherePreemptionMightHelp.
 */
function helpfulNodes({ diagnosis, snapshot }: PreemptionRequest): readonly NodeInfo[] {
  const { byNode } = diagnosis;
  const helpful = new Set<NodeInfo>();
  for (const [i, node] of byNode.nodes.entries())
    if (byNode.rejections[i]?.unresolvable === false) helpful.add(node);
  return snapshot.nodes.filter((node) => helpful.has(node));
}

/** Lower numbers are better; each decides only where the earlier ones tie. Upstream: pickOneNodeForPreemption. */
function bestCandidate(candidates: readonly Candidate[]): Candidate | undefined {
  const ranks = candidates.map((candidate) => ({ candidate, rank: rankOf(candidate) }));
  let best = ranks[0];
  for (const other of ranks)
    if (best !== undefined && isBetter(other.rank, best.rank)) best = other;
  return best?.candidate;
}

interface Rank {
  readonly numbers: readonly number[];
  /** The earliest start of the most important victims; the later the better. */
  readonly startTime: string;
}

function rankOf({ victims: { pods, violations } }: Candidate): Rank {
  const highest = pods[0]?.priority ?? 0;
  const sum = pods.reduce((total, { priority }) => total + priority + priorityOffset, 0);
  const foremost = pods.filter(({ priority }) => priority === highest);
  const [startTime = ""] = foremost.map((p) => startTimeOf(p.pod)).sort(compareText);
  return {
    numbers: [violations, highest, sum, pods.length],
    startTime,
  };
}

function isBetter(a: Rank, b: Rank): boolean {
  for (const [i, number] of a.numbers.entries()) {
    const other = b.numbers[i] ?? 0;
    if (number !== other) return number < other;
  }
  return a.startTime > b.startTime;
}
