/**
 * Strict decoding: JSON values to objects of the API, with the server's errors.
 * Upstream: apimachinery v0.36 pkg/runtime/serializer/json and sigs.k8s.io/json (encoding/json's decoder with strict errors).
 * Values that Go would not write back (an empty list, a false that is not a pointer) are left out, so the result is the stored
 * form. Not modeled: duplicate keys (the reader of the manifest reports those).
 */
import { atLeast, type KubernetesVersion, newestVersion } from "../../scenario.ts";
import { goQuote } from "../go/text.ts";
import { compareText } from "../go/text-order.ts";
import { type FieldSchema, modelSchemas } from "../schema.ts";
import {
  decodeBoolean,
  decodeBytes,
  decodeIntOrString,
  decodeQuantity,
  decodeResourceQuantity,
  decodeTime,
  integerDecoder,
  stringDecoder,
} from "./decode-scalars.ts";
import {
  type Decode,
  type Field,
  type LooseEnd,
  metUnknown,
  newState,
  type State,
  wrongType,
} from "./decode-state.ts";
import {
  alwaysWritten,
  embeddedStruct,
  namedTypes,
  pointerFields,
  quantityFields,
  resourceListFields,
  valueStructs,
} from "./go-types.ts";
import { fieldSince } from "./later-fields.ts";

export type Decoded =
  | {
      readonly ok: true;
      readonly value: Record<string, unknown>;
      readonly loose: readonly LooseEnd[];
      /** The paths of unknown fields, which are dropped. */
      readonly unknown: readonly string[];
    }
  /** Why the value is not such an object. */
  | { readonly ok: false; readonly cause: string };

type Zero = (state: State) => unknown;

interface Model {
  readonly name: string;
  readonly fields: ReadonlyMap<string, Field>;
  /** Fields that exist even if they are not written, with their zero value; a list gets its value only in storage. */
  readonly present: readonly (readonly [name: string, zero: Zero | undefined])[];
}

const unknownFieldCountMax = 100;
const models = new Map<string, Model>();

/** Decodes an object of the model; `value` is any JSON value. */
export function decodeModel(
  name: string,
  value: unknown,
  version: KubernetesVersion = newestVersion,
): Decoded {
  const model = modelOf(name);
  const state = newState(false, version);
  const decoded = decodeStruct(model, value, state) as Record<string, unknown>;
  let said = state;
  // If there are several failures, the error depends on their order.
  if (state.failureCount > 1) {
    said = newState(true, version);
    decodeStruct(model, value, said);
  }
  const cause = said.fatal ?? said.typeError;
  if (cause !== undefined) return { ok: false, cause };
  const unknown =
    said.unknown.length === 0 ? none : [...new Set(said.unknown)].slice(0, unknownFieldCountMax);
  return { ok: true, value: decoded, loose: state.loose, unknown };
}

const none: readonly string[] = [];

/** The server's words for an unknown field. */
export function unknownField(path: string): string {
  return `unknown field ${goQuote(path)}`;
}

/** Gives loose ends their stored form. */
export function tieLooseEnds(loose: readonly LooseEnd[]): void {
  for (const { owner, field, fills } of loose) {
    const value = owner[field];
    if (fills) owner[field] ??= [];
    else if (value !== undefined && isEmptyCollection(value)) delete owner[field];
  }
}

function isEmptyCollection(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  for (const _ in value as object) return false;
  return true;
}

/** A new copy of the model's value when nothing is written. */
export function zeroOfModel(name: string): Record<string, unknown> {
  let zero = zeros.get(name);
  if (zero === undefined) {
    zero = decodeStruct(modelOf(name), {}, noState) as Record<string, unknown>;
    zeros.set(name, zero);
  }
  return copyOfZero(zero);
}

const zeros = new Map<string, Record<string, unknown>>();

/** A zero value consists of scalars and other zero values. */
function copyOfZero(zero: Record<string, unknown>): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const key in zero) {
    const part = zero[key];
    copy[key] = typeof part === "object" ? copyOfZero(part as Record<string, unknown>) : part;
  }
  return copy;
}

function modelOf(name: string): Model {
  const known = models.get(name);
  if (known !== undefined) return known;
  const fields = new Map<string, Field>();
  const present: [string, Zero | undefined][] = [];
  const model: Model = { name, fields, present };
  models.set(name, model);
  for (const [field, schema] of Object.entries(modelSchemas[name] ?? {})) {
    fields.set(field, compileField(name, field, schema));
    const zero = zeroOf(name, field, schema);
    if (zero !== undefined || (schema[1] === 1 && schema[0].startsWith("[]")))
      present.push([field, zero]);
  }
  return model;
}

function compileField(model: string, field: string, [type, required]: FieldSchema): Field {
  const embedded = embeddedStruct(model, field);
  const pointer = pointerFields[model]?.includes(field) === true;
  return {
    name: field,
    typePath: embedded === undefined ? field : `${embedded}.${field}`,
    owner: model,
    decode: decoderOf(type, `${model}.${field}`),
    since: fieldSince(model, field),
    omitsEmpty: required === 0 && !pointer && type !== "any",
    isText: type === "string" && !quantityFields.has(`${model}.${field}`),
    isCollection: type.startsWith("[]") || type.startsWith("map[]"),
  };
}

/** The value of a field that is not written, if Go writes it all the same. */
function zeroOf(model: string, field: string, [type, required]: FieldSchema): Zero | undefined {
  const path = `${model}.${field}`;
  if (valueStructs.has(path) || field === "metadata") return zeroStruct(type);
  if (required === 0 && !alwaysWritten.has(path)) return undefined;
  if (quantityFields.has(path)) return () => "0";
  if (type === "string") return () => "";
  if (type === "int32" || type === "int64" || type === "intOrString") return () => 0;
  return type === "boolean" ? () => false : undefined;
}

