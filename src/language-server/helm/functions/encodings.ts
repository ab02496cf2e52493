/**
 * Encodings of texts. Upstream: sprig v3 strings.go, Go's encoding/base64, encoding/base32. For invalid input the error becomes
 * the result. Not modeled: bytes that are not valid text, which become U+FFFD.
 */
import type { Call, Failure } from "../go-template/values.ts";
import { bytesOf, textOfBytes } from "./bytes.ts";
import { define, type Named } from "./signature.ts";

export const encodingFunctions: readonly Named[] = [
  define("b64enc", ["string"], ([text], call) => encodedText(text, base64, call)),
  define("b64dec", ["string"], ([text], call) => decodedText(text, base64, call)),
  define("b32enc", ["string"], ([text], call) => encodedText(text, base32, call)),
  define("b32dec", ["string"], ([text], call) => decodedText(text, base32, call)),
];

interface Encoding {
  readonly name: string;
  readonly alphabet: string;
  readonly bitsPerLetter: number;
  /** Letters that encode a whole number of bytes. */
  readonly groupLength: number;
  /** Possible lengths of an incomplete last group. */
  readonly lastLengths: ReadonlySet<number>;
  /** True if error offsets count line breaks. */
  readonly countsBreaks: boolean;
}

const base64: Encoding = {
  name: "base64",
  alphabet: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
  bitsPerLetter: 6,
  groupLength: 4,
  lastLengths: new Set([2, 3]),
  countsBreaks: true,
};

const base32: Encoding = {
  name: "base32",
  alphabet: "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
  bitsPerLetter: 5,
  groupLength: 8,
  lastLengths: new Set([2, 4, 5, 7]),
  countsBreaks: false,
};

export function base64Of(bytes: Uint8Array): string {
  return encoded(bytes, base64);
}

/** Undefined if it is not valid base64. */
export function bytesOfBase64(text: string): Uint8Array | undefined {
  const bytes = decoded(text, base64);
  return typeof bytes === "number" ? undefined : bytes;
}

function encodedText(text: string, encoding: Encoding, call: Call): string | Failure {
  return call.charge(text.length * 2) ?? encoded(bytesOf(text), encoding);
}

function decodedText(text: string, encoding: Encoding, call: Call): string | Failure {
  const refused = call.charge(text.length);
  if (refused !== undefined) return refused;
  const bytes = decoded(encoding.countsBreaks ? text : text.replace(/[\r\n]/g, ""), encoding);
  return typeof bytes === "number"
    ? `illegal ${encoding.name} data at input byte ${bytes}`
    : textOfBytes(bytes);
}

function encoded(bytes: Uint8Array, { alphabet, bitsPerLetter, groupLength }: Encoding): string {
  const groupBytes = (groupLength * bitsPerLetter) / 8;
  const letters = new Uint8Array(Math.ceil(bytes.length / groupBytes) * groupLength).fill(padding);
  const codes = bytesOf(alphabet);
  const mask = 2 ** bitsPerLetter - 1;
  let buffer = 0;
  let bits = 0;
  let at = 0;
  for (const byte of bytes) {
    buffer = ((buffer << 8) | byte) & 0xffff;
    for (bits += 8; bits >= bitsPerLetter; bits -= bitsPerLetter)
      letters[at++] = codes[(buffer >> (bits - bitsPerLetter)) & mask] ?? 0;
  }
  if (bits > 0) letters[at] = codes[(buffer << (bitsPerLetter - bits)) & mask] ?? 0;
  return textOfBytes(letters);
}

const padding = 0x3d;

/** Returns a number, the offset of the mistake, for invalid input. Skips line breaks. */
function decoded(text: string, encoding: Encoding): Uint8Array | number {
  const { bitsPerLetter, groupLength, lastLengths } = encoding;
  const values = valuesOf(encoding);
  const bytes = new Uint8Array(Math.ceil((text.length * bitsPerLetter) / 8));
  let count = 0;
  let buffer = 0;
  let bits = 0;
  let inGroup = 0;
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] ?? "";
    if (letter === "\n" || letter === "\r") continue;
    if (letter === "=") {
      const end = lastLengths.has(inGroup) ? paddingEnd(text, at, groupLength - inGroup) : at;
      return end === undefined ? bytes.subarray(0, count) : end;
    }
    const value = values.get(letter);
    if (value === undefined) return at;
    inGroup = (inGroup + 1) % groupLength;
    buffer = ((buffer << bitsPerLetter) | value) & 0xffff;
    bits += bitsPerLetter;
    if (bits < 8) continue;
    bits -= 8;
    bytes[count++] = (buffer >> bits) & 0xff;
    if (inGroup === 0) bits = 0;
  }
  return inGroup === 0 ? bytes.subarray(0, count) : text.length - inGroup;
}

function valuesOf({ alphabet }: Encoding): ReadonlyMap<string, number> {
  return new Map([...alphabet].map((letter, value) => [letter, value]));
}

/**
 * Undefined if there is exactly the required padding and nothing after it; otherwise the offset of the mistake, which for
 * missing padding is the character before.
 */
function paddingEnd(text: string, start: number, count: number): number | undefined {
  let found = 0;
  for (let at = start; at < text.length; at++) {
    if (text[at] === "\n" || text[at] === "\r") continue;
    if (text[at] !== "=") return found < count ? at - 1 : at;
    if (++found > count) return at;
  }
  return found === count ? undefined : text.length;
}
