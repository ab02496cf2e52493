/**
 * Rejects nodes without room for the pod's requests, and prefers emptier ones.
 * Upstream: kube-scheduler v1.36 plugins/noderesources/{fit,least_allocated}.go. Not modeled: resources that a device driver
 * provides (DRA), ignored resources.
 */
import { bytesText, quantityOf } from "../../api/quantity.ts";
import type { Node } from "../../api/types.ts";
import type { KubernetesVersion } from "../../scenario.ts";
import type { FailedRule } from "../../trace/decision.ts";
import { sparesTooSmallNodes } from "../../version-differences.ts";
import type { NodeInfo } from "../cache/node-info.ts";
import { roomColumns as columns } from "../cache/node-room.ts";
import { type PodInfo, podInfo } from "../cache/pod-info.ts";
import {
  type Amount,
  allocatableOf,
  inOrderOfReport,
  type MainAmounts,
  mainAmounts,
  mainResources,
} from "../cache/resources.ts";
import { eventObject } from "../framework/cluster-event.ts";
import {
  hint,
  maxNodeScore,
  type Plugin,
  type PodFilter,
  type Rejection,
} from "../framework/plugin.ts";

const nanosPerThousandth = 1_000_000n;

interface Shortage {
  readonly resource: string;
  readonly wanted: number;
  readonly used: number;
  readonly capacity: number;
}

function explainShortage({ resource, wanted, used, capacity }: Shortage): FailedRule {
  const amount = (n: number): string => amountText(resource, n);
  return {
    rule: "node-resources",
    wanted: `${resource} ${amount(wanted)}`,
    ...(resource !== "pods" && { wantedField: `spec.containers.resources.requests.${resource}` }),
    found: `${amount(capacity - used)} of ${amount(capacity)} free`,
    foundField: `status.allocatable.${resource}`,
  };
}

/** The amount as people write it: `500m` for cpu, `20Gi` for bytes. */
function amountText(resource: string, amount: number): string {
  if (resource === "cpu") return quantityOf(BigInt(amount) * nanosPerThousandth, "DecimalSI").text;
  const isSize =
    resource === "memory" || resource === "ephemeral-storage" || resource.startsWith("hugepages-");
  return isSize ? bytesText(BigInt(amount)) : String(amount);
}

function shortagesOn(node: NodeInfo, requests: readonly Amount[]): readonly Shortage[] {
  const shortages: Shortage[] = [];
  const used = node.pods.size;
  if (used + 1 > node.slots)
    shortages.push({ resource: "pods", wanted: 1, used, capacity: node.slots });
  for (const [resource, wanted] of requests) {
    const capacity = node.amountAllocatable(resource);
    const used = node.amountRequested(resource);
    if (wanted > capacity - used) shortages.push({ resource, wanted, used, capacity });
  }
  return shortages;
}

function rejectionFor(
  shortages: readonly Shortage[],
  requests: readonly Amount[],
  version: KubernetesVersion,
): Rejection {
  return {
    plugin: "NodeResourcesFit",
    unresolvable:
      sparesTooSmallNodes(version) &&
      shortages.some((s) => s.resource !== "pods" && s.wanted > s.capacity),
    reasons: shortages.map((s) =>
      s.resource === "pods" ? "Too many pods" : `Insufficient ${s.resource}`,
    ),
    explain: (node) => shortagesOn(node, requests).map(explainShortage),
  };
}

/** Bits for the resources that a node is short of; `always`: even the empty node would be. */
const short = { pods: 1, cpu: 2, memory: 4, ephemeralStorage: 8, always: 16 } as const;

/** Runs for each pod and node, so it compares plain numbers; nodes that are short of the same resources share a rejection. */
class FitFilter implements PodFilter {
  readonly #requests: readonly Amount[];
  readonly #main: Readonly<MainAmounts>;
  readonly #asksForOthers: boolean;
  readonly #version: KubernetesVersion;
  readonly #rejections: (Rejection | undefined)[] = [];

  constructor(pod: PodInfo, version: KubernetesVersion) {
    this.#version = version;
    this.#requests = inOrderOfReport(pod.requests);
    this.#main = mainAmounts(pod.requests);
    this.#asksForOthers = this.#requests.some(([name]) => !mainResources.includes(name));
  }

