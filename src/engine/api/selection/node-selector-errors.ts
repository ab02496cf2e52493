/**
 * Why a node selector term is unusable although the API server has accepted it: a pod's affinity may have values that no
 * label can have, and Gt and Lt may compare with something other than a number. Upstream: component-helpers v0.36
 * scheduling/corev1/nodeaffinity/nodeaffinity.go nodeSelectorRequirementsAsSelector; apimachinery pkg/labels NewRequirement.
 */
import { FieldPath } from "../field-path.ts";
import { parseInt64 } from "../go/parse-int.ts";
import { aggregated, goQuote } from "../go/text.ts";
import { checkLabelValue } from "../names/names.ts";
import type {
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PreferredSchedulingTerm,
} from "../types.ts";

/** A term with an unusable requirement matches nothing. */
export function isUsableTerm({ matchExpressions = [] }: NodeSelectorTerm): boolean {
  return matchExpressions.every(
    ({ operator, values = [] }) =>
      values.every((value) => checkLabelValue(value).length === 0) &&
      (!comparesNumbers(operator) || values.every((value) => parseInt64(value) !== undefined)),
  );
}

/** The error for a selector of which no term matches; undefined if all terms are usable. */
export function requiredTermsError(terms: readonly NodeSelectorTerm[]): string | undefined {
  if (terms.every(isUsableTerm)) return undefined;
  const path = new FieldPath("nodeSelectorTerms");
  return aggregated(terms.flatMap((term, index) => termErrors(term, path.index(index))));
}

/** The error for all the preferences together; undefined if all are usable. */
export function preferredTermsError(terms: readonly PreferredSchedulingTerm[]): string | undefined {
  if (terms.every(({ preference }) => isUsableTerm(preference))) return undefined;
  return aggregated(
    terms.flatMap(({ preference }, index) =>
      termErrors(preference, new FieldPath(index, undefined, false)),
    ),
  );
}

function termErrors({ matchExpressions = [] }: NodeSelectorTerm, path: FieldPath): string[] {
  return matchExpressions.flatMap((requirement, index) =>
    requirementErrors(requirement, path.child("matchExpressions").index(index).child("values")),
  );
}

function requirementErrors(
  { key, operator, values = [] }: NodeSelectorRequirement,
  path: FieldPath,
): string[] {
  const errors: string[] = [];
  const add = (value: string, at: FieldPath, complaint: string): void => {
    errors.push(`${at}: Invalid value: ${goQuote(value)}: ${complaint}`);
  };
  values.forEach((value, index) => {
    if (comparesNumbers(operator) && parseInt64(value) === undefined)
      add(value, path.index(index), "for 'Gt', 'Lt' operators, the value must be an integer");
  });
  values.forEach((value, index) => {
    const complaints = checkLabelValue(value);
    if (complaints.length > 0) add(value, path.index(index).key(key), complaints.join("; "));
  });
  return errors;
}

function comparesNumbers(operator: string): boolean {
  return operator === "Gt" || operator === "Lt";
}
