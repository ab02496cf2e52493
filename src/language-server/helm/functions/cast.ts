/** Converts any value to a number; 0 if it is not one. Upstream: spf13/cast v1.7 ToInt64E, ToFloat64E, strconv.ParseInt. */
import { type GoValue, wholeNumber } from "../go-template/values.ts";

export const int64Max: bigint = 2n ** 63n - 1n;
export const int64Min: bigint = -(2n ** 63n);

/** The value after overflow in 64 bits. */
export function wrapped(value: bigint): bigint {
  return BigInt.asIntN(64, value);
}

export function toInt64(value: GoValue): bigint {
  const whole = wholeNumber(value);
  if (whole !== undefined) return whole;
  if (typeof value === "number") return truncatedFloat(value);
  if (typeof value === "boolean") return value ? 1n : 0n;
  return typeof value === "string" ? (parseInt64(withoutZeroDecimals(value)) ?? 0n) : 0n;
}

/** As on Intel processors: what does not fit becomes the smallest integer. */
function truncatedFloat(value: number): bigint {
  const whole = Math.trunc(value);
  return whole >= -(2 ** 63) && whole < 2 ** 63 ? BigInt(whole) : int64Min;
}

/** 12.00 becomes 12; 12.01 is unchanged. */
function withoutZeroDecimals(text: string): string {
  const point = text.lastIndexOf(".");
  return point >= 0 && /^0+$/.test(text.slice(point + 1)) ? text.slice(0, point) : text;
}

/** Far longer than anybody writes. */
const numberLengthMax = 400;

const bases: Readonly<Record<string, number>> = { "0x": 16, "0b": 2, "0o": 8 };

/** Upstream: strconv.ParseInt(text, 0, 64), in which 010 is 8. Undefined if it is not a number, or too large. */
export function parseInt64(text: string): bigint | undefined {
  if (text.length > numberLengthMax) return undefined;
  const [, sign = "", body = ""] = /^([+-]?)(.*)$/s.exec(text) ?? [];
  const prefix = body.slice(0, 2).toLowerCase();
  const known = bases[prefix];
  const isOctal = known === undefined && body.startsWith("0") && body.length > 1;
  const base = known ?? (isOctal ? 8 : 10);
  const digits = known === undefined ? body : body.slice(2);
  // An underscore is allowed between digits and after the prefix.
  if (!/^_?[\da-f]+(?:_[\da-f]+)*$/i.test(digits) || (digits.startsWith("_") && base === 10))
    return undefined;
  return parseDigits(sign, digits.replaceAll("_", ""), base);
}

/** Upstream: strconv.ParseInt with a base. */
export function parseDigits(sign: string, digits: string, base: number): bigint | undefined {
  if (!digitsOf[base]?.test(digits)) return undefined;
  const significant = digits.replace(/^0+(?=.)/, "");
  if (significant.length > 64) return undefined;
  const value = BigInt(`${prefixOf[base] ?? ""}${significant}`) * (sign === "-" ? -1n : 1n);
  return value > int64Max || value < int64Min ? undefined : value;
}

/** Upstream: strconv.ParseInt(text, 10, 64) without its error, where numbers out of range become the nearest limit. */
export function decimalInt(text: string): bigint | undefined {
  const [, sign = "", digits = ""] = /^([+-]?)(.*)$/s.exec(text) ?? [];
  const isNumber = /^\d+$/.test(digits);
  const nearest = sign === "-" ? int64Min : int64Max;
  return parseDigits(sign, digits, 10) ?? (isNumber ? nearest : undefined);
}

const digitsOf: Readonly<Record<number, RegExp>> = {
  2: /^[01]+$/,
  8: /^[0-7]+$/,
  10: /^\d+$/,
  16: /^[\da-f]+$/i,
};
const prefixOf: Readonly<Record<number, string>> = { 2: "0b", 8: "0o", 16: "0x" };

export function toFloat64(value: GoValue): number {
  if (typeof value === "number") return value;
  const whole = wholeNumber(value);
  if (whole !== undefined) return Number(whole);
  if (typeof value === "boolean") return value ? 1 : 0;
  return typeof value === "string" ? (parseFloat64(withoutUnderscores(value)) ?? 0) : 0;
}

/** Removes underscores between digits. */
function withoutUnderscores(text: string): string {
  return text.replace(/(?<=\d)_(?=\d)/g, "");
}

const float = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
const infinite = /^([+-]?)inf(?:inity)?$/i;

/** Upstream: strconv.ParseFloat. Not modeled: hexadecimal numbers. */
export function parseFloat64(text: string): number | undefined {
  if (/^[+-]?nan$/i.test(text)) return Number.NaN;
  const infinity = infinite.exec(text);
  if (infinity !== null) return infinity[1] === "-" ? -Infinity : Infinity;
  if (text.length > numberLengthMax || !float.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}
