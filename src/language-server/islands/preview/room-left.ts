/**
 * The assumed cluster as some objects find it if all others exist already: without the resources of its nodes that the others'
 * pods and volumes had taken at the end of the last complete run.
 */
import { nanosPerOne, parseQuantity } from "../../../engine/api/quantity.ts";
import { capacitiesOfNodes } from "../../../engine/profiles/assume-cluster.ts";
import type { ClusterProfile, NodeProfile } from "../../../engine/scenario.ts";
import type { WorkspaceObject } from "../../workspace/workspace-object.ts";
import { askedByOnePod, podCountMax } from "../parting/parting.ts";
import { type SettledEnvironment, TakenOfNode } from "./settled-environment.ts";

export interface RoomLeft {
  readonly nodes: readonly NodeProfile[];
  /** Names of the nodes that cannot take a single pod. */
  readonly full: ReadonlySet<string>;
}

export function roomLeft(
  cluster: ClusterProfile,
  settled: SettledEnvironment,
  past: ReadonlySet<WorkspaceObject>,
  /** The objects that need room, and those that influence how much. */
  entries: readonly WorkspaceObject[],
): RoomLeft {
  const demand = new Demand(entries, cluster.nodes.length);
  if (demand.podCount === 0) return { nodes: cluster.nodes, full: new Set() };
  const taken = settled.takenWithout(past);
  const limits = attachLimits(settled);
  const full = new Set<string>();
  const capacities = capacitiesOfNodes(cluster);
  const nodes = cluster.nodes.map((node, index): NodeProfile => {
    const ofNode = taken.get(node.name) ?? nothingTaken;
    const capacity = capacities[index] ?? {};
    const asked = [...demand.asked].map(([resource, of]) => {
      const given = parseQuantity(capacity[resource] ?? "0")?.nanos ?? 0n;
      const left = given - (ofNode.amounts.get(resource) ?? 0n);
      return { resource, of, given, left, isShort: left < of.least };
    });
    const isFull = asked.some(({ isShort }) => isShort);
    if (isFull) full.add(node.name);
    const ofOthers: Record<string, string> = {};
    let podCount = capacity["pods"] ?? "0";
    for (const { resource, of, given, left, isShort } of asked) {
      const useful = isFull ? (isShort ? 0n : of.most) : of.useful(left);
      if (resource === "pods") podCount = quantityText(useful);
      else if (useful < given) ofOthers[resource] = quantityText(given - useful);
    }
    const left = { ...node, capacity: { ...capacity, pods: podCount }, taken: ofOthers };
    if (isFull) return left;
    return {
      ...left,
      volumesTaken: volumesTaken(limits.get(node.name), ofNode, demand.volumeCount),
    };
  });
  return { nodes, full };
}

const nothingTaken = new TakenOfNode();

/** By node and driver; only drivers that have a limit. */
function attachLimits({
  prediction,
}: SettledEnvironment): ReadonlyMap<string, ReadonlyMap<string, number>> {
  return new Map(
    prediction.facts.list("CSINode").map(({ metadata, spec }) => {
      const limits = spec.drivers.flatMap(({ name, allocatable }) =>
        allocatable?.count === undefined ? [] : [[name, allocatable.count] as const],
      );
      return [metadata.name ?? "", new Map(limits)];
    }),
  );
}

/** Pretends that enough is taken to leave no more than is asked for: having more makes no difference between two nodes. */
function volumesTaken(
  limits: ReadonlyMap<string, number> = new Map(),
  { volumeCounts }: TakenOfNode,
  askedCount: number,
): Readonly<Record<string, number>> {
  return Object.fromEntries(
    [...limits].map(([driver, limit]) => {
      const left = Math.max(0, limit - (volumeCounts.get(driver) ?? 0));
      return [driver, limit - Math.min(left, askedCount)];
    }),
  );
}

/** What the pods of some objects request. */
class Demand {
  readonly asked = new Map<string, AskedOfResource>();
  podCount = 0;
  volumeCount = 0;

  constructor(entries: readonly WorkspaceObject[], nodeCount: number) {
    const pods = entries.flatMap((entry) => {
      const one = askedByOnePod(entry);
      return one === undefined ? [] : [{ one, count: wholeCount(podCountMax(entry, nodeCount)) }];
    });
    for (const { one, count } of pods) {
      this.podCount += count;
      this.volumeCount += count * one.volumeCount;
    }
    const isExact =
      pods.every(({ one }) => one.isExact) &&
      entries.every(({ object: { kind } }) => kind !== "LimitRange");
    this.asked.set(
      "pods",
      new AskedOfResource(
        pods.map(({ count }) => [nanosPerOne, count]),
        true,
      ),
    );
    for (const resource of new Set(pods.flatMap(({ one }) => [...one.requests.keys()]))) {
      const amounts = pods.map(
        ({ one, count }) => [one.requests.get(resource) ?? 0n, count] as const,
      );
      this.asked.set(resource, new AskedOfResource(amounts, isExact));
    }
  }
}

function wholeCount(count: number): number {
  return Number.isSafeInteger(count) && count > 0 ? count : 0;
}

/** If there are more sums than this, they are not listed. */
const sumCountMax = 64;

class AskedOfResource {
  /** What the pod with the smallest request asks for. */
  readonly least: bigint;
  /** What all pods request together. */
  readonly most: bigint;
  /** All amounts that some of the pods can request together, in order; undefined if there are too many. */
  readonly #sums: readonly bigint[] | undefined;
  readonly #isExact: boolean;

  constructor(amounts: readonly (readonly [bigint, number])[], isExact: boolean) {
    const all = amounts.map(([one]) => one).sort((a, b) => (a < b ? -1 : 1));
    this.least = isExact ? (all[0] ?? 0n) : 0n;
    this.most = amounts.reduce((sum, [one, count]) => sum + one * BigInt(count), 0n);
    this.#sums = isExact ? sumsOf(amounts) : undefined;
    this.#isExact = isExact;
  }

  /** The part of what is left that pods can use: leaving more would not distinguish two nodes. */
  useful(left: bigint): bigint {
    if (left <= 0n) return 0n;
    if (!this.#isExact) return left;
    if (left >= this.most) return this.most;
    return this.#sums?.findLast((sum) => sum <= left) ?? left;
  }
}

function sumsOf(amounts: readonly (readonly [bigint, number])[]): readonly bigint[] | undefined {
  let sums = new Set([0n]);
  for (const [one, count] of amounts) {
    if (one === 0n) continue;
    const more = new Set(sums);
    for (const sum of sums)
      for (let i = 1; i <= count; i++) {
        more.add(sum + one * BigInt(i));
        if (more.size > sumCountMax) return undefined;
      }
    sums = more;
  }
  return [...sums].sort((a, b) => (a < b ? -1 : 1));
}

function quantityText(nanos: bigint): string {
  return nanos % nanosPerOne === 0n ? String(nanos / nanosPerOne) : `${nanos / 1_000_000n}m`;
}
