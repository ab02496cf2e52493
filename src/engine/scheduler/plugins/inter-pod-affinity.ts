/**
 * Required affinity and anti-affinity between pods, including the anti-affinity of the pods already on nodes.
 * Upstream: kube-scheduler v1.36 plugins/interpodaffinity/filtering.go.
 */
import type { Node, Pod } from "../../api/types.ts";
import type { KubernetesVersion } from "../../scenario.ts";
import type { FailedRule } from "../../trace/decision.ts";
import {
  wakesPodsForNominatedNeighbours,
  wakesPodsForTheirNewLabels,
  wakesPodsForThoseThatRepelledThem,
} from "../../version-differences.ts";
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
    explain: () => explainTerms("pod-affinity", terms, "no such pod there"),
  };
}

function unwantedNeighbours(terms: readonly AffinityTerm[]): Rejection {
  return {
    plugin: "InterPodAffinity",
    unresolvable: false,
    reasons: ["node(s) didn't match pod anti-affinity rules"],
    explain: () => explainTerms("pod-anti-affinity", terms, "such a pod there"),
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
      wanted: "no pod there whose anti-affinity excludes this pod",
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

  /** The first pod of a group with affinity to itself may go to any node that has the topology labels. */
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

/**
 * Hints do not know the labels of namespaces: they match only namespaces that a term names, or all if its namespaceSelector is
 * empty (kubernetes/kubernetes#141953).
 */
const inNamedNamespaces: Pick<Snapshot, "namespaceLabels"> = { namespaceLabels: () => undefined };

function isSought({ requiredAffinity }: PodInfo, other: Pod): boolean {
  return matchesAllTerms(requiredAffinity, other, inNamedNamespaces);
}

/**
 * True if the pod avoids the other one. Matching one term would be enough, but the hints of these versions want all of them to
 * match (kubernetes/kubernetes#139161, fixed in 1.37).
 */
function isAvoided({ requiredAntiAffinity }: PodInfo, other: Pod): boolean {
  return matchesAllTerms(requiredAntiAffinity, other, inNamedNamespaces);
}

/** True if the other pod has become one to be near to, or is no longer one to avoid. Upstream: isSchedulableAfterPodChange. */
function becameBetter(pod: PodInfo, before: Pod, after: Pod): boolean {
  if (!isSought(pod, before) && isSought(pod, after)) return true;
  return isAvoided(pod, before) && !isAvoided(pod, after);
}

/** Upstream: isSchedulableAfterPodChange. */
function wasInTheWay(pod: PodInfo, gone: Pod, version: KubernetesVersion): boolean {
  const wasOnNode = (gone.spec.nodeName ?? "") !== "";
  if (!wasOnNode && !wakesPodsForNominatedNeighbours(version)) return false;
  if (isAvoided(pod, gone)) return true;
  return wakesPodsForThoseThatRepelledThem(version) && isAvoided(podInfo(gone), pod.pod);
}

/** A node without the topology label never violates anti-affinity. Upstream: isSchedulableAfterNodeChange. */
function mayTake(pod: PodInfo, { metadata: { labels } }: Node): boolean {
  return (
    pod.requiredAntiAffinity.length > 0 ||
    pod.requiredAffinity.some(({ topologyKey }) => labels?.[topologyKey] !== undefined)
  );
}

/**
 * True if the node came into a topology that the pod's affinity needs, or left one that its anti-affinity avoids.
 * Upstream: isSchedulableAfterNodeChange.
 */
function hasMoved(pod: PodInfo, before: Node, after: Node): boolean {
  const move = ({ topologyKey }: AffinityTerm): "none" | "in" | "out" | "over" => {
    const was = before.metadata.labels?.[topologyKey];
    const is = after.metadata.labels?.[topologyKey];
    if (was === is) return "none";
    if (was === undefined) return "in";
    return is === undefined ? "out" : "over";
  };
  return (
    pod.requiredAffinity.some((term) => ["in", "over"].includes(move(term))) ||
    pod.requiredAntiAffinity.some((term) => ["out", "over"].includes(move(term)))
  );
}

export function interPodAffinity(version: KubernetesVersion): Plugin {
  return {
    name: "InterPodAffinity",
    preFilter,
    weight: 2,
    preScore: affinityScorer,
    hints: [
      hint("AssignedPodAdd", (pod, event) => isSought(pod, eventObject(event))),
      hint(
        "AssignedPodUpdateLabel",
        (pod, { before, after }) =>
          before !== undefined && after !== undefined && becameBetter(pod, before, after),
      ),
      hint("AssignedPodDelete", (pod, event) => wasInTheWay(pod, eventObject(event), version)),
      ...(wakesPodsForTheirNewLabels(version) ? [hint("TargetPodUpdateLabel")] : []),
      hint("NodeAdd", (pod, event) => mayTake(pod, eventObject(event))),
      hint(
        "NodeUpdateLabel",
        (pod, { before, after }) =>
          before !== undefined && after !== undefined && hasMoved(pod, before, after),
      ),
    ],
  };
}
