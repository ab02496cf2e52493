/**
 * A label selector as text, as `kubectl get -l` accepts it: `a=b, c!=d, e in (f, g), !h, i > 1`. Upstream: kustomize 5.8's own
 * copy of apimachinery's pkg/labels selector.go Parse and NewRequirement (kyaml/yaml/internal/k8sgen), whose messages are older
 * than the server's.
 */

import { parseInt64 } from "../../../engine/api/go/parse-int.ts";
import { goQuote } from "../../../engine/api/go/text.ts";
import { compareText } from "../../../engine/api/go/text-order.ts";
import { checkLabelKey, checkLabelValue } from "../../../engine/api/names/names.ts";
import { type Labels, requirementMatches } from "../../../engine/api/selection/label-selector.ts";

export type SelectsLabels = (labels: Labels) => boolean;

const selectorMax = 4096;

/** Returns a text if the selector is invalid. */
export function parseSelector(text: string): SelectsLabels | string {
  if (text.length > selectorMax) return "unable to parse requirement of the selector";
  const tokens = new Tokens(text);
  const read: SelectsLabels[] = [];
  while (tokens.next !== "") {
    if (!beginsRequirement(tokens.next))
      return `found '${tokens.next}', expected: !, identifier, or 'end of string'`;
    const requirement = requirementOf(tokens);
    if (typeof requirement === "string") return `unable to parse requirement: ${requirement}`;
    read.push(requirement);
    const after = tokens.take();
    if (after === "") break;
    if (after !== ",") return `found '${after}', expected: ',' or 'end of string'`;
    if (!beginsRequirement(tokens.next))
      return `found '${tokens.next}', expected: identifier after ','`;
  }
  return (labels) => read.every((one) => one(labels));
}

/** The tokens of a text; after the end, empty ones. */
class Tokens {
  readonly #all: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#all = text.match(/==|!=|[=!(),<>]|[^=!(),<> \t\r\n]+/g) ?? [];
  }

  get next(): string {
    return this.#all[this.#at] ?? "";
  }

  take(): string {
    const token = this.next;
    this.#at++;
    return token;
  }
}

function isWord(token: string): boolean {
  return /^[^=!(),<>]/.test(token);
}

function beginsRequirement(token: string): boolean {
  return token === "!" || isWord(token);
}

const operators: ReadonlyMap<string, string> = new Map([
  ["=", "In"],
  ["==", "In"],
  ["!=", "NotIn"],
  [">", "Gt"],
  ["<", "Lt"],
  ["in", "In"],
  ["notin", "NotIn"],
]);

/** Upstream: parseRequirement. */
function requirementOf(tokens: Tokens): SelectsLabels | string {
  const isAbsent = tokens.next === "!";
  if (isAbsent) tokens.take();
  const key = tokens.take();
  if (!isWord(key)) return `found '${key}', expected: identifier`;
  const complaints = checkLabelKey(key);
  if (complaints.length > 0)
    return `invalid label key ${goQuote(key)}: ${complaints.map(inOlderWords).join("; ")}`;
  if (isAbsent) return (labels) => requirementMatches(key, "DoesNotExist", [], labels);
  if (tokens.next === "" || tokens.next === ",")
    return (labels) => requirementMatches(key, "Exists", [], labels);
  const sign = tokens.take();
  const operator = operators.get(sign);
  if (operator === undefined) return `found '${sign}', expected: '=', '!=', '==', 'in', notin'`;
  const values = isWord(sign) ? listedValues(tokens) : exactValue(tokens);
  if (typeof values === "string") return values;
  const problem = valueProblem(key, operator, values);
  return problem ?? ((labels) => requirementMatches(key, operator, values, labels));
}

/** Upstream: parseExactValue. */
function exactValue(tokens: Tokens): readonly string[] | string {
  if (tokens.next === "" || tokens.next === ",") return [""];
  const value = tokens.take();
  return isWord(value) ? [value] : `found '${value}', expected: identifier`;
}

/** Upstream: parseValues. */
function listedValues(tokens: Tokens): readonly string[] | string {
  const opening = tokens.take();
  if (opening !== "(") return `found '${opening}' expected: '('`;
  if (tokens.next === ")") {
    tokens.take();
    return [""];
  }
  if (tokens.next !== "," && !isWord(tokens.next))
    return `found '${tokens.next}', expected: ',', ')' or identifier`;
  const values = new Set<string>();
  const problem = readList(tokens, values);
  if (problem !== undefined) return problem;
  tokens.take();
  return [...values].sort(compareText);
}

/**
 * Reads up to the closing bracket. There is an empty value between two commas, and between a comma and a bracket. Upstream:
 * parseIdentifiersList.
 */
function readList(tokens: Tokens, values: Set<string>): string | undefined {
  for (;;) {
    const token = tokens.take();
    if (isWord(token)) {
      values.add(token);
      if (tokens.next === ")") return undefined;
      if (tokens.next !== ",") return `found '${tokens.next}', expected: ',' or ')'`;
    } else if (token === ",") {
      if (values.size === 0) values.add("");
      if (tokens.next === ")") {
        values.add("");
        return undefined;
      }
      if (tokens.next === ",") {
        tokens.take();
        values.add("");
      }
    } else return `found '${token}', expected: ',', or identifier`;
  }
}

/** Upstream: NewRequirement. */
function valueProblem(
  key: string,
  operator: string,
  values: readonly string[],
): string | undefined {
  const isOfNumbers = operator === "Gt" || operator === "Lt";
  if (isOfNumbers && values.some((value) => parseInt64(value) === undefined))
    return "for 'Gt', 'Lt' operators, the value must be an integer";
  for (const value of values) {
    const complaints = checkLabelValue(value).map(inOlderWords);
    if (complaints.length > 0)
      return `invalid label value: ${goQuote(value)}: at key: ${goQuote(key)}: ${complaints.join("; ")}`;
  }
  return undefined;
}

function inOlderWords(complaint: string): string {
  return complaint
    .replace(/^(.*must be no more than \d+) bytes$/, "$1 characters")
    .replace("a lowercase RFC 1123 subdomain must", "a DNS-1123 subdomain must")
    .replace("a valid label key must", "a qualified name must");
}
