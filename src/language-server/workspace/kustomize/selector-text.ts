/**
 * A selector of labels as a text, such as `kubectl get -l` takes: `a=b, c!=d, e in (f, g), !h, i > 1`. Upstream: apimachinery
 * v0.36 pkg/labels selector.go Parse and NewRequirement.
 */
import { checkLabelKey, checkLabelValue } from "../../../engine/api/names/names.ts";
import { type Labels, requirementMatches } from "../../../engine/api/selection/label-selector.ts";

export type SelectsLabels = (labels: Labels) => boolean;

const selectorMax = 4096;

/** A text says why it cannot be read. */
export function parseSelector(text: string): SelectsLabels | string {
  if (text.length > selectorMax) return unreadable;
  if (text.trim() === "") return () => true;
  // By commas outside of brackets; behind each of them there is a requirement.
  const terms = text.match(/(?:^|,)(?:[^,(]|\([^)]*\))*/g) ?? [];
  const read = terms.map((term) => requirementOf(term.replace(/^,/, "")));
  const why = read.find((one) => typeof one === "string");
  if (why !== undefined) return why;
  return (labels) => read.every((one) => typeof one !== "string" && one(labels));
}

const unreadable = "unable to parse requirement of the selector";

const operators: Readonly<Record<string, string>> = {
  "=": "In",
  "==": "In",
  "!=": "NotIn",
  ">": "Gt",
  "<": "Lt",
  in: "In",
  notin: "NotIn",
};

function requirementOf(given: string): SelectsLabels | string {
  const term = given.trim();
  const [, absent, only] = /^(!?)\s*([\w./-]+)$/.exec(term) ?? [];
  if (only !== undefined) return checked(only, absent === "!" ? "DoesNotExist" : "Exists", []);
  const [, key, sign, value] = /^([\w./-]+)\s*(==?|!=|<|>)\s*([\w.-]*)$/.exec(term) ?? [];
  if (key !== undefined && value !== undefined)
    return checked(key, operators[sign ?? ""] ?? "", [value]);
  const [, of, verb, list] = /^([\w./-]+)\s+(in|notin)\s*\(([^)]*)\)$/.exec(term) ?? [];
  if (of === undefined || list === undefined) return unreadable;
  const values = list.split(",").map((item) => item.trim());
  return checked(of, operators[verb ?? ""] ?? "", values);
}

function checked(key: string, operator: string, values: readonly string[]): SelectsLabels | string {
  const [ofKey] = checkLabelKey(key);
  if (ofKey !== undefined)
    return `unable to parse requirement: invalid label key ${JSON.stringify(key)}: ${ofKey}`;
  const isOfNumbers = operator === "Gt" || operator === "Lt";
  if (isOfNumbers && values.some((value) => !/^[+-]?\d+$/.test(value)))
    return "unable to parse requirement: for 'Gt', 'Lt' operators, the value must be an integer";
  for (const value of values) {
    const [why] = checkLabelValue(value);
    if (why === undefined) continue;
    return `unable to parse requirement: invalid label value: ${JSON.stringify(value)}: ${why}`;
  }
  return (labels) => requirementMatches(key, operator, values, labels);
}
