/**
 * Pods that want to be near others, or far from them; and the wishes of the pods that are there already.
 * Upstream: kube-scheduler v1.36 plugins/interpodaffinity/filtering.go.
 */
import type { Node, Pod } from "../../api/types.ts";
import { termMatches } from "../cache/affinity-term.ts";
import type { NodeInfo } from "../cache/node-info.ts";
import { type PodInfo, podInfo } from "../cache/pod-info.ts";
import type { CountsByNode } from "../cache/pod-counts.ts";
import type { Snapshot } from "../cache/snapshot.ts";
import { eventObject } from "../framework/cluster-event.ts";
import {
  hint,
  type Plugin,
  type PreFilterResult,
  type Rejection,
  type ShiftingFilter,
  skip,
} from "../framework/plugin.ts";
import { countTermMatches, matchesAllTerms } from "./affinity-counts.ts";
import { affinityScorer } from "./inter-pod-affinity-score.ts";

function reject(reason: string, unresolvable: boolean, rule: string): Rejection {
  return {
    plugin: "InterPodAffinity",
    unresolvable,
    reasons: [reason],
    explain: () => [{ rule, wanted: "", found: reason }],
  };
}

const affinityRejection = reject("node(s) didn't match pod affinity rules", true, "pod-affinity");
const antiAffinityRejection = reject(
  "node(s) didn't match pod anti-affinity rules",
  false,
  "pod-anti-affinity",
);
const existingRejection = reject(
  "node(s) didn't satisfy existing pods anti-affinity rules",
  false,
  "existing-pod-anti-affinity",
);

/** Pods by topology key and value, as `key\nvalue`. */
type TopologyCounts = Map<string, number>;

function addToTopology(
  counts: TopologyCounts,
  key: string,
  node: Node | undefined,
  by: number,
): void {
  const value = node?.metadata.labels?.[key];
  if (value === undefined) return;
  const pair = `${key}\n${value}`;
  const count = (counts.get(pair) ?? 0) + by;
  if (count === 0) counts.delete(pair);
  else counts.set(pair, count);
}

function addAll(
  counts: TopologyCounts,
  key: string,
  byNode: CountsByNode,
  snapshot: Snapshot,
): void {
  for (const [name, count] of byNode) addToTopology(counts, key, snapshot.node(name)?.node, count);
}

interface AffinityState {
  /** Pods that match all of the pod's affinity terms. */
  readonly affinity: TopologyCounts;
  /** Pods that match one of its anti-affinity terms. */
  readonly antiAffinity: TopologyCounts;
  /** Pods with an anti-affinity term that the pod matches. */
  readonly existing: TopologyCounts;
}

class AffinityFilter implements ShiftingFilter {
  readonly #pod: PodInfo;
  readonly #snapshot: Snapshot;
  readonly #state: AffinityState;

  constructor(pod: PodInfo, snapshot: Snapshot, state: AffinityState) {
    this.#pod = pod;
    this.#snapshot = snapshot;
    this.#state = state;
  }

