/**
 * Quantities of resources: parsing, exact comparison and canonical form.
 * Upstream: apimachinery v0.36 pkg/api/resource/{quantity,suffix,math,amount,scale_int}.go.
 * A value is held in billionths, the finest unit that Kubernetes keeps. Not modeled: exponents beyond 1000, which take the
 * real parser minutes; they are refused as a bad suffix.
 */

export type QuantityFormat = "DecimalSI" | "BinarySI" | "DecimalExponent";

export interface Quantity {
  /** The value times 10^9, exact. */
  readonly nanos: bigint;
  readonly format: QuantityFormat;
  /** What the API server stores and shows. */
  readonly text: string;
  /** The power of ten that upstream's int64 counts; undefined if upstream holds a decimal of arbitrary length. */
  readonly scale: number | undefined;
}

export const quantityErrors = {
  format:
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  suffix: "unable to parse quantity's suffix",
  numeric: "unable to parse numeric part of quantity",
} as const;

/** The number 1 in billionths. */
export const nanosPerOne = 1_000_000_000n;
const milli = 1_000_000n;
const int64Max = 9_223_372_036_854_775_807n;
const int64Min = -9_223_372_036_854_775_808n;

const binaryExponents: Readonly<Record<string, number>> = {
  Ki: 10,
  Mi: 20,
  Gi: 30,
  Ti: 40,
  Pi: 50,
  Ei: 60,
};
const decimalExponents: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  "": 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const decimalSuffixes: Readonly<Record<number, string>> = {
  [-9]: "n",
  [-6]: "u",
  [-3]: "m",
  0: "",
  3: "k",
  6: "M",
  9: "G",
  12: "T",
  15: "P",
  18: "E",
};
const binarySuffixes: readonly string[] = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

// No digit can belong to two parts, so that a long text needs no backtracking.
const shape = /^([+-]?)([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]+[-+]?[0-9]*|[-+][0-9]*|)$/;
const exponentShape = /^[eE]([-+]?[0-9]+)$/;

interface Suffix {
  readonly base: 2 | 10;
  readonly exponent: number;
  readonly format: QuantityFormat;
}

function interpretSuffix(suffix: string): Suffix | undefined {
  const binary = binaryExponents[suffix];
  if (binary !== undefined) return { base: 2, exponent: binary, format: "BinarySI" };
  const decimal = decimalExponents[suffix];
  if (decimal !== undefined) return { base: 10, exponent: decimal, format: "DecimalSI" };
  const power = exponentShape.exec(suffix)?.[1];
  if (power === undefined || Math.abs(Number(power)) > 1000) return undefined;
  return { base: 10, exponent: Number(power), format: "DecimalExponent" };
}

export const zeroQuantity: Quantity = { nanos: 0n, format: "DecimalSI", text: "0", scale: 0 };
export const oneQuantity: Quantity = {
  nanos: nanosPerOne,
  format: "DecimalSI",
  text: "1",
  scale: 0,
};

/** A cache, since nearly all manifests use the same few sizes. Bounded; no result depends on it. */
const parsed = new Map<string, Quantity | string>();
const parsedCountMax = 65_536;

/** The quantity, or the API server's error message. */
export function parseQuantityOrError(text: string): Quantity | string {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const result = parse(text.trim());
  if (parsed.size >= parsedCountMax) parsed.clear();
  parsed.set(text, result);
  return result;
}

/** The quantity; undefined if the text is not one. */
export function parseQuantity(text: string): Quantity | undefined {
  const result = parseQuantityOrError(text);
  return typeof result === "string" ? undefined : result;
}

/**
 * The unit of one to three digits without a leading zero, as in nearly all manifests: "" for none, "m", or "i" for Ki to Ti.
 * Such a quantity is positive, canonical and, except for m, a whole number. Undefined for every other text.
 */
export function shortUnit(text: string): "" | "m" | "i" | undefined {
  const { length } = text;
  let digitCount = 0;
  while (digitCount < length && isDigit(text.charCodeAt(digitCount))) digitCount++;
  if (digitCount === 0 || digitCount > 3 || text.charCodeAt(0) === zeroCode) return undefined;
  const unitLength = length - digitCount;
  if (unitLength === 0) return "";
  const unit = text.charCodeAt(digitCount);
  if (unitLength === 1) return unit === milliCode ? "m" : undefined;
  const isBinary = unitLength === 2 && text.charCodeAt(length - 1) === binaryCode;
  return isBinary && isBinaryUnit(unit) ? "i" : undefined;
}

function isDigit(code: number): boolean {
  return code >= zeroCode && code <= zeroCode + 9;
}

const zeroCode = 48;
const [milliCode, binaryCode] = [109, 105];

