/**
 * One scheduling cycle: finds the nodes that pass all filters, and the one that scores best.
 * Upstream: kube-scheduler v1.36 pkg/scheduler/schedule_one.go schedulePod, findNodesThatFitPod, prioritizeNodes;
 * runtime/framework.go. Among nodes of equal score upstream picks one at random; here the first without a pressure taint wins,
 * else the first. Not modeled: extenders, several profiles, reuse of an earlier pod's result (gate OpportunisticBatching).
 */
import { goQuote } from "../api/go/text.ts";
import { withFields } from "../api/json.ts";
import type { NodeInfo } from "./cache/node-info.ts";
import type { PodInfo } from "./cache/pod-info.ts";
import type { Snapshot } from "./cache/snapshot.ts";
import type { Diagnosis, StandsFor } from "./framework/fit-error.ts";
import { NodeRejections } from "./framework/node-rejections.ts";
import type { Plugin, PluginName, PodFilter, PodScorer, Rejection } from "./framework/plugin.ts";
import type { Nominator } from "./queue/nominator.ts";

const feasibleCountMin = 100;
const feasiblePercentageMin = 5;
const runnerUpCountMax = 10;

export interface ScoredNode {
  readonly node: NodeInfo;
  readonly score: number;
}

export type CycleResult =
  | { readonly type: "no-nodes" }
  /** A plugin failed. */
  | { readonly type: "error"; readonly error: string }
  | {
      readonly type: "fits";
      readonly node: NodeInfo;
      readonly diagnosis: Diagnosis;
      /** The other feasible nodes, with their scores. */
      readonly others: readonly ScoredNode[];
      readonly score: number;
    }
  | {
      readonly type: "unfit";
      readonly diagnosis: Diagnosis;
      readonly filters: readonly PodFilter[];
    };

/** The only nodes that can take the pod. NodeAffinity is the one plugin that names any. */
interface NamedNodes {
  readonly by: PluginName;
  readonly names: ReadonlySet<string>;
}

export class SchedulingCycle {
  readonly #plugins: readonly Plugin[];
  readonly #snapshot: Snapshot;
  readonly #nominator: Nominator;
  readonly #standsFor: StandsFor | undefined;
  /** Where the next search starts, so that in large clusters every node gets its turn. */
  #nextNode = 0;

  constructor(
    plugins: readonly Plugin[],
    snapshot: Snapshot,
    nominator: Nominator,
    standsFor?: StandsFor,
  ) {
    this.#plugins = plugins;
    this.#standsFor = standsFor;
    this.#snapshot = snapshot;
    this.#nominator = nominator;
  }

  schedule(pod: PodInfo): CycleResult {
    const nodeCount = this.#snapshot.nodes.length;
    if (nodeCount === 0) return { type: "no-nodes" };
    const standsFor = this.#standsFor;
    const counts = {
      nodeCount:
        standsFor === undefined
          ? nodeCount
          : this.#snapshot.nodes.reduce((sum, { name }) => sum + standsFor(name), 0),
      standsFor,
    };
    const before = this.#runPreFilters(pod);
    if (before.type === "rejected") {
      const diagnosis = withFields(counts, {
        preFilter: before.rejection,
        byNode: new NodeRejections(),
      });
      return { type: "unfit", diagnosis, filters: [] };
    }
    const { filters, narrowed } = before;
    const nominated = this.#snapshot.node(pod.pod.status?.nominatedNodeName ?? "");
    if (nominated !== undefined && this.passes(pod, filters, nominated) === undefined) {
      const diagnosis = withFields(counts, { byNode: new NodeRejections() });
      return { type: "fits", node: nominated, diagnosis, others: [], score: 0 };
    }
    const nodes = narrowed === undefined ? this.#snapshot.nodes : this.#named(narrowed.names);
    const { feasible, byNode } = this.#search(pod, filters, nodes);
    this.#nextNode = (this.#nextNode + feasible.length + byNode.size) % nodeCount;
    const diagnosis: Diagnosis = withFields(counts, {
      byNode,
      ...(narrowed !== undefined && { absent: absentRejection(narrowed.by) }),
    });
    const error = feasible.length > 1 ? this.#preScoreError(pod) : undefined;
    if (error !== undefined) return { type: "error", error };
    const best = this.#best(pod, feasible);
    return best === undefined
      ? { type: "unfit", diagnosis, filters }
      : { type: "fits", diagnosis, ...best };
  }

  /**
   * Returns why the pod cannot run on the node; undefined if it can. It must fit both with and without the nominated pods of
   * its own or a higher priority, because they may never come. Upstream: RunFilterPluginsWithNominatedPods.
   */
  passes(pod: PodInfo, filters: readonly PodFilter[], node: NodeInfo): Rejection | undefined {
    const nominated = this.#nominator.on(node.name);
    if (nominated.length === 0) return firstRejection(filters, node);
    const counted = nominated.filter(
      (other) => other.uid !== pod.uid && other.priority >= pod.priority,
    );
    if (counted.length > 0) {
      const imagined = node.copy();
      const shifted = filters.map((filter) => {
        const copy = filter.copy?.();
        for (const other of counted) copy?.shift(other, node, 1);
        return copy ?? filter;
      });
      for (const other of counted) imagined.add(other);
      const rejection = firstRejection(shifted, imagined);
      if (rejection !== undefined) return asOf(rejection, imagined);
    }
    return firstRejection(filters, node);
  }

