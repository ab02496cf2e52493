/**
 * Functions that every template has. Upstream: Go 1.25 text/template/funcs.go. `and` and `or` are handled by the execution;
 * Helm's templates have sprig's `slice` instead of Go's.
 */
import { compareText } from "../../../engine/api/go/text-order.ts";
import { withParameters } from "./parameters.ts";
import { sprint, sprintAll, sprintf } from "./printf.ts";
import { noValue } from "./rendered-text.ts";
import { typeName } from "./type-name.ts";
import {
  Failure,
  type GoFunction,
  type GoValue,
  isGoList,
  isGoMap,
  isGoObject,
  isTrue,
  type Parameters,
  SizedInteger,
  wholeNumber,
} from "./values.ts";

/** A function with this number of arguments. */
function withArgs(
  name: string,
  count: number,
  run: (...args: GoValue[]) => GoValue | Failure,
): readonly [string, GoFunction] {
  const fixed = Array.from({ length: count }, () => "any" as const);
  return [name, withParameters({ fixed }, (args) => run(...args))];
}

/** Types that can be compared with each other. */
type Basic = "bool" | "float" | "integer" | "string";

function basicKind(value: GoValue): Basic | undefined {
  if (value instanceof SizedInteger) return "integer";
  switch (typeof value) {
    case "boolean":
      return "bool";
    case "number":
      return "float";
    case "bigint":
      return "integer";
    case "string":
      return "string";
    default:
      return undefined;
  }
}

function badComparison(first: GoValue, second: GoValue): Failure {
  const types = `${typeName(first)} and ${typeName(second)}`;
  return new Failure(`incompatible types for comparison: ${types}`);
}

const badType = new Failure("invalid type for comparison");

function equal(first: GoValue, second: GoValue): boolean | Failure {
  const [kind, other] = [basicKind(first), basicKind(second)];
  if (kind !== other)
    return first === null || second === null ? false : badComparison(first, second);
  if (kind === "integer") return wholeNumber(first) === wholeNumber(second);
  if (kind !== undefined || first === null || second === null) return first === second;
  if (isGoObject(first) && isGoObject(second)) return first === second;
  return new Failure(`non-comparable type ${sprint(first)}: ${typeName(first)}`);
}

function eq([first = null, ...others]: readonly GoValue[]): boolean | Failure {
  if (others.length === 0) return new Failure("missing argument for comparison");
  for (const other of others) {
    const answer = equal(first, other);
    if (answer !== false) return answer;
  }
  return false;
}

function less(first: GoValue, second: GoValue): boolean | Failure {
  const [kind, other] = [basicKind(first), basicKind(second)];
  if (kind === undefined || other === undefined) return badType;
  if (kind !== other) return badComparison(first, second);
  if (typeof first === "string" && typeof second === "string")
    return compareText(first, second) < 0;
  const [a, b] = [wholeNumber(first) ?? first, wholeNumber(second) ?? second];
  return kind === "bool" ? badType : Number(a) < Number(b);
}

function negated(answer: boolean | Failure): boolean | Failure {
  return answer instanceof Failure ? answer : !answer;
}

function orEqual(first: GoValue, second: GoValue): boolean | Failure {
  const answer = less(first, second);
  return answer === false ? equal(first, second) : answer;
}

/** Counts bytes for a text. */
function len(value: GoValue): GoValue | Failure {
  if (typeof value === "string") return BigInt(new TextEncoder().encode(value).length);
  const data = isGoObject(value) ? (value.data ?? null) : value;
  if (isGoMap(data)) return BigInt(data.size);
  if (isGoList(data)) return BigInt(data.length);
  if (value === null) return new Failure("len of nil pointer");
  return new Failure(`len of type ${typeName(value)}`);
}

function index([whole = null, ...keys]: readonly GoValue[]): GoValue | Failure {
  let at = whole;
  if (whole === null) return new Failure("index of untyped nil");
  for (const key of keys) {
    if (at === null) return new Failure("index of nil pointer");
    const item = itemOf(isGoObject(at) ? (at.data ?? at) : at, key);
    if (item instanceof Failure) return item;
    at = item;
  }
  return at;
}

