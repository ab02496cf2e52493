/**
 * Kinds that a CustomResourceDefinition describes: the snapshot kinds of external-snapshotter v8 and gateway-api's
 * ReferenceGrant. Upstream: apiextensions-apiserver v1.36 pkg/apiserver (schema, pruning, CEL rules).
 */
import type { FieldErrors } from "../field-error.ts";
import { compareText } from "../go/text-order.ts";
import { deepEqual } from "../json.ts";
import type { Kind } from "../meta.ts";
import { modelSchemas } from "../schema.ts";
import {
  checkCount,
  checkNumber,
  checkText,
  checkTime,
  checkType,
  shown,
  typesOf,
} from "./custom-limits.ts";
import { type Decoded, decodeModel } from "./decode.ts";

type Fields = Readonly<Record<string, unknown>>;

export const customKinds: ReadonlySet<Kind> = new Set<Kind>([
  "VolumeSnapshot",
  "VolumeSnapshotClass",
  "VolumeSnapshotContent",
  "ReferenceGrant",
]);

/** Reports errors in the metadata only; the rest is left to the schema. */
export function decodeCustom(kind: Kind, input: Fields): Decoded {
  const metadata = decodeModel("ObjectMeta", input["metadata"] ?? {});
  if (!metadata.ok) return metadata;
  const { loose } = metadata;
  const value: Record<string, unknown> = { metadata: metadata.value };
  const pruned: string[] = [];
  for (const [field, part] of Object.entries(input)) {
    if (field === "metadata") continue;
    const type = typeOfField(kind, field);
    if (type === undefined) pruned.push(field);
    else if (part !== null && part !== undefined) value[field] = prune(part, type, field, pruned);
  }
  const ofMetadata = metadata.unknown.map((field) => `metadata.${field}`);
  return { ok: true, value, loose, unknown: [...ofMetadata, ...pruned.sort(compareText)] };
}

/**
 * Removes nulls and collects the paths of unknown fields; in a list that stands in the wrong place, all fields are unknown.
 * Upstream: schema/pruning/algorithm.go.
 */
function prune(value: unknown, type: string | undefined, path: string, unknown: string[]): unknown {
  if (Array.isArray(value)) {
    const element = type?.startsWith("[]") === true ? type.slice(2) : undefined;
    return value.map((item, index) => prune(item, element, `${path}[${index}]`, unknown));
  }
  if (typeof value !== "object" || value === null) return value;
  const kept: Record<string, unknown> = {};
  for (const [key, part] of Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const known = typeOfField(type, key);
    if (known === undefined) unknown.push(`${path}.${key}`);
    else if (part !== null) kept[key] = prune(part, known, `${path}.${key}`, unknown);
  }
  return kept;
}

/** Undefined if the type has no such field. */
function typeOfField(type: string | undefined, field: string): string | undefined {
  if (type === undefined) return undefined;
  if (type.startsWith("map[]")) return type.slice(5);
  const model = modelSchemas[type];
  return model !== undefined && Object.hasOwn(model, field) ? model[field]?.[0] : undefined;
}

const enums: Readonly<Record<string, readonly string[]>> = {
  "VolumeSnapshotClass.deletionPolicy": ["Delete", "Retain"],
  "VolumeSnapshotContentSpec.deletionPolicy": ["Delete", "Retain"],
};

/**
 * Checks the schema, then, unless an error prevents it, the rules. What was invalid before may stay: the schema ignores it, the
 * rules warn. Upstream: validation/ratcheting.go, schema/cel/validation.go shouldRatchetError.
 */
export function validateCustom(
  kind: Kind,
  next: Fields,
  old: Fields | undefined,
  errors: FieldErrors,
): void {
  for (const [field, [type]] of Object.entries(modelSchemas[kind] ?? {})) {
    if (field !== "metadata" && next[field] !== undefined) {
      const place = { model: `${kind}.${field}`, path: field };
      validateValue(next[field], old?.[field], type, place, errors);
    }
  }
  requireFields(kind, next, "", errors);
  if (!errors.causes.some(({ reason }) => blocking.has(reason))) rules[kind]?.(next, old, errors);
  else if (rules[kind] !== undefined) {
    const text =
      "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation";
    errors.raw("FieldValueInvalid", "<nil>", `Invalid value: null: ${text}`);
  }
}

/** Errors after which the rules are not checked. */
const blocking: ReadonlySet<string> = new Set([
  "FieldValueRequired",
  "FieldValueNotSupported",
  "FieldValueTooLong",
  "FieldValueTooMany",
  "FieldValueTypeInvalid",
]);

function requireFields(model: string, value: Fields, path: string, errors: FieldErrors): void {
  for (const [field, [, required]] of Object.entries(modelSchemas[model] ?? {})) {
    if (required === 1 && value[field] === undefined)
      errors.raw("FieldValueRequired", path === "" ? field : `${path}.${field}`, "Required value");
  }
}

/** A field's name in the schema, and its path in the object. */
interface FieldPlace {
  readonly model: string;
  readonly path: string;
}

