/**
 * How kubectl reads an unquoted YAML scalar before the API server sees JSON: YAML 1.1 with exceptions: no sexagesimal numbers,
 * no dates. Upstream: sigs.k8s.io/yaml v1.6 on its fork of go-yaml v2 (resolve.go).
 */

export type ScalarValue = null | boolean | number | string;

const nulls: ReadonlySet<string> = new Set(["", "~", "null", "Null", "NULL"]);
const trues: ReadonlySet<string> = new Set([
  "y",
  "Y",
  "yes",
  "Yes",
  "YES",
  "true",
  "True",
  "TRUE",
  "on",
  "On",
  "ON",
]);
const falses: ReadonlySet<string> = new Set([
  "n",
  "N",
  "no",
  "No",
  "NO",
  "false",
  "False",
  "FALSE",
  "off",
  "Off",
  "OFF",
]);

const float = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const notANumber = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;

/** Undefined for `.inf` and `.nan`, which kubectl refuses because JSON cannot represent them. */
export function resolvePlainScalar(source: string): ScalarValue | undefined {
  if (nulls.has(source)) return null;
  if (trues.has(source)) return true;
  if (falses.has(source)) return false;
  if (notANumber.test(source)) return undefined;
  const first = source.charCodeAt(0);
  const numeric =
    (first >= 0x30 && first <= 0x39) || first === 0x2b || first === 0x2d || first === 0x2e;
  return numeric ? (integerOf(source) ?? floatOf(source) ?? source) : source;
}

/** Large integers lose digits that a double cannot represent. */
function integerOf(source: string): number | undefined {
  const exact = exactInteger(source);
  return exact === undefined ? undefined : Number(exact);
}

/** Like Go's strconv.ParseInt with base 0, else ParseUint, with underscores removed; undefined for larger numbers. */
function exactInteger(source: string): bigint | number | undefined {
  const text = source.replaceAll("_", "");
  const match = /^([-+]?)(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|0|[1-9][0-9]*)$/.exec(text);
  const digits = match?.[2]?.replace(/^0(?=[0-7])/, "0o");
  if (digits === undefined) return undefined;
  const isNegative = match?.[1] === "-";
  if (digits.length <= 12) return isNegative ? -Number(digits) : Number(digits);
  const value = BigInt(digits);
  const end = isNegative ? int64End : 2n * int64End - 1n;
  if (value > end) return undefined;
  return isNegative ? -value : value;
}

const int64End = 2n ** 63n;

/** Underscores are allowed, unless it begins with the decimal point. */
function floatOf(source: string): number | undefined {
  const text = source.startsWith(".") ? source : source.replaceAll("_", "");
  if (!float.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined; // 1e400 stays text.
}

/** A mapping key as it appears in JSON; undefined if kubectl refuses it. */
export function resolvePlainKey(source: string): string | undefined {
  const value = resolvePlainScalar(source);
  if (value === null || value === undefined) return undefined;
  if (typeof value !== "number") return String(value);
  const exact = exactInteger(source);
  if (exact === undefined) return singleText(value);
  return exact < int64End ? String(exact) : undefined;
}

/** Go's %g for a 32-bit float, to which numeric keys are rounded. Upstream: convertToJSONableObject, strconv.FormatFloat. */
function singleText(value: number): string {
  const single = Math.fround(value);
  if (!Number.isFinite(single)) return single > 0 ? ".inf" : "-.inf";
  let decimals = 0;
  while (Math.fround(Number(single.toExponential(decimals))) !== single) decimals++;
  const shortest = single.toExponential(decimals);
  const [digits = "", exponent = ""] = shortest.split("e");
  const isLong = Number(exponent) < -4 || Number(exponent) >= 6;
  if (!isLong) return String(Number(shortest));
  return `${digits}e${exponent.replace(/\d+/, (power) => power.padStart(2, "0"))}`;
}