function decoderOf(type: string, path: string): Decode {
  if (quantityFields.has(path)) return decodeQuantity;
  if (resourceListFields.has(path))
    return mapDecoder(decodeResourceQuantity, "v1.ResourceList", "0");
  if (type.startsWith("[]"))
    return listDecoder(
      decoderOf(type.slice(2), path),
      `[]${goType(type.slice(2), path)}`,
      zeroElement(type.slice(2)),
    );
  if (type.startsWith("map[]")) {
    const key =
      path === "PersistentVolumeClaimStatus.allocatedResourceStatuses"
        ? "v1.ResourceName"
        : "string";
    return mapDecoder(
      decoderOf(type.slice(5), path),
      `map[${key}]${goType(type.slice(5), path)}`,
      zeroElement(type.slice(5))(noState),
    );
  }
  switch (type) {
    case "string":
      return stringDecoder(goType(type, path));
    case "int32":
      return integerDecoder("int32", 2 ** 31);
    case "int64":
      return integerDecoder("int64", 2 ** 63);
    case "boolean":
      return decodeBoolean;
    case "intOrString":
      return decodeIntOrString;
    case "time":
    case "microTime":
      return decodeTime;
    case "bytes":
      return decodeBytes;
    case "double":
    case "any":
      return (value) => value;
    default:
      return lazyStruct(type);
  }
}

/** Models refer to each other, so a struct is compiled when the first value of it arrives. */
function lazyStruct(type: string): Decode {
  let model: Model | undefined;
  return (value, state) => {
    model ??= modelOf(type);
    return decodeStruct(model, value, state);
  };
}

const noState = newState(false, newestVersion);

function zeroElement(type: string): Zero {
  if (type === "string" || type === "bytes") return () => "";
  if (type === "int32" || type === "int64") return () => 0;
  return zeroStruct(type);
}

function zeroStruct(type: string): Zero {
  const decode = lazyStruct(type);
  return (state) => decode({}, state);
}

/** The Go type, as in errors. */
export function goType(type: string, path: string): string {
  const named = namedTypes[path];
  if (named !== undefined) return named.includes(".") ? named : `v1.${named}`;
  if (type === "boolean") return "bool";
  if (type === "bytes") return "[]uint8";
  if (type === "time") return "v1.Time";
  return type in modelSchemas ? `v1.${type}` : type;
}

function decodeStruct(model: Model, value: unknown, state: State): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return wrongType(value, `v1.${model.name}`, state);
  const source = value as Record<string, unknown>;
  const decoded: Record<string, unknown> = {};
  if (state.isInOrder) {
    for (const key of inByteOrder(source)) decodeEntry(model, key, source[key], decoded, state);
  } else {
    for (const key in source) decodeEntry(model, key, source[key], decoded, state);
  }
  for (const [name, zero] of model.present) {
    if (decoded[name] !== undefined) continue;
    if (zero === undefined) state.loose.push({ owner: decoded, field: name, fills: true });
    else decoded[name] = zero(state);
  }
  return decoded;
}

function decodeEntry(
  model: Model,
  key: string,
  value: unknown,
  decoded: Record<string, unknown>,
  state: State,
): void {
  const field = model.fields.get(key);
  if (field === undefined || isLater(field, state)) metUnknown(key, state);
  else if (field.isText && typeof value === "string") {
    // Nearly every field is a text that needs only a type check.
    if (value !== "" || !field.omitsEmpty) decoded[key] = value;
  } else if (value !== null && value !== undefined) decodeField(field, value, decoded, state);
}

/** True if a server of this version does not know the field yet. */
function isLater({ since }: Field, { version }: State): boolean {
  return since !== undefined && !atLeast(version, since);
}

function decodeField(
  field: Field,
  value: unknown,
  decoded: Record<string, unknown>,
  state: State,
): void {
  state.path.push(field);
  const result = field.decode(value, state);
  state.path.pop();
  if (result === undefined) return;
  if (field.omitsEmpty) {
    if (result === "" || result === false || result === 0) return;
    if (field.isCollection && isEmptyCollection(result)) {
      state.loose.push({ owner: decoded, field: field.name, fills: false });
    }
  }
  decoded[field.name] = result;
}

function listDecoder(element: Decode, want: string, zero: Zero): Decode {
  return (value, state) => {
    if (!Array.isArray(value)) return wrongType(value, want, state);
    const decoded: unknown[] = [];
    for (let index = 0; index < value.length; index++) {
      state.path.push(index);
      decoded.push(value[index] === null ? zero(state) : element(value[index], state));
      state.path.pop();
    }
    return decoded;
  };
}

function mapDecoder(element: Decode, want: string, zero: unknown): Decode {
  const decodePart = (
    key: string,
    part: unknown,
    decoded: Record<string, unknown>,
    state: State,
  ): void => {
    const result = part === null ? zero : element(part, state);
    if (key === "__proto__") defineOwn(decoded, key, result);
    else decoded[key] = result;
  };
  return (value, state) => {
    if (typeof value !== "object" || value === null || Array.isArray(value))
      return wrongType(value, want, state);
    const source = value as Record<string, unknown>;
    const decoded: Record<string, unknown> = {};
    if (state.isInOrder)
      for (const key of inByteOrder(source)) decodePart(key, source[key], decoded, state);
    else for (const key in source) decodePart(key, source[key], decoded, state);
    return decoded;
  };
}

function inByteOrder(source: object): readonly string[] {
  return Object.keys(source).sort(compareText);
}

/** An assignment to `__proto__` would set the prototype instead. */
function defineOwn(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}
