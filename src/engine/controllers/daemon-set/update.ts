/**
 * Which daemon pods a rolling update replaces next. Upstream: pkg/controller/daemon/update.go rollingUpdate,
 * findUpdatedPodsOnNode, updatedDesiredNodeCounts v1.36.
 */

import { scaledUp } from "../../matching/int-or-percent.ts";
import type { Instant } from "../../trace/instant.ts";
import { isPodAvailable, isTerminating } from "../workload/pod-status.ts";
import { type DaemonSet, isPodUpdated, type Pod } from "./daemon-pod.ts";

export interface Replacement {
  readonly remove: readonly Pod[];
  /** Nodes that get a second pod beside the old one. */
  readonly surgeOnto: readonly string[];
}

export interface UpdateInput {
  readonly set: DaemonSet;
  readonly podsByNode: ReadonlyMap<string, readonly Pod[]>;
  /** By name of node, for all nodes. */
  readonly wantsPod: ReadonlyMap<string, boolean>;
  readonly hash: string;
  readonly now: Instant;
}

/** False for OnDelete, whatever its limits say. */
export function allowsSurge(set: DaemonSet): boolean {
  return set.spec?.updateStrategy?.type !== "OnDelete" && limits(set, 100).surge > 0;
}

function limits(
  set: DaemonSet,
  desired: number,
): { readonly surge: number; readonly unavailable: number } {
  const { maxSurge, maxUnavailable } = set.spec?.updateStrategy?.rollingUpdate ?? {};
  const surge = scaledUp(maxSurge, desired);
  const unavailable = scaledUp(maxUnavailable, desired);
  return desired > 0 && surge === 0 && unavailable === 0
    ? { surge: 0, unavailable: 1 }
    : { surge, unavailable };
}

/** Returns what to replace next, or an error. */
export function nextReplacement(input: UpdateInput): Replacement | string {
  const wanting = [...input.wantsPod].filter(([, wants]) => wants).map(([node]) => node);
  const podsByNode = new Map(input.podsByNode);
  for (const node of wanting) if (!podsByNode.has(node)) podsByNode.set(node, []);
  const { surge, unavailable } = limits(input.set, wanting.length);
  return surge === 0
    ? withoutSurge({ ...input, podsByNode }, unavailable)
    : withSurge({ ...input, podsByNode }, surge, wanting.length);
}

function withoutSurge(input: UpdateInput, maxUnavailable: number): Replacement {
  const useless: Pod[] = [];
  const candidates: Pod[] = [];
  let unavailable = 0;
  for (const pods of input.podsByNode.values()) {
    const found = oldAndNew(input, pods);
    if (found === undefined || (found.old === undefined) === (found.new === undefined)) {
      unavailable++;
    } else if (found.new !== undefined) {
      if (!isAvailable(input, found.new)) unavailable++;
    } else if (found.old !== undefined) {
      if (isAvailable(input, found.old)) {
        candidates.push(found.old);
      } else {
        useless.push(found.old);
        unavailable++;
      }
    }
  }
  return {
    remove: [...useless, ...candidates.slice(0, Math.max(0, maxUnavailable - unavailable))],
    surgeOnto: [],
  };
}

function withSurge(
  input: UpdateInput,
  maxSurge: number,
  desiredCount: number,
): Replacement | string {
  const remove: Pod[] = [];
  const unwanted: Pod[] = [];
  const allowed: string[] = [];
  const candidates: string[] = [];
  let [surging, available] = [0, 0];
  for (const [node, pods] of input.podsByNode) {
    const found = oldAndNew(input, pods);
    if (found === undefined) {
      surging++;
      continue;
    }
    const { old, new: updated } = found;
    const counted = old ?? updated;
    if (counted !== undefined && isAvailable(input, counted)) available++;
    if (old === undefined) continue;
    if (updated !== undefined) {
      if (isAvailable(input, updated)) remove.push(old);
      else surging++;
      continue;
    }
    const wantsPod = input.wantsPod.get(node);
    if (wantsPod === undefined)
      return `couldn't get node for nodeName "${node}": node "${node}" not found`;
    const isServing = isAvailable(input, old);
    if (wantsPod) (isServing ? candidates : allowed).push(node);
    else (isServing ? unwanted : remove).push(old);
  }
  // Pods on nodes that should not run one go once enough other pods are available.
  const dispensable = unwanted.slice(0, Math.max(0, available - desiredCount));
  return {
    remove: [...remove, ...dispensable],
    surgeOnto: [...allowed, ...candidates.slice(0, Math.max(0, maxSurge - surging))],
  };
}

function isAvailable({ set, now }: UpdateInput, pod: Pod): boolean {
  return isPodAvailable(pod, set.spec?.minReadySeconds ?? 0, now);
}

/** Returns undefined if there are two old or two new pods, which are cleaned up first. */
function oldAndNew(
  { set, hash }: UpdateInput,
  pods: readonly Pod[],
): { readonly old: Pod | undefined; readonly new: Pod | undefined } | undefined {
  const alive = pods.filter((pod) => !isTerminating(pod));
  const updated = alive.filter((pod) => isPodUpdated(set, pod, hash));
  const old = alive.filter((pod) => !isPodUpdated(set, pod, hash));
  return updated.length > 1 || old.length > 1 ? undefined : { old: old[0], new: updated[0] };
}
