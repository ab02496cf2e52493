/**
 * The nodes from which a volume can be reached. Upstream: component-helpers v0.36 storage/volume/helpers.go CheckNodeAffinity.
 */
import { type Labels, requirementMatches } from "../api/selection/label-selector.ts";
import { isUsableTerm, requiredTermsError } from "../api/selection/node-selector-errors.ts";
import type { NodeSelectorTerm, PersistentVolume } from "../api/types.ts";

/** The message if the volume cannot be reached from a node. */
export function nodeAffinityMismatch({ spec }: PersistentVolume): string {
  const terms = spec.nodeAffinity?.required?.nodeSelectorTerms ?? [];
  return requiredTermsError(terms) ?? "no matching NodeSelectorTerms";
}

/**
 * Terms are ORed; a term with neither expressions nor fields matches nothing. Upstream compares with a node that has labels but
 * no name, so a term's matchFields do not count.
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

/**
 * Returns the label that alone decides reachability; undefined if there is more to check. Nearly every volume names just a zone
 * or a machine.
 */
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

/** Volumes with equal signatures are reachable from the same nodes. */
export function nodeAffinitySignature(volume: PersistentVolume): string {
  const required = volume.spec.nodeAffinity?.required;
  return required === undefined ? "" : JSON.stringify(required);
}

/** Formats the affinity: `topology.kubernetes.io/zone in (a, b) or kubernetes.io/hostname in (n1)`; "" if any node will do. */
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
