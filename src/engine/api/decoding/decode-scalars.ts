/**
 * Decoding of scalars. Upstream: encoding/json's literals and the UnmarshalJSON of IntOrString, Quantity, Time.
 */
import { readTimestamp } from "../go/timestamp-text.ts";
import { parseQuantityOrError, quantityOrZero, roundUpToMilli } from "../quantity.ts";
import { base64OfBytes, bytesOfBase64, isBase64 } from "./base64.ts";
import {
  type Decode,
  failed,
  failedFatally,
  jsonType,
  mistyped,
  type State,
  typeText,
  wrongType,
} from "./decode-state.ts";

export function stringDecoder(want: string): Decode {
  return (value, state) => (typeof value === "string" ? value : wrongType(value, want, state));
}

export function decodeBoolean(value: unknown, state: State): unknown {
  return typeof value === "boolean" ? value : wrongType(value, "bool", state);
}

/** The largest int64 is read as 2^63, the nearest number that JavaScript has, so that is accepted. */
export function integerDecoder(want: "int32" | "int64", limit: number): Decode {
  const max = want === "int64" ? limit : limit - 1;
  return (value, state) => {
    if (typeof value !== "number") return wrongType(value, want, state);
    if (!Number.isInteger(value) || value > max || value < -limit)
      return mistyped(`number ${value}`, want, state);
    return value;
  };
}

/** Upstream: intstr.IntOrString.UnmarshalJSON. */
export function decodeIntOrString(value: unknown, state: State): unknown {
  if (typeof value === "string") return value;
  if (typeof value === "number" && (value | 0) === value) return value;
  const got = typeof value === "number" ? `number ${value}` : jsonType(value);
  return failedFatally(typeText(got, "int32", state), state);
}

/** Upstream: Quantity.UnmarshalJSON. Anything but a string or number is parsed as its JSON text, which always fails. */
export function decodeQuantity(value: unknown, state: State): unknown {
  const text = typeof value === "string" ? value : typeof value === "number" ? String(value) : "{}";
  const quantity = parseQuantityOrError(text);
  return typeof quantity === "string" ? failedFatally(quantity, state) : quantity.text;
}

/** In resource lists, defaulting rounds up to thousandths. Upstream: SetDefaults_ResourceList. */
export function decodeResourceQuantity(value: unknown, state: State): unknown {
  const text = decodeQuantity(value, state);
  return typeof text === "string" && finer.test(text)
    ? roundUpToMilli(quantityOrZero(text)).text
    : text;
}

/** Texts that may be finer than a thousandth. */
const finer = /[nueE]|\./;

/** Upstream: metav1.Time.UnmarshalJSON. */
export function decodeTime(value: unknown, state: State): unknown {
  if (typeof value !== "string")
    return failedFatally(typeText(jsonType(value), "string", state), state);
  const read = readTimestamp(value);
  return "stored" in read ? read.stored : failedFatally(read.error, state);
}

/** Base64 whose spare bits are zero. */
const base64End = /(?:^|[^=]|[AEIMQUYcgkosw048]=|[AQgw]==)$/;

/** Storage holds the bytes, so the line breaks and spare bits of the text are lost. */
export function decodeBytes(value: unknown, state: State): unknown {
  if (Array.isArray(value)) return decodeByteList(value, state);
  if (typeof value !== "string") return wrongType(value, "[]uint8", state);
  if (isBase64(value) && base64End.test(value)) return value;
  const position = base64Error(value);
  if (position === undefined) return base64OfBytes(bytesOfBase64(value));
  return failed(`illegal base64 data at input byte ${position}`, state);
}

/** Go also accepts a list of numbers as bytes. */
function decodeByteList(list: readonly unknown[], state: State): unknown {
  const bytes: number[] = [];
  for (const item of list) {
    if (item !== null && typeof item !== "number") return wrongType(item, "uint8", state);
    const byte = item ?? 0;
    if (!Number.isInteger(byte) || byte < 0 || byte > 255)
      return mistyped(`number ${byte}`, "uint8", state);
    bytes.push(byte);
  }
  return base64OfBytes(bytes);
}

/** Where Go's decoder fails; undefined if it does not. It skips line breaks. */
function base64Error(text: string): number | undefined {
  let count = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text[index] ?? "";
    if (character === "\n" || character === "\r") continue;
    if (character === "=" && count % 4 >= 2) return paddingError(text, index + 1, count % 4 === 2);
    if (!/[A-Za-z0-9+/]/.test(character)) return index;
    count++;
  }
  return count % 4 === 0 ? undefined : text.length - (count % 4);
}

/** Where decoding fails after the first padding character: another one must follow if needed, then nothing. */
function paddingError(text: string, from: number, needsAnother: boolean): number | undefined {
  const { length } = text;
  let index = afterBreaks(text, from);
  if (needsAnother) {
    if (index === length) return length;
    if (text[index] !== "=") return index - 1;
    index = afterBreaks(text, index + 1);
  }
  return index < length ? index : undefined;
}

function afterBreaks(text: string, from: number): number {
  let index = from;
  while (text[index] === "\n" || text[index] === "\r") index++;
  return index;
}
