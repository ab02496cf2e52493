/**
 * Formats single values by verb, flags, width and precision. Upstream: Go 1.25 fmt/format.go, and fmtInteger, fmtFloat,
 * fmtString of print.go.
 */
import { goQuote, isPrintable } from "../../../engine/api/go/text.ts";
import { type FloatVerb, formatFloat } from "./float-text.ts";

/** What a directive asks for. */
export interface Format {
  readonly verb: string;
  readonly hasSharp: boolean;
  /** `%#v`: in Go syntax. */
  readonly isOfProgram: boolean;
  readonly hasPlus: boolean;
  readonly hasSpace: boolean;
  /** Pads on the right with spaces; otherwise on the left with zeros or spaces. */
  readonly isLeft: boolean;
  readonly hasZero: boolean;
  readonly width: number | undefined;
  readonly precision: number | undefined;
}

/** Counts characters. */
export function padded(text: string, { width = 0, isLeft, hasZero }: Format): string {
  const count = width - [...text].length;
  if (count <= 0) return text;
  if (isLeft) return text + " ".repeat(count);
  return (hasZero ? "0" : " ").repeat(count) + text;
}

function withSpaces(text: string, format: Format): string {
  return padded(text, { ...format, hasZero: false });
}

/** Truncated to the precision. */
export function paddedText(text: string, format: Format): string {
  const { precision } = format;
  return padded(precision === undefined ? text : [...text].slice(0, precision).join(""), format);
}

const bases: Readonly<Record<string, number>> = { v: 10, d: 10, b: 2, o: 8, O: 8, x: 16, X: 16 };

/** Undefined if the verb does not apply to integers; likewise below. */
export function integerBy(format: Format, value: bigint, isUnsigned: boolean): string | undefined {
  const { verb } = format;
  if (verb === "v" && format.isOfProgram && isUnsigned)
    return integer({ ...format, hasSharp: true }, value, 16);
  if (verb === "U") return unicode(format, BigInt.asUintN(64, value));
  if (verb === "c") return padded(letterOf(value), format);
  if (verb === "q") return padded(quotedLetter(letterOf(value), format.hasPlus), format);
  const base = bases[verb];
  return base === undefined ? undefined : integer(format, value, base);
}

function integer(format: Format, value: bigint, base: number): string {
  const { precision, width, verb } = format;
  if (precision === 0 && value === 0n) return withSpaces("", format);
  const sign = value < 0n ? "-" : format.hasPlus ? "+" : format.hasSpace ? " " : "";
  const isFilled = format.hasZero && !format.isLeft && width !== undefined;
  const least = precision ?? (isFilled ? width - sign.length : 0);
  const digits = (value < 0n ? -value : value).toString(base).padStart(least, "0");
  const prefix = format.hasSharp ? prefixOf(base, digits) : "";
  const text = `${sign}${verb === "O" ? "0o" : ""}${prefix}${digits}`;
  return withSpaces(verb === "X" ? text.toUpperCase() : text, format);
}

function prefixOf(base: number, digits: string): string {
  if (base === 8) return digits.startsWith("0") ? "" : "0";
  return base === 2 ? "0b" : base === 16 ? "0x" : "";
}

function letterOf(value: bigint): string {
  return String.fromCodePoint(value >= 0n && value <= 0x10ffffn ? Number(value) : 0xfffd);
}

function unicode(format: Format, code: bigint): string {
  const digits = code
    .toString(16)
    .toUpperCase()
    .padStart(Math.max(format.precision ?? 0, 4), "0");
  const letter = code <= 0x10ffffn ? String.fromCodePoint(Number(code)) : "";
  const shown = format.hasSharp && letter !== "" && isPrintable(letter) ? ` '${letter}'` : "";
  return withSpaces(`U+${digits}${shown}`, format);
}

/** Upstream: strconv.QuoteRune, QuoteRuneToASCII. */
export function quotedLetter(letter: string, isAscii = false): string {
  if (letter === "'") return "'\\''";
  if (letter === '"') return `'"'`;
  const quoted = goQuote(letter);
  return `'${(isAscii ? inAscii(quoted) : quoted).slice(1, -1)}'`;
}

/** Upstream: strconv.QuoteToASCII, applied to quoted text. */
function inAscii(quoted: string): string {
  return quoted.replace(/[^\0-\x7f]/gu, (letter) => {
    const code = letter.codePointAt(0) ?? 0;
    const hex = code.toString(16);
    return code < 0x10000 ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
  });
}

