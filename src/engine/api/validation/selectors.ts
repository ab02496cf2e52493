/**
 * Label selectors, node selectors and topology terms. Upstream: apimachinery v0.36
 * pkg/apis/meta/v1/validation ValidateLabelSelector; pkg/apis/core/validation ValidateNodeSelector, ValidateNodeSelectorRequirement,
 * ValidateNodeFieldSelectorRequirement, ValidateTopologySelectorTerm, v1.36.
 */
import { asJson, type FieldErrors, sameErrorCountMax } from "../field-error.ts";
import type { FieldPath } from "../field-path.ts";
import { selectorStruct } from "../go/struct.ts";
import { compareText } from "../go/text-order.ts";
import { checkLabelKey, checkLabelValue, checkSubdomain } from "../names/names.ts";
import type {
  LabelSelector,
  LabelSelectorRequirement,
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  TopologySelectorTerm,
} from "../types.ts";
import { validateLabels } from "./object-meta.ts";

export interface SelectorOptions {
  /** True on updates of an object whose selector already has an invalid value. */
  readonly allowInvalidValues?: boolean;
}

export function validateLabelSelector(
  selector: LabelSelector | undefined,
  path: FieldPath,
  errors: FieldErrors,
  options: SelectorOptions = {},
): void {
  if (selector === undefined) return;
  if (selector.matchLabels !== undefined)
    validateLabels(selector.matchLabels, path.child("matchLabels"), errors);
  selector.matchExpressions?.forEach((requirement, index) => {
    validateRequirement(requirement, path.child("matchExpressions").index(index), errors, options);
  });
}

/** Accepts invalid values if the stored object already has one. */
export function validateRatchetedSelector(
  selector: LabelSelector | undefined,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const allowInvalidValues = errors.flaws.has("selectorValues");
  validateLabelSelector(selector, path, errors, { allowInvalidValues });
}

function validateRequirement(
  { key, operator, values = [] }: LabelSelectorRequirement,
  path: FieldPath,
  errors: FieldErrors,
  options: SelectorOptions,
): void {
  validateOperator(operator, values, path, errors);
  errors.invalidEach(path.child("key"), key, checkLabelKey(key));
  if (options.allowInvalidValues !== true) validateValues(values, path, errors);
}

/** The operators that label and node selectors share. */
function validateOperator(
  operator: string,
  values: readonly string[],
  path: FieldPath,
  errors: FieldErrors,
): void {
  switch (operator) {
    case "In":
    case "NotIn":
      if (values.length === 0)
        errors.required(
          path.child("values"),
          "must be specified when `operator` is 'In' or 'NotIn'",
        );
      break;
    case "Exists":
    case "DoesNotExist":
      if (values.length > 0) {
        errors.forbidden(
          path.child("values"),
          "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
        );
      }
      break;
    default:
      errors.invalid(path.child("operator"), asJson(operator), "not a valid selector operator");
  }
}

function validateValues(values: readonly string[], path: FieldPath, errors: FieldErrors): void {
  values.forEach((value, index) => {
    const complaints = checkLabelValue(value);
    if (complaints.length > 0)
      errors.invalidEach(path.child("values").index(index), value, complaints);
  });
}

export function selectorValue(selector: LabelSelector | undefined): { readonly json: string } {
  return asJson(selector === undefined ? null : selectorStruct(selector));
}

export function isEmptySelector(selector: LabelSelector): boolean {
  return (
    Object.keys(selector.matchLabels ?? {}).length === 0 &&
    (selector.matchExpressions ?? []).length === 0
  );
}

/** A controller of pods needs a selector, and not an empty one. `kind` is what the server's message calls the object. */
export function validateOwnSelector(
  selector: LabelSelector | undefined,
  kind: string,
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (selector === undefined) {
    errors.required(path);
    return;
  }
  validateRatchetedSelector(selector, path, errors);
  if (isEmptySelector(selector))
    errors.invalid(path, selectorValue(selector), `empty selector is invalid for ${kind}`);
}

/** True if Go can build a selector from it. Upstream: LabelSelectorAsSelector. */
export function isUsableSelector(selector: LabelSelector | undefined): boolean {
  for (const key in selector?.matchLabels) {
    if (
      checkLabelKey(key).length > 0 ||
      checkLabelValue(selector.matchLabels[key] ?? "").length > 0
    )
      return false;
  }
  return (selector?.matchExpressions ?? []).every(({ key, operator, values = [] }) => {
    const fits =
      operator === "In" || operator === "NotIn"
        ? values.length > 0
        : isExistence(operator) && values.length === 0;
    return (
      fits &&
      checkLabelKey(key).length === 0 &&
      values.every((value) => checkLabelValue(value).length === 0)
    );
  });
}

