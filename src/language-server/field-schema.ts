/** The API's schema along a path: which fields a mapping may have, their types, and their descriptions. */
import { fieldKeptSince, fieldSince, keepsField } from "../engine/api/decoding/later-fields.ts";
import descriptions from "../engine/api/descriptions.json" with { type: "json" };
import { kindSchema } from "../engine/api/meta.ts";
import { modelSchemas } from "../engine/api/schema.ts";
import type { KubernetesVersion } from "../engine/scenario.ts";
import type { Path } from "./yaml/place.ts";

export interface Field {
  readonly name: string;
  /** `T`, `[]T` or `map[]T`, as the API's schema writes it. */
  readonly type: string;
  readonly required: boolean;
  /** Empty if the API has none. */
  readonly description: string;
}

const texts: Readonly<Record<string, Readonly<Record<string, string>>>> = descriptions;

/** The field that a path ends at; undefined for list items, map keys and unknown fields. */
export function fieldAt(kind: string, path: Path): Field | undefined {
  const last = path.at(-1);
  if (typeof last !== "string") return undefined;
  return fieldsAt(kind, path.slice(0, -1)).find(({ name }) => name === last);
}

/** The fields of the mapping at a path; empty if it is not a model of the API. */
function fieldsAt(kind: string, path: Path): readonly Field[] {
  const model = modelAt(kind, path);
  const schema = model === undefined ? undefined : modelSchemas[model];
  if (model === undefined || schema === undefined) return [];
  return Object.entries(schema).map(([name, [type, required]]) => ({
    name,
    type,
    required: required === 1,
    description: sinceWhen(model, name) + unescaped(texts[model]?.[name] ?? textOfType(type)),
  }));
}

/** Descriptions of fields whose type is a model are not generated: the model's own description takes their place. */
function textOfType(type: string): string {
  return texts[type.replace(/^(\[\]|map\[\])+/, "")]?.[""] ?? "";
}

/** The fields of the mapping at a path that servers of this version keep. */
export function keptFieldsAt(
  kind: string,
  path: Path,
  version: KubernetesVersion,
): readonly Field[] {
  const model = modelAt(kind, path);
  if (model === undefined) return [];
  return fieldsAt(kind, path).filter(({ name }) => keepsField(model, name, version));
}

/** The first version whose servers know the field at the end of a path; undefined if all versions do, or none. */
export function knownSince(kind: string, path: Path): KubernetesVersion | undefined {
  const model = modelAt(kind, path.slice(0, -1));
  return model === undefined ? undefined : fieldSince(model, String(path.at(-1)));
}

/** Says since when servers know and keep a field; empty for old fields. Comes first because long texts are cut off. */
function sinceWhen(model: string, field: string): string {
  const known = fieldSince(model, field);
  const kept = fieldKeptSince(model, field);
  if (known === undefined && kept === undefined) return "";
  if (known === undefined) return `Servers keep it from Kubernetes ${kept} on.\n\n`;
  const also = kept === undefined ? "" : ` and keep it from ${kept} on`;
  return `Servers know it from Kubernetes ${known} on${also}.\n\n`;
}

/** The API's description of a kind; empty if it has none. */
export function kindDescription(kind: string): string {
  const model = kindSchema(kind)?.model;
  return model === undefined ? "" : unescaped(texts[model]?.[""] ?? "");
}

/** Removes Go's escapes before quotes, which the generated texts contain. */
function unescaped(text: string): string {
  return text.replace(/\\+(["'])/g, "$1");
}

/** The type of the value at a path; undefined if the schema does not know it. */
export function typeAt(kind: string, path: Path): string | undefined {
  let type: string | undefined = kindSchema(kind)?.model;
  for (const segment of path) {
    if (type === undefined) return undefined;
    if (type.startsWith("[]")) {
      type = typeof segment === "number" ? type.slice(2) : undefined;
    } else if (type.startsWith("map[]")) {
      type = type.slice("map[]".length);
    } else {
      type = modelSchemas[type]?.[String(segment)]?.[0];
    }
  }
  return type;
}

function modelAt(kind: string, path: Path): string | undefined {
  const type = typeAt(kind, path);
  return type !== undefined && Object.hasOwn(modelSchemas, type) ? type : undefined;
}