/** The verbs for floats, each with its default precision. */
const floatVerbs: Readonly<Record<string, readonly [FloatVerb, number]>> = {
  v: ["g", -1],
  b: ["b", -1],
  g: ["g", -1],
  G: ["g", -1],
  x: ["x", -1],
  X: ["x", -1],
  f: ["f", 6],
  F: ["f", 6],
  e: ["e", 6],
  E: ["e", 6],
};

export function floatBy(format: Format, value: number): string | undefined {
  const { verb } = format;
  const known = floatVerbs[verb];
  if (known === undefined) return undefined;
  const [own, usual] = known;
  const precision = format.precision ?? usual;
  const text = formatFloat(value, own, precision);
  const whole = /^[-+]/.test(text) ? text : `+${text}`;
  if (!Number.isFinite(value)) return notFinite(format, whole);
  const digits = format.hasSharp && own !== "b" ? pointed(whole, verb, precision) : whole;
  const cased = verb === "G" || verb === "E" || verb === "X" ? digits.toUpperCase() : digits;
  return signed(format, cased);
}

/** Infinities and NaN are not padded with zeros. */
function notFinite(format: Format, text: string): string {
  const isBare = text.startsWith("+") && !format.hasPlus && !format.hasSpace;
  const shown = format.hasSpace && !format.hasPlus ? text.replace("+", " ") : text;
  return withSpaces(isBare ? text.slice(1) : shown, format);
}

function signed(format: Format, text: string): string {
  const shown = format.hasSpace && !format.hasPlus ? text.replace(/^\+/, " ") : text;
  if (!format.hasPlus && shown.startsWith("+")) return padded(shown.slice(1), format);
  const isFilled = format.hasZero && !format.isLeft && format.width !== undefined;
  if (!isFilled) return padded(shown, format);
  return shown.slice(0, 1) + shown.slice(1).padStart(format.width - 1, "0");
}

/** `%#g` keeps the point, and zeros up to the precision. Upstream: format.go fmtFloat. */
function pointed(text: string, verb: string, precision: number): string {
  const [, number = "", tail = ""] =
    (/^x$/i.test(verb) ? /^([^p]*)(p.*)$/ : /^([^e]*)(e.*)?$/).exec(text) ?? [];
  const isCounted = verb === "v" || verb === "g" || verb === "G" || verb === "x";
  const wanted = isCounted ? (precision < 0 ? 6 : precision) : 0;
  const significant = number.slice(1).replace(".", "").replace(/^0+/, "").length;
  const isZero = number.slice(1) === "0";
  const missing = wanted - significant - (isZero && !number.includes(".") ? 1 : 0);
  const point = number.includes(".") ? "" : ".";
  return `${number}${point}${"0".repeat(Math.max(missing, 0))}${tail}`;
}

export function textBy(format: Format, text: string): string | undefined {
  const { verb, precision } = format;
  if (verb === "s" || (verb === "v" && !format.isOfProgram)) return paddedText(text, format);
  if (verb === "v" || verb === "q") {
    const cut = precision === undefined ? text : [...text].slice(0, precision).join("");
    return padded(quotedBy(format, cut), format);
  }
  return verb === "x" || verb === "X" ? hexOf(format, text) : undefined;
}

function quotedBy({ hasSharp, hasPlus }: Format, text: string): string {
  if (hasSharp && canBackquote(text)) return `\`${text}\``;
  return hasPlus ? inAscii(goQuote(text)) : goQuote(text);
}

/** Upstream: strconv.CanBackquote. */
function canBackquote(text: string): boolean {
  return !/[^\P{Cc}\t\x80-\x9f]|[`\ufeff]/u.test(text);
}

/** The precision limits the number of bytes. */
function hexOf(format: Format, text: string): string {
  const { verb, precision, hasSharp, hasSpace } = format;
  const bytes = [...new TextEncoder().encode(text)].slice(0, precision);
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, "0"));
  const prefix = hasSharp && hex.length > 0 ? "0x" : "";
  const whole = hasSpace ? hex.map((byte) => prefix + byte).join(" ") : `${prefix}${hex.join("")}`;
  return padded(verb === "X" ? whole.toUpperCase() : whole, format);
}