function isExistence(operator: string): boolean {
  return operator === "Exists" || operator === "DoesNotExist";
}

export interface NodeSelectorOptions {
  /** True if values must be label values: in required node affinity, of volumes and pods, since 1.33. */
  readonly valuesAreLabels: boolean;
}

export function validateNodeSelector(
  selector: NodeSelector,
  path: FieldPath,
  errors: FieldErrors,
  options: NodeSelectorOptions,
): void {
  const terms = selector.nodeSelectorTerms ?? [];
  const termsPath = path.child("nodeSelectorTerms");
  if (terms.length === 0) errors.required(termsPath, "must have at least one node selector term");
  terms.forEach((term, index) => {
    validateNodeSelectorTerm(term, termsPath.index(index), errors, options);
  });
}

export function validateNodeSelectorTerm(
  term: NodeSelectorTerm,
  path: FieldPath,
  errors: FieldErrors,
  options: NodeSelectorOptions,
): void {
  term.matchExpressions?.forEach((requirement, index) => {
    validateNodeRequirement(
      requirement,
      path.child("matchExpressions").index(index),
      errors,
      options,
    );
  });
  term.matchFields?.forEach((requirement, index) => {
    validateNodeFieldRequirement(requirement, path.child("matchFields").index(index), errors);
  });
}

function validateNodeRequirement(
  { key, operator, values = [] }: NodeSelectorRequirement,
  path: FieldPath,
  errors: FieldErrors,
  options: NodeSelectorOptions,
): void {
  if (operator === "Gt" || operator === "Lt") {
    if (values.length !== 1) {
      errors.required(
        path.child("values"),
        "must be specified single value when `operator` is 'Lt' or 'Gt'",
      );
    }
  } else {
    validateOperator(operator, values, path, errors);
  }
  errors.invalidEach(path.child("key"), key, checkLabelKey(key));
  if (options.valuesAreLabels && !errors.flaws.has("nodeAffinityValues"))
    validateValues(values, path, errors);
}

function validateNodeFieldRequirement(
  { key, operator, values = [] }: NodeSelectorRequirement,
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (operator !== "In" && operator !== "NotIn") {
    errors.invalid(path.child("operator"), asJson(operator), "not a valid selector operator");
  } else if (values.length !== 1) {
    errors.required(
      path.child("values"),
      "must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
    );
  }
  if (key !== "metadata.name")
    errors.invalid(path.child("key"), key, "not a valid field selector key");
  else {
    values.forEach((value, index) => {
      errors.invalidEach(path.child("values").index(index), value, checkSubdomain(value));
    });
  }
}

/** A class's allowedTopologies. Terms that mean the same, and empty ones, count as duplicates. */
export function validateTopologyTerms(
  terms: readonly TopologySelectorTerm[] | undefined,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const countOf = new Map<string, number>();
  terms?.forEach((term, index) => {
    const at = path.index(index).child("matchLabelExpressions");
    const meaning = validateTopologyTerm(term, at, errors);
    const earlier = countOf.get(meaning) ?? 0;
    // The server also compares with as many empty terms as there are terms.
    const count = (meaning === "" ? terms.length : 0) + earlier;
    for (let repeat = 0; repeat < Math.min(count, sameErrorCountMax); repeat++)
      errors.duplicate(at, "");
    countOf.set(meaning, earlier + 1);
  });
}

/** Returns the term's keys and sets of values as one comparable text. */
function validateTopologyTerm(
  term: TopologySelectorTerm,
  path: FieldPath,
  errors: FieldErrors,
): string {
  const meaning = new Map<string, string>();
  term.matchLabelExpressions?.forEach(({ key, values = [] }, index) => {
    const at = path.index(index);
    const seen = new Set<string>();
    if (values.length === 0) errors.required(at.child("values"));
    values.forEach((value, position) => {
      if (seen.has(value)) errors.duplicate(at.child("values").index(position), value);
      seen.add(value);
    });
    errors.invalidEach(at.child("key"), key, checkLabelKey(key));
    if (meaning.has(key)) errors.duplicate(at.child("key"), key);
    else meaning.set(key, JSON.stringify([...seen].sort(compareText)));
  });
  return [...meaning]
    .map(([key, values]) => `${key}=${values}`)
    .sort(compareText)
    .join(";");
}
