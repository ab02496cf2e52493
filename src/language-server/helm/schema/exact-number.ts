/** Numbers as exact fractions. Upstream: Go's math/big Rat; golang.org/x/text/message for their text form. */
import { JsonNumber, type JsonValue } from "./json-text.ts";

export interface ExactNumber {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** Upstream's limit is a million; no value has an exponent above some three hundred. */
const exponentMax = 1000;

/** Undefined if it is not a number, or has too large an exponent. */
export function exactNumber(value: JsonValue | undefined): ExactNumber | undefined {
  const text = numberText(value);
  if (text === undefined || text.length > exponentMax) return undefined;
  const [, sign = "", whole = "", decimals = "", power = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const exponent = Number(power) - decimals.length;
  if (whole === "" || Math.abs(exponent) > exponentMax) return undefined;
  const digits = BigInt(sign + whole + decimals);
  const scale = 10n ** BigInt(Math.abs(exponent));
  return exponent < 0
    ? { numerator: digits, denominator: scale }
    : { numerator: digits * scale, denominator: 1n };
}

/** As written, or as Go prints a template's number. */
export function numberText(value: JsonValue | undefined): string | undefined {
  if (value instanceof JsonNumber) return value.text;
  return typeof value === "number" || typeof value === "bigint" ? String(value) : undefined;
}

/** Negative if the first is less. */
export function compareNumbers(a: ExactNumber, b: ExactNumber): number {
  const difference = a.numerator * b.denominator - b.numerator * a.denominator;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

export function isWhole({ numerator, denominator }: ExactNumber): boolean {
  return numerator % denominator === 0n;
}

/** Undefined if the divisor is zero. */
export function isMultiple(number: ExactNumber, of: ExactNumber): boolean | undefined {
  const divisor = number.denominator * of.numerator;
  return divisor === 0n ? undefined : (number.numerator * of.denominator) % divisor === 0n;
}

export function wholeNumber(value: JsonValue | undefined): number | undefined {
  const exact = exactNumber(value);
  if (exact === undefined || !isWhole(exact)) return undefined;
  return Number(BigInt.asIntN(64, exact.numerator / exact.denominator));
}

/** `65,535`, `0.25`, `1.5×10⁰⁶`. */
export function shownNumber({ numerator, denominator }: ExactNumber): string {
  const value = nearestFloat(numerator, denominator);
  if (!Number.isFinite(value)) return value < 0 ? "-∞" : "∞";
  if (value === 0) return "0";
  const [mantissa = "", power = "0"] = value.toExponential().split("e");
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6) return grouped(plainly(value));
  const digits = String(Math.abs(exponent)).padStart(2, "0");
  const raised = [...digits].map((digit) => superscripts[Number(digit)]).join("");
  return `${mantissa}×10${exponent < 0 ? "⁻" : ""}${raised}`;
}

const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";

function plainly(value: number): string {
  const text = String(value);
  return text.includes("e") ? value.toFixed(20).replace(/0+$/, "") : text;
}

/** The denominator is a power of ten, so that JavaScript can parse the number in exponential form. */
function nearestFloat(numerator: bigint, denominator: bigint): number {
  return Number(`${numerator}e-${String(denominator).length - 1}`);
}

/** With commas between groups of three digits. */
export function grouped(number: number | string): string {
  const [whole = "", ...decimals] = String(number).split(".");
  return [whole.replace(/\B(?=(?:\d{3})+$)/g, ","), ...decimals].join(".");
}
