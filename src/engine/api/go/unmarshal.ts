/**
 * What Go reads from a JSON text into a type, or Go's error. Upstream: Go 1.26 encoding/json decode.go. Not modeled: times, and
 * integers that are out of range or written with an exponent.
 */
import { goSyntaxError } from "./json-syntax.ts";
import { utf8Bytes } from "./utf8.ts";

/** A Go type, with its name in messages. A null or absent field is read as undefined. */
export type Shape =
  | { readonly type: string; readonly is: "boolean" | "string" | "integer" }
  | { readonly type: string; readonly items: Shape }
  | { readonly type: string; readonly values: Shape }
  | { readonly type: string; readonly fields: Readonly<Record<string, Shape>> };

export type Unmarshalled =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: string };

/** The place of a value: the innermost struct, and the fields on the way from the outermost. */
interface Place {
  readonly struct: string;
  readonly path: readonly string[];
}

/** Only the first error is reported. */
export function unmarshal(text: string, shape: Shape): Unmarshalled {
  const syntaxError = goSyntaxError(utf8Bytes(text));
  if (syntaxError !== undefined) return { ok: false, error: syntaxError };
  const errors: string[] = [];
  const value = read(JSON.parse(text), shape, undefined, errors);
  const [error] = errors;
  return error === undefined ? { ok: true, value } : { ok: false, error };
}

function read(value: unknown, shape: Shape, place: Place | undefined, errors: string[]): unknown {
  if (value === null) return undefined;
  if ("items" in shape) {
    if (Array.isArray(value)) return value.map((item) => read(item, shape.items, place, errors));
  } else if ("is" in shape) {
    if (typeof value === shape.is) return value;
    if (shape.is === "integer" && Number.isInteger(value)) return value;
  } else if (typeof value === "object" && !Array.isArray(value)) {
    if ("values" in shape)
      return Object.fromEntries(
        Object.entries(value).map(([key, part]) => [key, read(part, shape.values, place, errors)]),
      );
    const struct = shape.type.slice(shape.type.indexOf(".") + 1);
    const fields: Record<string, unknown> = {};
    for (const [key, part] of Object.entries(value)) {
      const name = fieldName(shape.fields, key);
      const type = name === undefined ? undefined : shape.fields[name];
      if (name === undefined || type === undefined) continue;
      const path = [...(place?.path ?? []), name];
      fields[name] = read(part, type, { struct, path }, errors);
    }
    return fields;
  }
  errors.push(mismatch(value, shape, place));
  return undefined;
}

function mismatch(value: unknown, shape: Shape, place: Place | undefined): string {
  const target =
    place === undefined ? "value" : `struct field ${place.struct}.${place.path.join(".")}`;
  const isFraction = typeof value === "number" && "is" in shape && shape.is === "integer";
  const what = isFraction ? `number ${value}` : kindOf(value);
  return `json: cannot unmarshal ${what} into Go ${target} of type ${shape.type}`;
}

/** Case is ignored: it would matter only if two fields differed in nothing else. */
function fieldName(fields: Readonly<Record<string, Shape>>, key: string): string | undefined {
  const lower = key.toLowerCase();
  return Object.keys(fields).find((name) => name.toLowerCase() === lower);
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "array";
  return typeof value === "boolean" ? "bool" : typeof value;
}