function itemOf(whole: GoValue, key: GoValue): GoValue | Failure {
  if (isGoMap(whole)) {
    if (typeof key === "string") return whole.get(key) ?? null;
    return key === null
      ? new Failure("value is nil; should be of type string")
      : new Failure(`value has type ${typeName(key)}; should be string`);
  }
  if (typeof whole !== "string" && !isGoList(whole))
    return new Failure(`can't index item of type ${typeName(whole)}`);
  const length = typeof whole === "string" ? new TextEncoder().encode(whole).length : whole.length;
  const at = position(key, length - 1);
  if (at instanceof Failure) return at;
  if (typeof whole === "string") return BigInt(new TextEncoder().encode(whole)[at] ?? 0);
  return whole[at] ?? null;
}

function position(key: GoValue, max: number): number | Failure {
  if (key === null) return new Failure("cannot index slice/array with nil");
  const number = wholeNumber(key);
  if (number === undefined)
    return new Failure(`cannot index slice/array with type ${typeName(key)}`);
  const at = Number(number);
  return at < 0 || at > max ? new Failure(`index out of range: ${number}`) : at;
}

/** Always fails, because no value is a function here. */
function call([value = null]: readonly GoValue[]): Failure {
  if (value === null) return new Failure("call of nil");
  return new Failure(`non-function ${sprint(value)} of type ${typeName(value)}`);
}

/** Upstream: funcs.go evalArgs, which prints nil as a text. */
function printable(args: readonly GoValue[]): string {
  return sprintAll(args.map((arg) => arg ?? noValue));
}

const htmlEscapes: Readonly<Record<string, string>> = {
  '"': "&#34;",
  "'": "&#39;",
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  "\0": "\uFFFD",
};

function html(text: string): string {
  return text.replace(/["'&<>\0]/g, (letter) => htmlEscapes[letter] ?? letter);
}

const jsEscapes: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  "'": "\\'",
  '"': '\\"',
  "<": "\\u003C",
  ">": "\\u003E",
  "&": "\\u0026",
  "=": "\\u003D",
};

function js(text: string): string {
  return text.replace(/[\\'"<>&=]|[^\p{L}\p{M}\p{N}\p{P}\p{S} \x7f]/gu, (letter) => {
    const code = letter.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
    return jsEscapes[letter] ?? `\\u${code}`;
  });
}

function urlQuery(text: string): string {
  return encodeURIComponent(text.replace(/\p{Cs}/gu, "\uFFFD"))
    .replaceAll("%20", "+")
    .replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
}

function printf([format, ...args]: readonly GoValue[]): string {
  return sprintf(String(format), args);
}

/** Charges for what is printed, because `printf` can make two texts from one. */
function printing(
  name: string,
  print: (args: readonly GoValue[]) => string,
  parameters: Parameters = { fixed: [], rest: "any" },
): readonly [string, GoFunction] {
  const run: GoFunction = (args, call) => {
    const made = print(args);
    return call.charge(made.length) ?? made;
  };
  return [name, withParameters(parameters, run)];
}

const oneAtLeast: Parameters = { fixed: ["any"], rest: "any" };

export const builtins: ReadonlyMap<string, GoFunction> = new Map<string, GoFunction>([
  // Their arguments are evaluated one by one.
  ["and", () => null],
  ["or", () => null],
  withArgs("not", 1, (value = null) => !isTrue(value)),
  ["eq", withParameters(oneAtLeast, eq)],
  withArgs("ne", 2, (a = null, b = null) => negated(equal(a, b))),
  withArgs("lt", 2, (a = null, b = null) => less(a, b)),
  withArgs("le", 2, (a = null, b = null) => orEqual(a, b)),
  withArgs("gt", 2, (a = null, b = null) => negated(orEqual(a, b))),
  withArgs("ge", 2, (a = null, b = null) => negated(less(a, b))),
  withArgs("len", 1, (value = null) => len(value)),
  ["index", withParameters(oneAtLeast, index)],
  printing("print", sprintAll),
  printing("println", (args) => `${args.map((arg) => sprint(arg)).join(" ")}\n`),
  printing("printf", printf, { fixed: ["string"], rest: "any" }),
  printing("html", (args) => html(printable(args))),
  printing("js", (args) => js(printable(args))),
  printing("urlquery", (args) => urlQuery(printable(args))),
  ["call", withParameters(oneAtLeast, call)],
]);