  #runPreFilters(pod: PodInfo):
    | { readonly type: "rejected"; readonly rejection: Rejection }
    | {
        readonly type: "filters";
        readonly filters: readonly PodFilter[];
        readonly narrowed: NamedNodes | undefined;
      } {
    const filters: PodFilter[] = [];
    let narrowed: NamedNodes | undefined;
    for (const plugin of this.#plugins) {
      const result = plugin.preFilter?.(pod, this.#snapshot);
      if (result === undefined || result.type === "skip") continue;
      if (result.type === "reject") return { type: "rejected", rejection: result.rejection };
      filters.push(result.filter);
      if (result.nodeNames !== undefined) narrowed = { by: plugin.name, names: result.nodeNames };
    }
    return { type: "filters", filters, narrowed };
  }

  /** In the order of the snapshot. A DaemonSet's pod names one node, which is looked up directly. */
  #named(names: ReadonlySet<string>): readonly NodeInfo[] {
    if (names.size > 1) return this.#snapshot.nodes.filter(({ name }) => names.has(name));
    return [...names].flatMap((name) => this.#snapshot.node(name) ?? []);
  }

  /** Upstream: findNodesThatPassFilters. */
  #search(
    pod: PodInfo,
    filters: readonly PodFilter[],
    nodes: readonly NodeInfo[],
  ): { readonly feasible: readonly NodeInfo[]; readonly byNode: NodeRejections } {
    const wanted = feasibleCountWanted(nodes.length);
    const feasible: NodeInfo[] = [];
    const byNode = new NodeRejections();
    for (let i = 0; i < nodes.length && feasible.length < wanted; i++) {
      const node = nodes[(this.#nextNode + i) % nodes.length];
      if (node === undefined) continue;
      const rejection = this.passes(pod, filters, node);
      if (rejection === undefined) feasible.push(node);
      else byNode.add(node, rejection);
    }
    return { feasible, byNode };
  }

  #preScoreError(pod: PodInfo): string | undefined {
    for (const { name, preScoreError } of this.#plugins) {
      const error = preScoreError?.(pod);
      if (error !== undefined) return `running PreScore plugin ${goQuote(name)}: ${error}`;
    }
    return undefined;
  }

  #best(
    pod: PodInfo,
    feasible: readonly NodeInfo[],
  ):
    | {
        readonly node: NodeInfo;
        readonly score: number;
        readonly others: readonly ScoredNode[];
      }
    | undefined {
    const [only] = feasible;
    if (only === undefined) return undefined;
    if (feasible.length === 1) return { node: only, score: 0, others: [] };
    const totals = feasible.map(() => 0);
    for (const { weight = 0, preScore } of this.#plugins) {
      const scorer = preScore?.(pod, feasible, this.#snapshot);
      if (scorer !== undefined) addScores(totals, scorer, feasible, weight);
    }
    let best = 0;
    for (let i = 1; i < totals.length; i++) {
      const more = (totals[i] ?? 0) - (totals[best] ?? 0);
      if (more > 0 || (more === 0 && isShort(feasible[best]) && !isShort(feasible[i]))) best = i;
    }
    return {
      node: feasible[best] ?? only,
      score: totals[best] ?? 0,
      others: runnersUp(feasible, totals, best),
    };
  }
}

/** True if the node has a pressure taint: its kubelet admits hardly any pod, so choosing it would fail again and again. */
function isShort(node: NodeInfo | undefined): boolean {
  return node?.node.spec.taints?.some(({ key }) => key.endsWith("-pressure")) === true;
}

/** Has the rejection explained by the node that was filtered: the copy with nominated pods. */
function asOf(rejection: Rejection, imagined: NodeInfo): Rejection {
  const { explain } = rejection;
  return explain === undefined ? rejection : { ...rejection, explain: () => explain(imagined) };
}

/** Returns the best of the other nodes, as many as explanations keep. */
function runnersUp(
  nodes: readonly NodeInfo[],
  totals: readonly number[],
  best: number,
): readonly ScoredNode[] {
  const kept: ScoredNode[] = [];
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i];
    const score = totals[i] ?? 0;
    const isFull = kept.length === runnerUpCountMax;
    if (node === undefined || i === best || (isFull && score <= (kept.at(-1)?.score ?? 0)))
      continue;
    if (isFull) kept.pop();
    const at = kept.findIndex((other) => other.score < score);
    kept.splice(at < 0 ? kept.length : at, 0, { node, score });
  }
  return kept;
}

function addScores(
  totals: number[],
  scorer: PodScorer,
  nodes: readonly NodeInfo[],
  weight: number,
): void {
  const scores = nodes.map((node) => scorer.score(node));
  scorer.normalize?.(scores);
  for (let i = 0; i < scores.length; i++) totals[i] = (totals[i] ?? 0) + (scores[i] ?? 0) * weight;
}

function firstRejection(filters: readonly PodFilter[], node: NodeInfo): Rejection | undefined {
  for (const filter of filters) {
    const rejection = filter.check(node);
    if (rejection !== undefined) return rejection;
  }
  return undefined;
}

function absentRejection(plugin: PluginName): Rejection {
  return {
    plugin,
    unresolvable: true,
    reasons: [`node(s) didn't satisfy plugin(s) [${plugin}]`],
  };
}

/** In large clusters the search stops at a share of the nodes. Upstream: numFeasibleNodesToFind. */
function feasibleCountWanted(nodeCount: number): number {
  if (nodeCount < feasibleCountMin) return nodeCount;
  const percentage = Math.max(50 - Math.trunc(nodeCount / 125), feasiblePercentageMin);
  return Math.max(Math.trunc((nodeCount * percentage) / 100), feasibleCountMin);
}