/** K, M, G or T. */
function isBinaryUnit(code: number): boolean {
  return code === 75 || code === 77 || code === 71 || code === 84;
}

/** Upstream: ParseQuantity. */
function parse(text: string): Quantity | string {
  if (text === "") return quantityErrors.format;
  const match = shape.exec(text);
  if (match === null) return quantityErrors.format;
  const [, sign = "", whole = "", fraction = "", suffixText = ""] = match;
  const suffix = interpretSuffix(suffixText);
  if (suffix === undefined) return quantityErrors.suffix;
  const number = whole.replace(/^0+/, "") || "0";
  const digits = number + fraction;
  const unscaled = BigInt(digits);
  const signed = sign === "-" ? -unscaled : unscaled;
  const nanos = roundAway(scaled(signed, suffix, fraction.length));
  const quantity = finish({ text, number, digits, fractionDigits: fraction.length, suffix }, nanos);
  // Without any digits upstream's fast path reads 0, while its exact path fails.
  return quantity.scale === undefined && whole === "" && fraction === ""
    ? quantityErrors.numeric
    : quantity;
}

/** The value in billionths, as numerator and denominator. */
function scaled(
  unscaled: bigint,
  suffix: Suffix,
  fractionDigits: number,
): readonly [bigint, bigint] {
  if (suffix.base === 2)
    return [(unscaled << BigInt(suffix.exponent)) * nanosPerOne, 10n ** BigInt(fractionDigits)];
  const power = suffix.exponent - fractionDigits + 9;
  return power >= 0 ? [unscaled * 10n ** BigInt(power), 1n] : [unscaled, 10n ** BigInt(-power)];
}

function roundAway([numerator, denominator]: readonly [bigint, bigint]): bigint {
  const quotient = numerator / denominator;
  if (numerator % denominator === 0n) return quotient;
  return numerator < 0n ? quotient - 1n : quotient + 1n;
}

/** A quantity's text and its parts. */
interface Written {
  readonly text: string;
  /** The digits before the point without leading zeros; "0" if no other digit is left. */
  readonly number: string;
  /** `number` and the digits after the point. */
  readonly digits: string;
  readonly fractionDigits: number;
  readonly suffix: Suffix;
}

function finish(
  { text, number, digits, fractionDigits, suffix }: Written,
  nanos: bigint,
): Quantity {
  const { base, exponent } = suffix;
  const scale = base === 10 ? exponent - fractionDigits : 0;
  const precision =
    base === 10
      ? 18 - digits.length
      : fractionDigits > 0
        ? -1
        : 15 - number.length - Math.trunc(exponent * 0.3) - 1;
  if (precision >= 0 && scale >= -9) {
    const verbatim =
      base === 2
        ? BigInt(digits) % 8n !== 0n
        : scale % 3 === 0 && !digits.endsWith("000") && !digits.startsWith("0");
    return {
      nanos,
      format: suffix.format,
      text: verbatim ? text : canonicalText(nanos, suffix.format),
      scale,
    };
  }
  if (suffix.format !== "BinarySI") {
    const canonical = canonicalText(nanos, suffix.format);
    return { nanos, format: suffix.format, text: canonical, scale: undefined };
  }
  const limit = int64Max * nanosPerOne;
  const capped = nanos > limit ? limit : nanos < -limit ? -limit : nanos;
  const magnitude = capped < 0n ? -capped : capped;
  const format = magnitude > 0n && magnitude < nanosPerOne ? "DecimalSI" : "BinarySI";
  return { nanos: capped, format, text: canonicalText(capped, format), scale: undefined };
}

/** Upstream: CanonicalizeBytes. */
function canonicalText(nanos: bigint, format: QuantityFormat): string {
  if (nanos === 0n) return "0";
  const kibi = 1024n * nanosPerOne;
  if (format === "BinarySI" && (nanos <= -kibi || nanos >= kibi) && nanos % nanosPerOne === 0n) {
    let value = nanos / nanosPerOne;
    let power = 0;
    while (power < 6 && value % 1024n === 0n) {
      value /= 1024n;
      power++;
    }
    return `${value}${binarySuffixes[power] ?? ""}`;
  }
  let value = nanos;
  let exponent = -9;
  while (value % 1000n === 0n) {
    value /= 1000n;
    exponent += 3;
  }
  if (format === "DecimalExponent") return exponent === 0 ? `${value}` : `${value}e${exponent}`;
  return `${value}${decimalSuffixes[exponent] ?? ""}`;
}

/** The quantity of a value in billionths, printed canonically. */
export function quantityOf(nanos: bigint, format: QuantityFormat): Quantity {
  return { nanos, format, text: canonicalText(nanos, format), scale: 0 };
}

