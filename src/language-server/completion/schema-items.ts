/** Items from the API's schema: fields, kinds, versions, enumerated values. */
import { servesKind } from "../../engine/api/decoding/later-fields.ts";
import { kindSchemas } from "../../engine/api/schema.ts";
import { type KubernetesVersion, newestVersion } from "../../engine/scenario.ts";
import { type Field, keptFieldsAt, typeAt } from "../field-schema.ts";
import { enumMeanings } from "../hover/meanings.ts";
import { own } from "../own.ts";
import { valueAt } from "../yaml/manifest.ts";
import type { Path } from "../yaml/place.ts";
import { enumValues } from "./enum-values.ts";
import { type Item, type Place, valueItem, withText } from "./item.ts";
import { usualFirst } from "./usual-fields.ts";

/** Those of apiVersion, kind and metadata that are missing. */
export function firstFields(value: unknown): readonly Item[] {
  const present = keysOf(value);
  return ["apiVersion", "kind", "metadata"]
    .filter((name) => !present.includes(name))
    .map((label) => ({
      label,
      kind: "field",
      insert: label === "metadata" ? "metadata:\n  name: " : `${label}: `,
    }));
}

export function kindItems(value: unknown, version: KubernetesVersion): readonly Item[] {
  const wanted = valueAt(value, ["apiVersion"]);
  return kindSchemas
    .filter(({ kind }) => servesKind(kind, version))
    .filter(({ apiVersion }) => typeof wanted !== "string" || wanted === apiVersion)
    .map(({ kind, apiVersion }) => ({
      label: kind,
      kind: "value",
      detail: apiVersion,
      insert: kind,
      about: { type: "kind", kind },
    }));
}

export function versionItems(value: unknown): readonly Item[] {
  const wanted = valueAt(value, ["kind"]);
  const versions = kindSchemas.filter(({ kind }) => typeof wanted !== "string" || wanted === kind);
  return [...new Set(versions.map(({ apiVersion }) => apiVersion))].map(valueItem);
}

/** The fields of the schema that are not written yet. */
export function fieldItems({ analysis, object, path }: Place): readonly Item[] {
  const { kind, value } = object;
  const parent = path.slice(0, -1);
  const present = keysOf(valueAt(value, parent));
  const fields = keptFieldsAt(kind, parent, analysis?.version ?? newestVersion).filter(
    ({ name }) => !present.includes(name) && !(parent.length === 0 && name === "status"),
  );
  return usualFirst(kind, parent, fields).map((field) => ({
    label: field.name,
    kind: "field",
    detail: field.required ? `${field.type}, required` : field.type,
    insert: `${field.name}:${begun(field)}`,
    about: { type: "field", kind, path: [...parent, field.name] },
  }));
}

/** Enumerated values with their meanings, or booleans. In a list, without the values already in it. */
export function enumItems({ object: { kind, value }, path }: Place): readonly Item[] {
  const inList = typeof path.at(-1) === "number";
  const field: Path = inList ? path.slice(0, -1) : path;
  const model = typeAt(kind, field.slice(0, -1));
  const values = enumValues[`${model}.${String(field.at(-1))}`];
  if (values !== undefined) {
    const chosen = inList ? valueAt(value, field) : undefined;
    const taken: readonly unknown[] = Array.isArray(chosen) ? chosen : [];
    const meanings = own(enumMeanings, String(field.at(-1))) ?? {};
    return values
      .filter((text) => !taken.includes(text))
      .map((text) => withText(valueItem(text), own(meanings, text)));
  }
  return typeAt(kind, path) === "boolean" ? ["true", "false"].map(valueItem) : [];
}

const scalars: ReadonlySet<string> = new Set([
  "string",
  "boolean",
  "int32",
  "int64",
  "time",
  "intOrString",
  "quantity",
]);

/** What follows the colon of a newly inserted field. */
function begun({ type }: Field): string {
  if (scalars.has(type)) return " ";
  if (type === "EmptyDirVolumeSource") return " {}";
  return type.startsWith("[]") ? "\n  - " : "\n  ";
}

function keysOf(value: unknown): readonly string[] {
  return typeof value === "object" && value !== null ? Object.keys(value) : [];
}
