/**
 * From which nodes a volume can be reached. Upstream: component-helpers v0.36 storage/volume/helpers.go CheckNodeAffinity.
 */
import { type Labels, requirementMatches } from "../api/selection/label-selector.ts";
import { isUsableTerm, requiredTermsError } from "../api/selection/node-selector-errors.ts";
import type { NodeSelectorTerm, PersistentVolume } from "../api/types.ts";

/** What is said where the volume cannot be reached from a node. */
export function nodeAffinityMismatch({ spec }: PersistentVolume): string {
  const terms = spec.nodeAffinity?.required?.nodeSelectorTerms ?? [];
  return requiredTermsError(terms) ?? "no matching NodeSelectorTerms";
}

/**
 * Terms are ORed, a term with neither expressions nor fields matches nothing. Upstream compares with a node that has labels
 * but no name, hence a term's matchFields do not count.
 */
export function isReachableFrom(volume: PersistentVolume, nodeLabels: Labels | undefined): boolean {
  const required = volume.spec.nodeAffinity?.required;
  return (
    required === undefined ||
    (required.nodeSelectorTerms ?? []).some((term) => matches(term, nodeLabels))
  );
}

function matches(term: NodeSelectorTerm, labels: Labels | undefined): boolean {
  return (
    !isEmpty(term) &&
    (term.matchExpressions ?? []).every((e) =>
      requirementMatches(e.key, e.operator, e.values ?? [], labels),
    ) &&
    isUsableTerm(term)
  );
}

function isEmpty({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm): boolean {
  return matchExpressions.length === 0 && matchFields.length === 0;
}

/** The label whose values alone decide; undefined where more counts. Nearly every volume names a zone, or its machine. */
export function soleLabel(
  volume: PersistentVolume,
): { readonly key: string; readonly values: readonly string[] } | undefined {
  const [term, ...otherTerms] = volume.spec.nodeAffinity?.required?.nodeSelectorTerms ?? [];
  const [expression, ...otherExpressions] = term?.matchExpressions ?? [];
  if (expression?.operator !== "In" || otherTerms.length > 0 || otherExpressions.length > 0)
    return undefined;
  if (!isUsableTerm({ matchExpressions: [expression] })) return undefined;
  return { key: expression.key, values: expression.values ?? [] };
}

/** Two volumes with the same text are reachable from the same nodes. */
export function nodeAffinitySignature(volume: PersistentVolume): string {
  const required = volume.spec.nodeAffinity?.required;
  return required === undefined ? "" : JSON.stringify(required);
}

/** The affinity in one line: `topology.kubernetes.io/zone in (a, b) or kubernetes.io/hostname in (n1)`; "" where any node will do. */
export function nodeAffinityText(volume: PersistentVolume): string {
  const required = volume.spec.nodeAffinity?.required;
  if (required === undefined) return "";
  const texts = required.nodeSelectorTerms.filter((term) => !isEmpty(term)).map(termText);
  if (texts.length === 0) return "nothing matches";
  return texts.includes("") ? "" : texts.join(" or ");
}

function termText({ matchExpressions = [] }: NodeSelectorTerm): string {
  return matchExpressions
    .map(
      (e) =>
        `${e.key} ${operatorWords[e.operator] ?? e.operator}${e.values === undefined ? "" : ` (${e.values.join(", ")})`}`,
    )
    .join(" and ");
}

const operatorWords: Readonly<Record<string, string>> = {
  In: "in",
  NotIn: "not in",
  Exists: "exists",
  DoesNotExist: "does not exist",
  Gt: ">",
  Lt: "<",
};
