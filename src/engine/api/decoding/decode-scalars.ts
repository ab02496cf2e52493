/**
 * Decoding of values without fields. Upstream: encoding/json's literals and the UnmarshalJSON of IntOrString, Quantity, Time.
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

/** The largest of 64 bits reads as the number after it, which is taken for it. */
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

/** Upstream: Quantity.UnmarshalJSON. What is neither string nor number is parsed as it stands, and never fits. */
export function decodeQuantity(value: unknown, state: State): unknown {
  const text = typeof value === "string" ? value : typeof value === "number" ? String(value) : "{}";
  const quantity = parseQuantityOrError(text);
  return typeof quantity === "string" ? failedFatally(quantity, state) : quantity.text;
}

/** In resource lists defaulting leaves nothing finer than a thousandth. Upstream: SetDefaults_ResourceList. */
export function decodeResourceQuantity(value: unknown, state: State): unknown {
  const text = decodeQuantity(value, state);
  return typeof text === "string" && finer.test(text)
    ? roundUpToMilli(quantityOrZero(text)).text
    : text;
}

/** Texts that may stand for something finer than a thousandth. */
const finer = /[nueE]|\./;

/** Upstream: metav1.Time.UnmarshalJSON. */
export function decodeTime(value: unknown, state: State): unknown {
  if (typeof value !== "string")
    return failedFatally(typeText(jsonType(value), "string", state), state);
  const read = readTimestamp(value);
  return "stored" in read ? read.stored : failedFatally(read.error, state);
}

/** No bits are set behind those that count. */
const base64End = /(?:^|[^=]|[AEIMQUYcgkosw048]=|[AQgw]==)$/;

/** Bytes are stored, so that of their text neither line breaks nor spare bits stay. */
export function decodeBytes(value: unknown, state: State): unknown {
  if (Array.isArray(value)) return decodeByteList(value, state);
  if (typeof value !== "string") return wrongType(value, "[]uint8", state);
  if (isBase64(value) && base64End.test(value)) return value;
  const position = base64Error(value);
  if (position === undefined) return base64OfBytes(bytesOfBase64(value));
  return failed(`illegal base64 data at input byte ${position}`, state);
}

/** Go takes a list of numbers for bytes, too. */
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

/** Where Go's decoder stops. Line breaks are skipped, as there. */
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

/** After the first of the signs at the end: the second where two have to be there, then nothing. */
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
