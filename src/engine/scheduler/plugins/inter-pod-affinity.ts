/**
 * Pods that want to be near others, or far from them; and the wishes of the pods that are there already.
 * Upstream: kube-scheduler v1.36 plugins/interpodaffinity/filtering.go.
 */
import type { Node, Pod } from "../../api/types.ts";
import type { FailedRule } from "../../trace/decision.ts";
import { type AffinityTerm, termMatches, termText } from "../cache/affinity-term.ts";
import type { NodeInfo } from "../cache/node-info.ts";
import { type PodInfo, podInfo } from "../cache/pod-info.ts";
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
import { TopologySums } from "./topology-sums.ts";

function wrongNeighbours(terms: readonly AffinityTerm[]): Rejection {
  return {
    plugin: "InterPodAffinity",
    unresolvable: true,
    reasons: ["node(s) didn't match pod affinity rules"],
    explain: () => explainTerms("pod-affinity", terms, "none of them there"),
  };
}

function unwantedNeighbours(terms: readonly AffinityTerm[]): Rejection {
  return {
    plugin: "InterPodAffinity",
    unresolvable: false,
    reasons: ["node(s) didn't match pod anti-affinity rules"],
    explain: () => explainTerms("pod-anti-affinity", terms, "some of them there"),
  };
}

function explainTerms(
  rule: "pod-affinity" | "pod-anti-affinity",
  terms: readonly AffinityTerm[],
  found: string,
): readonly FailedRule[] {
  const wantedField = `spec.affinity.${rule === "pod-affinity" ? "podAffinity" : "podAntiAffinity"}`;
  const word = rule === "pod-affinity" ? "near" : "away from";
  return terms.map((term) => ({ rule, wanted: `${word} ${termText(term)}`, wantedField, found }));
}

const unwantedByNeighbours: Rejection = {
  plugin: "InterPodAffinity",
  unresolvable: false,
  reasons: ["node(s) didn't satisfy existing pods anti-affinity rules"],
  explain: () => [
    {
      rule: "existing-pod-anti-affinity",
      wanted: "no pod there that wants to be away from this one",
      found: "a pod whose spec.affinity.podAntiAffinity matches this pod's labels",
    },
  ],
};

interface AffinityState {
  /** Pods that match all of the pod's affinity terms. */
  readonly affinity: TopologySums;
  /** Pods that match one of its anti-affinity terms. */
  readonly antiAffinity: TopologySums;
  /** Pods with an anti-affinity term that the pod matches. */
  readonly existing: TopologySums;
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
    if (!this.#isNearWanted(node)) return wrongNeighbours(this.#pod.requiredAffinity);
    if (this.#isNearUnwanted(node)) return unwantedNeighbours(this.#pod.requiredAntiAffinity);
    return this.#isUnwanted(node) ? unwantedByNeighbours : undefined;
  }

  readonly copy = (): ShiftingFilter =>
    new AffinityFilter(this.#pod, this.#snapshot, {
      affinity: this.#state.affinity.copy(),
      antiAffinity: this.#state.antiAffinity.copy(),
      existing: this.#state.existing.copy(),
    });

  shift(other: PodInfo, { node }: NodeInfo, by: 1 | -1): void {
    const { namespaceLabels } = this.#snapshot;
    const { requiredAffinity, requiredAntiAffinity, pod } = this.#pod;
    for (const term of other.requiredAntiAffinity) {
      if (termMatches(term, pod, namespaceLabels))
        this.#state.existing.add(term.topologyKey, node, by);
    }
    if (matchesAllTerms(requiredAffinity, other.pod, this.#snapshot)) {
      for (const { topologyKey } of requiredAffinity)
        this.#state.affinity.add(topologyKey, node, by);
    }
    for (const term of requiredAntiAffinity) {
      if (termMatches(term, other.pod, namespaceLabels))
        this.#state.antiAffinity.add(term.topologyKey, node, by);
    }
  }

  /** The first pod of a group that wants to be with itself may go anywhere that has the topology. */
  #isNearWanted(node: Node): boolean {
    const { requiredAffinity, pod } = this.#pod;
    let podsExist = true;
    for (const { topologyKey } of requiredAffinity) {
      if (node.metadata.labels?.[topologyKey] === undefined) return false;
      if (this.#state.affinity.of(topologyKey, node) <= 0) podsExist = false;
    }
    if (podsExist) return true;
    return this.#state.affinity.isEmpty && matchesAllTerms(requiredAffinity, pod, this.#snapshot);
  }

  #isNearUnwanted(node: Node): boolean {
    const { antiAffinity } = this.#state;
    return this.#pod.requiredAntiAffinity.some(
      (term) => antiAffinity.of(term.topologyKey, node) > 0,
    );
  }

  #isUnwanted(node: Node): boolean {
    return this.#state.existing.isAnyPositive(node);
  }
}

function preFilter(pod: PodInfo, snapshot: Snapshot): PreFilterResult {
  const existing = new TopologySums();
  for (const { kind, term, byNode } of snapshot.terms.all()) {
    if (kind === "requiredAntiAffinity" && termMatches(term, pod.pod, snapshot.namespaceLabels))
      existing.addCounts(term.topologyKey, byNode, snapshot);
  }
  const { requiredAffinity, requiredAntiAffinity } = pod;
  if (existing.isEmpty && requiredAffinity.length === 0 && requiredAntiAffinity.length === 0)
    return skip;
  const affinity = new TopologySums();
  if (requiredAffinity.length > 0) {
    const byNode = countTermMatches(snapshot, requiredAffinity);
    for (const { topologyKey } of requiredAffinity)
      affinity.addCounts(topologyKey, byNode, snapshot);
  }
  const antiAffinity = new TopologySums();
  for (const term of requiredAntiAffinity)
    antiAffinity.addCounts(term.topologyKey, countTermMatches(snapshot, [term]), snapshot);
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