/** A size as components write it: `10Gi`. */
export function bytesText(bytes: bigint): string {
  return quantityOf(bytes * nanosPerOne, "BinarySI").text;
}

export function formatQuantity(quantity: Quantity): string {
  return quantity.text;
}

export function compareQuantities(a: Quantity, b: Quantity): -1 | 0 | 1 {
  return a.nanos < b.nanos ? -1 : a.nanos > b.nanos ? 1 : 0;
}

/** Compares quantities of stored objects; an absent or unreadable one counts as 0. */
export function compareQuantityTexts(a: string | undefined, b: string | undefined): -1 | 0 | 1 {
  return a === b ? 0 : compareQuantities(quantityOrZero(a), quantityOrZero(b));
}

export function quantityOrZero(text: string | undefined): Quantity {
  return text === undefined ? zeroQuantity : (parseQuantity(text) ?? zeroQuantity);
}

/** The sum, in the format of `a` unless that is zero. Upstream: Quantity.Add. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  if (b.nanos === 0n) return canonical(a);
  if (a.nanos === 0n) return canonical(b);
  return quantityOf(a.nanos + b.nanos, a.format);
}

/** A computed value is printed canonically, even if the other operand was 0: then 1.024 becomes 1024m. */
function canonical(quantity: Quantity): Quantity {
  return maybeVerbatim.test(quantity.text) ? quantityOf(quantity.nanos, quantity.format) : quantity;
}

/** Texts that may have been kept as written although their canonical form differs. */
const maybeVerbatim = /[.+eE-]|^0./;

/** The difference, in the format of `a` unless that is zero. Upstream: Quantity.Sub. */
export function subtractQuantities(a: Quantity, b: Quantity): Quantity {
  if (b.nanos === 0n) return canonical(a);
  return quantityOf(a.nanos - b.nanos, a.nanos === 0n ? b.format : a.format);
}

/** Rounds up to a whole number. Upstream: Quantity.Value, without its overflow. */
export function quantityCeiling(quantity: Quantity): bigint {
  const whole = quantity.nanos / nanosPerOne;
  return quantity.nanos > 0n && quantity.nanos % nanosPerOne !== 0n ? whole + 1n : whole;
}

/** The bytes of a stored object's quantity, rounded up; 0 if it is absent or unreadable. */
export function quantityBytes(text: string | undefined): bigint {
  return quantityCeiling(quantityOrZero(text));
}

/** Upstream: Quantity.Value, with its overflow. */
export function quantityInt64(quantity: Quantity): bigint {
  return scaledInt64(quantityRoundedAway(quantity, nanosPerOne), quantity, 0);
}

/** Upstream: Quantity.MilliValue, with its overflow. */
export function quantityMilliInt64(quantity: Quantity): bigint {
  return scaledInt64(quantityMilliValue(quantity), quantity, -3);
}

/** The powers of ten that upstream multiplies by in one step, where an overflow keeps the low 64 bits. */
const powersAtOnce: ReadonlySet<number> = new Set([0, 1, 2, 3, 6, 9]);

/** Other powers are multiplied step by step, and an overflow gives 0. Upstream: AsScaledInt64, positiveScaleInt64. */
function scaledInt64(value: bigint, { scale }: Quantity, toScale: number): bigint {
  if (value >= int64Min && value <= int64Max) return value;
  const keepsBits = scale === undefined || powersAtOnce.has(scale - toScale);
  return keepsBits ? BigInt.asIntN(64, value) : 0n;
}

/** Upstream: Quantity.MilliValue, without its overflow. */
export function quantityMilliValue(quantity: Quantity): bigint {
  return quantityRoundedAway(quantity, milli);
}

function quantityRoundedAway(quantity: Quantity, unit: bigint): bigint {
  return roundAway([quantity.nanos, unit]);
}

/** Rounds up to thousandths, as defaulting does in resource lists. Upstream: Quantity.RoundUp(Milli). */
export function roundUpToMilli(quantity: Quantity): Quantity {
  if (quantity.nanos % milli === 0n) return quantity;
  return quantityOf(quantityRoundedAway(quantity, milli) * milli, quantity.format);
}

/**
 * True if the API server sees a fraction of a byte: its test overflows, so sizes from 9 PB on can look like one.
 * Upstream: Quantity.MilliValue() % 1000 in the warnings of claims and containers.
 */
export function looksFractional(quantity: Quantity): boolean {
  const known = fractional.get(quantity);
  if (known !== undefined) return known;
  const result = quantityMilliInt64(quantity) % 1000n !== 0n;
  fractional.set(quantity, result);
  return result;
}

/** A cache: the same few quantities are asked about again and again. */
const fractional = new WeakMap<Quantity, boolean>();
