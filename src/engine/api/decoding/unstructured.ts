/**
 * Why Go cannot convert the maps and lists that a strategic merge patch leaves into an object. Upstream: apimachinery v0.36
 * pkg/runtime/converter.go fromUnstructured, which reports the first error in the order of Go's fields; here it is the first by
 * name. Not modeled: that integers of more than 32 bits are truncated.
 */
import { newestVersion } from "../../scenario.ts";
import { modelSchemas } from "../schema.ts";
import { goType } from "./decode.ts";
import { decodeBytes, decodeIntOrString, decodeQuantity, decodeTime } from "./decode-scalars.ts";
import { type Decode, newState } from "./decode-state.ts";
import { quantityFields, resourceListFields } from "./go-types.ts";

/** Undefined if Go can convert it. */
export function conversionError(model: string, value: unknown): string | undefined {
  const kind = kindOf(value);
  if (kind !== "map") return `cannot restore struct from: ${kind}`;
  const fields = value as Readonly<Record<string, unknown>>;
  return firstOf(Object.entries(modelSchemas[model] ?? {}), ([field, [type]]) =>
    partError(type, `${model}.${field}`, fields[field]),
  );
}

function firstOf<T>(
  items: readonly T[],
  errorOf: (item: T) => string | undefined,
): string | undefined {
  for (const item of items) {
    const error = errorOf(item);
    if (error !== undefined) return error;
  }
  return undefined;
}

/** `path` is the model with its field. */
function partError(type: string, path: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  const kind = kindOf(value);
  if (type.startsWith("[]")) {
    if (!Array.isArray(value)) return `cannot restore slice from ${kind}`;
    return firstOf(value, (item) => partError(type.slice("[]".length), path, item));
  }
  if (type.startsWith("map[]")) {
    if (kind !== "map") return `cannot restore map from ${kind}`;
    const element = resourceListFields.has(path) ? "quantity" : type.slice("map[]".length);
    return firstOf(Object.values(value), (item) => partError(element, path, item));
  }
  const read = readers[quantityFields.has(path) ? "quantity" : type];
  if (read !== undefined) return complaintOf(read, value);
  if (type === "any") return undefined;
  if (type === "bytes") return bytesError(value, kind);
  const wanted = goKinds[type];
  return wanted === undefined
    ? conversionError(type, value)
    : scalarError(kind, wanted, goType(type, path));
}

/** Types with a JSON parser of their own. */
const readers: Readonly<Record<string, Decode>> = {
  quantity: decodeQuantity,
  intOrString: decodeIntOrString,
  time: decodeTime,
  microTime: decodeTime,
};

function complaintOf(decode: Decode, value: unknown): string | undefined {
  const state = newState(false, newestVersion);
  decode(value, state);
  return state.fatal ?? state.typeError;
}

function bytesError(value: unknown, kind: string): string | undefined {
  if (kind !== "string" && kind !== "slice") return `cannot restore slice from ${kind}`;
  const complaint = complaintOf(decodeBytes, value);
  return complaint === undefined ? undefined : `error decoding from json: ${complaint}`;
}

const goKinds: Readonly<Record<string, string>> = {
  string: "string",
  boolean: "bool",
  int32: "int32",
  int64: "int64",
  double: "float64",
};

/** Go can convert an integer to a text, and a fraction to an integer; the converter refuses these with another message. */
function scalarError(kind: string, wanted: string, type: string): string | undefined {
  const isNumber = wanted !== "string" && wanted !== "bool";
  if (kind === wanted || (isNumber && kind === "int64")) return undefined;
  const isConvertible =
    (kind === "int64" && wanted === "string") || (kind === "float64" && isNumber);
  return isConvertible ? `cannot convert ${kind} to ${type}` : `unrecognized type: ${wanted}`;
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "slice";
  if (typeof value === "number") return Number.isInteger(value) ? "int64" : "float64";
  if (typeof value === "boolean") return "bool";
  return typeof value === "object" ? "map" : typeof value;
}
