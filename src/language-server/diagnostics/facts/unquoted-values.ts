/** Values that the server refuses without saying where they are: numbers and booleans in text fields, and sizes. */

import { parseQuantity } from "../../../engine/api/quantity.ts";
import { typeAt } from "../../field-schema.ts";
import { scalarSpan } from "../../yaml/locate.ts";
import { isRecord, type ManifestObject, valueAt } from "../../yaml/manifest.ts";
import type { Path } from "../../yaml/place.ts";
import type { YamlDocument } from "../../yaml/yaml-document.ts";
import type { ValueFix } from "../rule.ts";

/** Paths from the object's root, of values at or below `start`; empty for kinds that the engine does not serve. */
export function unquotedValues(
  object: ManifestObject,
  type: "boolean" | "number",
  start: Path = [],
): readonly Path[] {
  return valuesIn(
    object,
    start,
    (value, path) =>
      typeof value === type && typeAt(object.kind, path) === "string" && !path.some(isSize),
  );
}

/** Sizes at or below `start` that the server cannot parse, including lists and mappings in place of sizes. */
export function unreadableSizes(object: ManifestObject, start: Path): readonly Path[] {
  return valuesIn(
    object,
    start,
    (value, path) =>
      isEntryOfSizes(value, path) ||
      (typeof value === "string" && path.some(isSize) && parseQuantity(value) === undefined),
  );
}

function valuesIn(
  object: ManifestObject,
  start: Path,
  matches: (value: unknown, path: Path) => boolean,
): readonly Path[] {
  if (!object.served) return [];
  const found: Path[] = [];
  const look = (value: unknown, path: Path): void => {
    if (matches(value, path)) found.push(path);
    else if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) look(item, [...path, index]);
    } else if (isRecord(value)) {
      for (const [key, field] of Object.entries(value)) look(field, [...path, key]);
    }
  };
  look(valueAt(object.value, start), start);
  return found;
}

/** Sizes are text in the schema, but the server also accepts numbers, and has another message for booleans. */
function isSize(segment: string | number): boolean {
  return sizeFields.has(String(segment));
}

/** A list or mapping as an entry of a map of sizes: a field of the surrounding mapping that is indented too far. */
function isEntryOfSizes(value: unknown, path: Path): boolean {
  const [map, name] = path.slice(-2);
  if (typeof value !== "object" || value === null || typeof name !== "string") return false;
  return mapsOfSizes.has(String(map));
}

const mapsOfSizes: ReadonlySet<string> = new Set([
  "allocatable",
  "capacity",
  "hard",
  "limits",
  "requests",
]);

const sizeFields: ReadonlySet<string> = new Set([
  "allocatable",
  "capacity",
  "divisor",
  "hard",
  "limits",
  "maximumVolumeSize",
  "overhead",
  "resources",
  "sizeLimit",
]);

/** The fix that quotes the value. Nothing if the value is not written at the path but comes from a merge key. */
export function quotingFix(yaml: YamlDocument, path: Path): { readonly fix?: ValueFix } {
  const span = scalarSpan(yaml, path);
  if (span === undefined) return {};
  const written = yaml.text.slice(span.start, span.end);
  return { fix: { title: `Change to "${written}"`, path, value: written } };
}