  check(node: NodeInfo): Rejection | undefined {
    if (this.#asksForOthers) {
      const shortages = shortagesOn(node, this.#requests);
      return shortages.length === 0 ? undefined : this.#rejectionFor(shortages);
    }
    const kind = this.#shortOf(node);
    if (kind === 0) return undefined;
    this.#rejections[kind] ??= this.#rejectionFor(shortagesOn(node, this.#requests));
    return this.#rejections[kind];
  }

  #rejectionFor(shortages: readonly Shortage[]): Rejection {
    return rejectionFor(shortages, this.#requests, this.#version);
  }

  #shortOf({ room: { values }, row }: NodeInfo): number {
    const { cpu, memory, ephemeralStorage } = this.#main;
    const at = (column: number): number => values[row + column] ?? 0;
    return (
      (at(columns.pods) >= 1 ? 0 : short.pods) |
      shortOf(short.cpu, cpu, at(columns.cpu), at(columns.cpuInAll)) |
      shortOf(short.memory, memory, at(columns.memory), at(columns.memoryInAll)) |
      shortOf(
        short.ephemeralStorage,
        ephemeralStorage,
        at(columns.ephemeralStorage),
        at(columns.ephemeralStorageInAll),
      )
    );
  }
}

/** Returns 0 if enough is free. */
function shortOf(bit: number, wanted: number, free: number, inAll: number): number {
  if (wanted <= 0 || wanted <= free) return 0;
  return wanted <= inAll ? bit : bit | short.always;
}

/** True if the pod would fit on the node with no other pods on it. Upstream: isFit. */
function fitsEmptyNode(pod: PodInfo, node: Node): boolean {
  const allocatable = allocatableOf(node);
  if ((allocatable.get("pods") ?? 0) < 1) return false;
  return [...pod.requests].every(([name, amount]) => amount <= (allocatable.get(name) ?? 0));
}

/** Upstream: haveAnyRequestedResourcesIncreased. */
function hasMoreOfWanted(pod: PodInfo, before: Node, after: Node): boolean {
  const [was, is] = [allocatableOf(before), allocatableOf(after)];
  const grew = (name: string): boolean => (is.get(name) ?? 0) > (was.get(name) ?? 0);
  return grew("pods") || [...pod.requests].some(([name, amount]) => amount > 0 && grew(name));
}

export function nodeResourcesFit(version: KubernetesVersion): Plugin {
  return {
    name: "NodeResourcesFit",
    preFilter: (pod) => ({ type: "filter", filter: new FitFilter(pod, version) }),
    weight: 1,
    preScore: ({ requestsForScore }) => ({
      score: ({ allocatableForScore: capacity, requestedForScore: requested }) => {
        const cpu = freeShare(capacity.cpu, requested.cpu + requestsForScore.cpu);
        const memory = freeShare(capacity.memory, requested.memory + requestsForScore.memory);
        const count = (capacity.cpu === 0 ? 0 : 1) + (capacity.memory === 0 ? 0 : 1);
        return count === 0 ? 0 : Math.trunc((cpu + memory) / count);
      },
    }),
    hints: [
      hint("AssignedPodDelete"),
      hint("AssignedPodScaleDown", (pod, { before, after }) => {
        if (before === undefined || after === undefined) return false;
        const [was, is] = [podInfo(before).requests, podInfo(after).requests];
        return [...pod.requests].some(
          ([name, amount]) => amount > 0 && (was.get(name) ?? 0) > (is.get(name) ?? 0),
        );
      }),
      hint("TargetPodScaleDown"),
      hint("NodeAdd", (pod, event) => fitsEmptyNode(pod, eventObject(event))),
      hint(
        "NodeUpdateAllocatable",
        (pod, { before, after }) =>
          before !== undefined &&
          after !== undefined &&
          fitsEmptyNode(pod, after) &&
          hasMoreOfWanted(pod, before, after),
      ),
    ],
  };
}

/** Upstream: leastRequestedScore; leastResourceScorer weights cpu and memory equally. */
function freeShare(capacity: number, requested: number): number {
  if (capacity === 0 || requested > capacity) return 0;
  return Math.trunc(((capacity - requested) * maxNodeScore) / capacity);
}
