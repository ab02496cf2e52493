/**
 * The affinity terms of the pods on nodes, equal terms merged: an incoming pod is compared with each distinct term once,
 * however many pods have it. Upstream compares with every pod that has terms (interpodaffinity getExistingAntiAffinityCounts,
 * scoring.go processExistingPod).
 */
import type { AffinityTerm } from "./affinity-term.ts";
import type { PodInfo } from "./pod-info.ts";

export type TermKind =
  | "requiredAffinity"
  | "requiredAntiAffinity"
  | "preferredAffinity"
  | "preferredAntiAffinity";

export interface PlacedTerm {
  readonly kind: TermKind;
  readonly term: AffinityTerm;
  readonly weight: number;
  /** How many pods with this term each node has. */
  readonly byNode: Map<string, number>;
}

/** All terms of a pod, with kind and weight. */
function* termsOf(
  pod: PodInfo,
): Generator<{ readonly kind: TermKind; readonly term: AffinityTerm; readonly weight: number }> {
  for (const term of pod.requiredAffinity) yield { kind: "requiredAffinity", term, weight: 1 };
  for (const term of pod.requiredAntiAffinity)
    yield { kind: "requiredAntiAffinity", term, weight: 1 };
  for (const { term, weight } of pod.preferredAffinity)
    yield { kind: "preferredAffinity", term, weight };
  for (const { term, weight } of pod.preferredAntiAffinity)
    yield { kind: "preferredAntiAffinity", term, weight };
}

function hasTerms(pod: PodInfo): boolean {
  return (
    pod.requiredAffinity.length > 0 ||
    pod.requiredAntiAffinity.length > 0 ||
    pod.preferredAffinity.length > 0 ||
    pod.preferredAntiAffinity.length > 0
  );
}

export class PlacedTerms {
  readonly #terms = new Map<string, PlacedTerm>();

  *all(): Generator<PlacedTerm> {
    yield* this.#terms.values();
  }

  get isEmpty(): boolean {
    return this.#terms.size === 0;
  }

  shift(pod: PodInfo, node: string, by: 1 | -1): void {
    if (!hasTerms(pod)) return;
    for (const { kind, term, weight } of termsOf(pod)) {
      const key = `${kind} ${weight} ${term.topologyKey} ${term.signature}`;
      let placed = this.#terms.get(key);
      if (placed === undefined) {
        placed = { kind, term, weight, byNode: new Map() };
        this.#terms.set(key, placed);
      }
      const count = (placed.byNode.get(node) ?? 0) + by;
      if (count > 0) placed.byNode.set(node, count);
      else placed.byNode.delete(node);
      if (placed.byNode.size === 0) this.#terms.delete(key);
    }
  }
}
