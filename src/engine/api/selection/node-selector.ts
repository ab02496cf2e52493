/**
 * Which nodes a node selector matches. Upstream: component-helpers v0.36 scheduling/corev1/nodeaffinity/nodeaffinity.go.
 */
import type { NodeSelector, NodeSelectorTerm, TopologySelectorTerm } from "../types.ts";
import { type Labels, requirementMatches } from "./label-selector.ts";
import { isUsableTerm } from "./node-selector-errors.ts";

/** Terms are ORed; a term without requirements matches nothing; an absent selector matches every node. */
export function nodeSelectorMatches(
  selector: NodeSelector | undefined,
  nodeName: string,
  labels: Labels | undefined,
): boolean {
  return (
    selector === undefined || nodeSelectorTermsMatch(selector.nodeSelectorTerms, nodeName, labels)
  );
}

export function nodeSelectorTermsMatch(
  terms: readonly NodeSelectorTerm[] | undefined,
  nodeName: string,
  labels: Labels | undefined,
): boolean {
  return (terms ?? []).some((term) => nodeSelectorTermMatches(term, nodeName, labels));
}

export function nodeSelectorTermMatches(
  term: NodeSelectorTerm,
  nodeName: string,
  labels: Labels | undefined,
): boolean {
  const expressions = term.matchExpressions ?? [];
  const fields = term.matchFields ?? [];
  if (expressions.length === 0 && fields.length === 0) return false;
  return (
    expressions.every((e) => requirementMatches(e.key, e.operator, e.values ?? [], labels)) &&
    fields.every((f) => fieldMatches(f.key, f.operator, f.values ?? [], nodeName)) &&
    isUsableTerm(term)
  );
}

function fieldMatches(
  key: string,
  operator: string,
  values: readonly string[],
  nodeName: string,
): boolean {
  if (key !== "metadata.name" || values.length !== 1) return false;
  if (operator === "In") return values[0] === nodeName;
  return operator === "NotIn" && values[0] !== nodeName;
}

/** A StorageClass's allowedTopologies: terms are ORed; without any, all match. Upstream: MatchTopologySelectorTerms. */
export function topologyTermsMatch(
  terms: readonly TopologySelectorTerm[] | undefined,
  labels: Labels | undefined,
): boolean {
  if (terms === undefined || terms.length === 0) return true;
  return terms.some((term) => {
    const expressions = term.matchLabelExpressions ?? [];
    return (
      expressions.length > 0 &&
      expressions.every((e) => requirementMatches(e.key, "In", e.values, labels))
    );
  });
}
