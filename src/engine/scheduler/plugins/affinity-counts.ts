/** Counts the pods that match affinity terms, by node. Upstream: kube-scheduler v1.36 plugins/interpodaffinity/filtering.go. */
import type { Pod } from "../../api/types.ts";
import { type AffinityTerm, termMatches } from "../cache/affinity-term.ts";
import { anchorOf, type CountsByNode } from "../cache/pod-counts.ts";
import type { Snapshot } from "../cache/snapshot.ts";

/** False if there are no terms. Upstream: podMatchesAllAffinityTerms. */
export function matchesAllTerms(
  terms: readonly AffinityTerm[],
  pod: Pod,
  { namespaceLabels }: Pick<Snapshot, "namespaceLabels">,
): boolean {
  return terms.length > 0 && terms.every((term) => termMatches(term, pod, namespaceLabels));
}

/** The number of pods that match all of the terms, by node. */
export function countTermMatches(snapshot: Snapshot, terms: readonly AffinityTerm[]): CountsByNode {
  return snapshot.counts.of({
    key: `affinity ${terms.map((term) => term.signature).join(" and ")}`,
    matches: (pod) => matchesAllTerms(terms, pod, snapshot),
    anchor: anchorOf(terms[0]?.selector),
  });
}
