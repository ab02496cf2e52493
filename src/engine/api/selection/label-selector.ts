/**
 * Which labels a label selector matches. Upstream: apimachinery v0.36 pkg/apis/meta/v1 LabelSelectorAsSelector
 * and pkg/labels Requirement.Matches.
 */
import { parseInt64 } from "../go/parse-int.ts";
import type { LabelSelector } from "../types.ts";

export type Labels = Readonly<Record<string, string>>;

/** An absent selector matches nothing, an empty one everything. */
export function labelSelectorMatches(
  selector: LabelSelector | undefined,
  labels: Labels | undefined,
): boolean {
  if (selector === undefined) return false;
  for (const key in selector.matchLabels) {
    if (labels?.[key] !== selector.matchLabels[key]) return false;
  }
  for (const { key, operator, values } of selector.matchExpressions ?? []) {
    if (!requirementMatches(key, operator, values ?? [], labels)) return false;
  }
  return true;
}

/** Upstream: labels.Requirement.Matches. An unknown operator matches nothing. */
export function requirementMatches(
  key: string,
  operator: string,
  values: readonly string[],
  labels: Labels | undefined,
): boolean {
  const value = labels !== undefined && Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    case "Gt":
    case "Lt":
      return value !== undefined && compareIntegers(operator, value, values);
    default:
      return false;
  }
}

function compareIntegers(operator: "Gt" | "Lt", text: string, values: readonly string[]): boolean {
  const value = parseInt64(text);
  const bound = parseInt64(values[0] ?? "");
  if (values.length !== 1 || value === undefined || bound === undefined) return false;
  return operator === "Gt" ? value > bound : value < bound;
}