function validateValue(
  value: unknown,
  old: unknown,
  type: string,
  { model, path }: FieldPlace,
  errors: FieldErrors,
): void {
  if (old !== undefined && deepEqual(value, old)) return;
  const wanted = jsonTypeOf(type);
  const got = jsonType(value);
  checkType(got, type, wanted === undefined ? [got] : typesOf(model, wanted), path, errors);
  const supported = enums[model];
  if (supported !== undefined && !supported.includes(value as string)) {
    const list = supported.map((s) => `"${s}"`).join(", ");
    errors.raw(
      "FieldValueNotSupported",
      path,
      `Unsupported value: ${shown(value)}: supported values: ${list}`,
    );
  }
  if (got !== wanted) return;
  if (type === "time") checkTime(value as string, path, errors);
  if (typeof value === "number") checkNumber(value, model, path, errors);
  if (typeof value === "string") checkText(value, model, path, errors);
  if (typeof value !== "object") return;
  const before = fieldsOf(old);
  if (type.startsWith("map[]")) {
    for (const [key, part] of Object.entries(value as Fields))
      validateValue(part, before?.[key], type.slice(5), { model, path: `${path}.${key}` }, errors);
  } else if (type.startsWith("[]")) {
    // The lists of these kinds are atomic: no item is compared with an old one.
    (value as readonly unknown[]).forEach((item, index) => {
      validateValue(item, undefined, type.slice(2), { model, path: `${path}[${index}]` }, errors);
    });
    checkCount((value as readonly unknown[]).length, model, path, errors);
  } else {
    const fields = value as Fields;
    for (const [field, [fieldType]] of Object.entries(modelSchemas[type] ?? {})) {
      const part = fields[field];
      if (part === undefined) continue;
      const place = { model: `${type}.${field}`, path: `${path}.${field}` };
      validateValue(part, before?.[field], fieldType, place, errors);
    }
    requireFields(type, fields, path, errors);
  }
}

function jsonTypeOf(type: string): string | undefined {
  if (type.startsWith("[]")) return "array";
  if (type === "string" || type === "boolean") return type;
  if (type === "time") return "string";
  if (type === "int32" || type === "int64") return "integer";
  return type === "any" ? undefined : "object";
}

/** An integer beyond 64 bits counts as a float. Upstream: apimachinery pkg/util/json, swag.IsFloat64AJSONInteger. */
function jsonType(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number")
    return Number.isInteger(value) && Math.abs(value) <= 2 ** 63 ? "integer" : "number";
  return typeof value;
}

type Rule = (next: Fields, old: Fields | undefined, errors: FieldErrors) => void;

/** The x-kubernetes-validations of each kind. A rule is checked only if the value that it belongs to is present. */
const rules: Partial<Record<Kind, Rule>> = {
  VolumeSnapshot: (next, old, errors) => {
    const spec = fieldsOf(next["spec"]) ?? {};
    const before = fieldsOf(old?.["spec"]);
    validateSource(
      spec,
      before,
      ["persistentVolumeClaimName", "volumeSnapshotContentName"],
      "volumeSnapshotContentName and persistentVolumeClaimName",
      errors,
    );
    const name = spec["volumeSnapshotClassName"];
    if (name === "") {
      const text = "volumeSnapshotClassName must not be the empty string when set";
      const isOld = before?.["volumeSnapshotClassName"] === name;
      refuse("spec.volumeSnapshotClassName", name, text, errors, isOld);
    }
  },
  VolumeSnapshotContent: (next, old, errors) => {
    const spec = fieldsOf(next["spec"]) ?? {};
    const before = fieldsOf(old?.["spec"]);
    const mode = "sourceVolumeMode";
    if (before?.[mode] !== undefined && spec[mode] === undefined)
      refuse("spec", undefined, `${mode} is required once set`, errors);
    validateSource(
      spec,
      before,
      ["volumeHandle", "snapshotHandle"],
      "volumeHandle and snapshotHandle",
      errors,
    );
    validateUnchanged(spec, before, mode, `spec.${mode}`, errors);
    const reference = fieldsOf(spec["volumeSnapshotRef"]);
    if (reference === undefined) return;
    if (reference["name"] === undefined || reference["namespace"] === undefined) {
      const text =
        "both spec.volumeSnapshotRef.name and spec.volumeSnapshotRef.namespace must be set";
      const isOld = deepEqual(reference, before?.["volumeSnapshotRef"]);
      refuse("spec.volumeSnapshotRef", undefined, text, errors, isOld);
    }
  },
};

function fieldsOf(value: unknown): Fields | undefined {
  return jsonType(value) === "object" ? (value as Fields) : undefined;
}

/** Exactly one of two sources must be set, and stays. */
function validateSource(
  spec: Fields,
  before: Fields | undefined,
  names: readonly string[],
  both: string,
  errors: FieldErrors,
): void {
  const source = fieldsOf(spec["source"]);
  if (source === undefined) return;
  const old = fieldsOf(before?.["source"]);
  for (const name of names) {
    if (old?.[name] !== undefined && source[name] === undefined)
      refuse("spec.source", undefined, `${name} is required once set`, errors);
  }
  if (names.filter((name) => source[name] !== undefined).length !== 1) {
    const text = `exactly one of ${both} must be set`;
    refuse("spec.source", undefined, text, errors, deepEqual(source, old));
  }
  for (const name of names) validateUnchanged(source, old, name, `spec.source.${name}`, errors);
}

function validateUnchanged(
  next: Fields,
  old: Fields | undefined,
  field: string,
  path: string,
  errors: FieldErrors,
): void {
  const value = next[field];
  if (value !== undefined && old?.[field] !== undefined && value !== old[field])
    refuse(path, value, `${field} is immutable`, errors);
}

/** With `isOld`, only warns: the rule does not compare with the old object, and the value has not changed. */
function refuse(
  path: string,
  value: unknown,
  text: string,
  errors: FieldErrors,
  isOld = false,
): void {
  const what = value === undefined ? "" : ` ${shown(value)}:`;
  const message = `Invalid value:${what} ${text}`;
  if (isOld) errors.warnings.push(`${path}: ${message}`);
  else errors.raw("FieldValueInvalid", path, message);
}
