/**
 * Selects the pods that would have to leave a node for another to fit. Upstream: kube-scheduler v1.36
 * plugins/defaultpreemption/default_preemption.go SelectVictimsOnNode, filterPodsWithPDBViolation.
 */
import { labelSelectorMatches } from "../../api/selection/label-selector.ts";
import type { Pod, PodDisruptionBudget } from "../../api/types.ts";
import type { NodeInfo } from "../cache/node-info.ts";
import type { PodInfo } from "../cache/pod-info.ts";
import type { PodFilter, Rejection } from "../framework/plugin.ts";

export interface Victims {
  /** The most important first; never empty. */
  readonly pods: readonly PodInfo[];
  /** How many of them a PodDisruptionBudget protects. */
  readonly violations: number;
}

export type VictimsAnswer =
  | { readonly ok: true; readonly victims: Victims }
  | { readonly ok: false; readonly rejection: Rejection };

/** Returns why the pod does not fit the node as it is passed; undefined if it fits. */
export type Passes = (filters: readonly PodFilter[], node: NodeInfo) => Rejection | undefined;

/** The answer for a node without pods of a lower priority, or where none of them needs to go. */
export const nobody: VictimsAnswer = {
  ok: false,
  rejection: {
    plugin: "DefaultPreemption",
    unresolvable: true,
    reasons: ["No preemption victims found for incoming pod"],
  },
};

/** Takes as few victims as possible: removes all less important pods, then puts back as many as still leave room. */
export function selectVictims(
  pod: PodInfo,
  node: NodeInfo,
  filters: readonly PodFilter[],
  budgets: readonly PodDisruptionBudget[],
  passes: Passes,
): VictimsAnswer {
  const potential = lessImportant(node, pod);
  if (potential === undefined) return nobody;
  const imagined = node.copy();
  const shifting = filters.map((filter) => filter.copy?.());
  const shifted = filters.map((filter, i) => shifting[i] ?? filter);
  const shift = (other: PodInfo, by: 1 | -1): void => {
    if (by > 0) imagined.add(other);
    else imagined.remove(other.uid);
    for (const filter of shifting) filter?.shift(other, imagined, by);
  };
  for (const other of potential) shift(other, -1);
  const rejection = passes(shifted, imagined);
  if (rejection !== undefined) return { ok: false, rejection };
  const victims: PodInfo[] = [];
  const staysOrGoes = (other: PodInfo): boolean => {
    shift(other, 1);
    if (passes(shifted, imagined) === undefined) return true;
    shift(other, -1);
    victims.push(other);
    return false;
  };
  const { violating, others } = byBudget(inImportance(potential), budgets);
  const violations = violating.filter((other) => !staysOrGoes(other)).length;
  for (const other of others) staysOrGoes(other);
  if (victims.length === 0) return nobody;
  const isMixed = violating.length > 0 && others.length > 0;
  return { ok: true, victims: { pods: isMixed ? inImportance(victims) : victims, violations } };
}

/** Undefined if there are none, as on most nodes. */
function lessImportant(node: NodeInfo, { priority }: PodInfo): PodInfo[] | undefined {
  let found: PodInfo[] | undefined;
  for (const other of node.listed) {
    if (other.priority >= priority) continue;
    found ??= [];
    found.push(other);
  }
  return found;
}

/**
 * Sorts by importance. Upstream takes the current time as start of a pod that has not started, so of two such pods its sort
 * always ranks the later one higher: they come out in reverse.
 */
function inImportance(pods: readonly PodInfo[]): PodInfo[] {
  const started = pods.filter(({ pod }) => pod.status?.startTime !== undefined);
  const waiting = pods.filter(({ pod }) => pod.status?.startTime === undefined);
  return [...started, ...waiting.reverse()].sort(byImportance);
}

/**
 * Among pods of equal priority, the one that has run longer is more important. Upstream: util.MoreImportantPod,
 * GetPodStartTime.
 */
function byImportance(a: PodInfo, b: PodInfo): number {
  if (a.priority !== b.priority) return b.priority - a.priority;
  const [x, y] = [startTimeOf(a.pod), startTimeOf(b.pod)];
  return x < y ? -1 : x > y ? 1 : 0;
}

/** A pod that has not started yet counts as the newest. */
export function startTimeOf(pod: Pod): string {
  return pod.status?.startTime ?? "~";
}

function byBudget(
  pods: readonly PodInfo[],
  budgets: readonly PodDisruptionBudget[],
): { readonly violating: readonly PodInfo[]; readonly others: readonly PodInfo[] } {
  const allowed = budgets.map((budget) => budget.status?.disruptionsAllowed ?? 0);
  const violating: PodInfo[] = [];
  const others: PodInfo[] = [];
  for (const info of pods) {
    let isViolation = false;
    for (const [i, budget] of budgets.entries()) {
      if (!protects(budget, info.pod)) continue;
      // The budget has counted this pod's disruption already.
      if (budget.status?.disruptedPods?.[info.pod.metadata.name] !== undefined) continue;
      const left = (allowed[i] ?? 0) - 1;
      allowed[i] = left;
      if (left < 0) isViolation = true;
    }
    (isViolation ? violating : others).push(info);
  }
  return { violating, others };
}

/** Here a budget without a selector, or with an empty one, protects no pods. */
function protects({ metadata, spec }: PodDisruptionBudget, pod: Pod): boolean {
  if (metadata.namespace !== pod.metadata.namespace || pod.metadata.labels === undefined)
    return false;
  const { matchLabels = {}, matchExpressions = [] } = spec.selector ?? {};
  const isEmpty = Object.keys(matchLabels).length === 0 && matchExpressions.length === 0;
  return !isEmpty && labelSelectorMatches(spec.selector, pod.metadata.labels);
}