  check({ node }: NodeInfo): Rejection | undefined {
    if (!this.#isNearWanted(node)) return affinityRejection;
    if (this.#isNearUnwanted(node)) return antiAffinityRejection;
    return this.#isUnwanted(node) ? existingRejection : undefined;
  }

  readonly copy = (): ShiftingFilter =>
    new AffinityFilter(this.#pod, this.#snapshot, {
      affinity: new Map(this.#state.affinity),
      antiAffinity: new Map(this.#state.antiAffinity),
      existing: new Map(this.#state.existing),
    });

  shift(other: PodInfo, { node }: NodeInfo, by: 1 | -1): void {
    const { namespaceLabels } = this.#snapshot;
    const { requiredAffinity, requiredAntiAffinity, pod } = this.#pod;
    for (const term of other.requiredAntiAffinity) {
      if (termMatches(term, pod, namespaceLabels))
        addToTopology(this.#state.existing, term.topologyKey, node, by);
    }
    if (matchesAllTerms(requiredAffinity, other.pod, this.#snapshot)) {
      for (const { topologyKey } of requiredAffinity)
        addToTopology(this.#state.affinity, topologyKey, node, by);
    }
    for (const term of requiredAntiAffinity) {
      if (termMatches(term, other.pod, namespaceLabels))
        addToTopology(this.#state.antiAffinity, term.topologyKey, node, by);
    }
  }

  /** The first pod of a group that wants to be with itself may go anywhere that has the topology. */
  #isNearWanted(node: Node): boolean {
    const { requiredAffinity, pod } = this.#pod;
    let podsExist = true;
    for (const { topologyKey } of requiredAffinity) {
      const value = node.metadata.labels?.[topologyKey];
      if (value === undefined) return false;
      if ((this.#state.affinity.get(`${topologyKey}\n${value}`) ?? 0) <= 0) podsExist = false;
    }
    if (podsExist) return true;
    return (
      this.#state.affinity.size === 0 && matchesAllTerms(requiredAffinity, pod, this.#snapshot)
    );
  }

  #isNearUnwanted(node: Node): boolean {
    const { antiAffinity } = this.#state;
    if (antiAffinity.size === 0) return false;
    return this.#pod.requiredAntiAffinity.some(({ topologyKey }) => {
      const value = node.metadata.labels?.[topologyKey];
      return value !== undefined && (antiAffinity.get(`${topologyKey}\n${value}`) ?? 0) > 0;
    });
  }

  #isUnwanted(node: Node): boolean {
    for (const [pair, count] of this.#state.existing) {
      if (count <= 0) continue;
      const [key = "", value] = pair.split("\n");
      if (node.metadata.labels?.[key] === value) return true;
    }
    return false;
  }
}

function preFilter(pod: PodInfo, snapshot: Snapshot): PreFilterResult {
  const existing: TopologyCounts = new Map();
  for (const { kind, term, byNode } of snapshot.terms.all()) {
    if (kind === "requiredAntiAffinity" && termMatches(term, pod.pod, snapshot.namespaceLabels))
      addAll(existing, term.topologyKey, byNode, snapshot);
  }
  const { requiredAffinity, requiredAntiAffinity } = pod;
  if (existing.size === 0 && requiredAffinity.length === 0 && requiredAntiAffinity.length === 0)
    return skip;
  const affinity: TopologyCounts = new Map();
  if (requiredAffinity.length > 0) {
    const byNode = countTermMatches(snapshot, requiredAffinity);
    for (const { topologyKey } of requiredAffinity) addAll(affinity, topologyKey, byNode, snapshot);
  }
  const antiAffinity: TopologyCounts = new Map();
  for (const term of requiredAntiAffinity)
    addAll(antiAffinity, term.topologyKey, countTermMatches(snapshot, [term]), snapshot);
  return {
    type: "filter",
    filter: new AffinityFilter(pod, snapshot, { affinity, antiAffinity, existing }),
  };
}

/** Upstream: isSchedulableAfterPodChange. */
function concerns(pod: PodInfo, changed: Pod, snapshot: Snapshot): boolean {
  const { namespaceLabels } = snapshot;
  if (matchesAllTerms(pod.requiredAffinity, changed, snapshot)) return true;
  if (pod.requiredAntiAffinity.some((t) => termMatches(t, changed, namespaceLabels))) return true;
  return podInfo(changed).requiredAntiAffinity.some((t) =>
    termMatches(t, pod.pod, namespaceLabels),
  );
}

function hasTopologies(pod: PodInfo, node: Node): boolean {
  const terms = [...pod.requiredAffinity, ...pod.requiredAntiAffinity];
  return (
    terms.length === 0 || terms.some((t) => node.metadata.labels?.[t.topologyKey] !== undefined)
  );
}

export function interPodAffinity(snapshot: Snapshot): Plugin {
  return {
    name: "InterPodAffinity",
    preFilter,
    weight: 2,
    preScore: affinityScorer,
    hints: [
      hint("AssignedPodAdd", (pod, event) =>
        matchesAllTerms(pod.requiredAffinity, eventObject(event), snapshot),
      ),
      hint("AssignedPodUpdateLabel", (pod, { before, after }) =>
        [before, after].some((other) => other !== undefined && concerns(pod, other, snapshot)),
      ),
      hint("AssignedPodDelete", (pod, event) => concerns(pod, eventObject(event), snapshot)),
      hint("TargetPodUpdateLabel"),
      hint("NodeAdd", (pod, event) => hasTopologies(pod, eventObject(event))),
      hint("NodeUpdateLabel", (pod, event) => hasTopologies(pod, eventObject(event))),
      hint("NodeUpdateTaint", (pod, event) => hasTopologies(pod, eventObject(event))),
    ],
  };
}
