/** Values as Go formats them in messages. */
import { compareText, sortedKeys } from "./text-order.ts";
import { utf8Bytes } from "./utf8.ts";

const plain = /^[ !#-[\]-~]*$/;
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;
const named: Readonly<Record<string, string>> = {
  "\u0007": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  "\\": "\\\\",
  '"': '\\"',
};

/** Upstream: strconv.Quote, the verb %q. */
export function goQuote(text: string): string {
  if (plain.test(text)) return `"${text}"`;
  let quoted = "";
  for (const character of text)
    quoted += named[character] ?? (isPrintable(character) ? character : escaped(character));
  return `"${quoted}"`;
}

/** Upstream: unicode.IsPrint. */
export function isPrintable(character: string): boolean {
  return printable.test(character);
}

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, "0")}`;
  if (code >= 0xd800 && code < 0xe000) return "\ufffd";
  return code < 0x10000
    ? `\\u${code.toString(16).padStart(4, "0")}`
    : `\\U${code.toString(16).padStart(8, "0")}`;
}

/** Upstream: the quote function of package time, which writes the bytes of characters beyond ASCII in hex. */
export function timeQuote(text: string): string {
  const inner = text.replace(/["\\]/g, "\\$&").replace(/[^ -\u007f]+/gu, inHex);
  return `"${inner}"`;
}

function inHex(text: string): string {
  return utf8Bytes(text)
    .map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`)
    .join("");
}

const inQuotes = /\\(?:x([\da-f]{2})|u([\da-f]{4})|U([\da-f]{8})|.)/g;
const characters = new Map(Object.entries(named).map(([character, name]) => [name, character]));

/** The text that goQuote has put between quotation marks. Upstream: strconv.Unquote. */
export function goUnquote(quoted: string): string {
  return quoted.replace(inQuotes, (written: string, ...codes: (string | undefined)[]) => {
    const code = codes.slice(0, 3).find((digits) => digits !== undefined);
    return code === undefined ? (characters.get(written) ?? written) : fromHex(code);
  });
}

function fromHex(digits: string): string {
  return String.fromCodePoint(Number.parseInt(digits, 16));
}

/** The verb %f: six decimals, ties to even. Upstream: strconv.FormatFloat. */
export function goFloat(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
  // Only odd multiples of 1/128 are ties, and JavaScript rounds those up.
  const cut = value.toFixed(7).slice(0, -1);
  const isBetween = Math.abs((value * 128) % 2) === 1;
  return isBetween && Number(cut.at(-1)) % 2 === 0 ? cut : value.toFixed(6);
}

/** Several errors as one; equal texts are listed once. Upstream: apimachinery pkg/util/errors NewAggregate. */
export function aggregated(errors: readonly string[]): string {
  const [first = "", ...others] = new Set(errors);
  return others.length === 0 ? first : `[${[first, ...others].join(", ")}]`;
}

const html = /[<>&\u2028\u2029]/g;

/** Upstream: json.Marshal. Keys keep the order that they have in the value. */
export function goJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, undefined, indent) ?? "null";
  return text.replace(
    html,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A map as Go marshals it: keys in byte order. */
export function sortedMap<T>(
  map: Readonly<Record<string, T>> | undefined,
): Record<string, T> | null {
  if (map === undefined) return null;
  const sorted: Record<string, T> = {};
  for (const key of Object.keys(map).sort(compareText)) sorted[key] = map[key] as T;
  return sorted;
}

/** The verb %v for a value read from JSON. */
export function goPrint(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(goPrint).join(" ")}]`;
  if (typeof value === "number") return goNumber(value);
  if (typeof value !== "object") return String(value);
  if (value === null) return "<nil>";
  const map = value as Readonly<Record<string, unknown>>;
  return `map[${sortedKeys(map)
    .map((key) => `${key}:${goPrint(map[key])}`)
    .join(" ")}]`;
}

/** Small fractions get an exponent sooner than in JavaScript, and it has at least two digits. */
function goNumber(value: number): string {
  if (value === 0 || Math.abs(value) >= 1e-4) return String(value);
  return value.toExponential().replace(/-(\d)$/, "-0$1");
}

/** True if the values of a map, and with `keys` also its keys, have more bytes in total. */
export function isLongerThan(
  bytesMax: number,
  map: Readonly<Record<string, string>> | undefined,
  keys: boolean,
): boolean {
  let length = 0;
  for (const key in map) length += (keys ? key.length : 0) + (map[key] ?? "").length;
  // A UTF-16 unit takes at most three bytes, so most maps need no exact count.
  if (length * 3 <= bytesMax) return false;
  let bytes = 0;
  for (const key in map) bytes += (keys ? byteLength(key) : 0) + byteLength(map[key] ?? "");
  return bytes > bytesMax;
}

/** The length in bytes, which is what Go's len counts. */
export function byteLength(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code >= 0x80 && code < 0x800) length += 1;
    // Each half of a surrogate pair stands for two of its four bytes.
    else if (code >= 0x800) length += code >= 0xd800 && code < 0xe000 ? 1 : 2;
  }
  return length;
}
