/** Values of which the server does not say where they are: numbers and booleans where the API has text, and sizes. */

import { parseQuantity } from "../../../engine/api/quantity.ts";
import { typeAt } from "../../field-schema.ts";
import { scalarSpan } from "../../yaml/locate.ts";
import { isRecord, type ManifestObject, valueAt } from "../../yaml/manifest.ts";
import type { Path } from "../../yaml/place.ts";
import type { YamlDocument } from "../../yaml/yaml-document.ts";
import type { ValueFix } from "../rule.ts";

/** Their paths from the object's root, of those at or below `start`; none for kinds that the engine does not serve. */
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

/** Sizes that no server can read, of those at or below `start`; what is no text at all is one as a whole. */
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

/** Sizes are text to the schema, but the server reads numbers as well, and says something else of booleans. */
function isSize(segment: string | number): boolean {
  return sizeFields.has(String(segment));
}

/** A list or a mapping where a map of sizes has a size: a field of what is around it that is indented too far. */
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

/** The fix that makes a text of what YAML reads as something else. Nothing where the value is not written at the path: a merge key brings it. */
export function quotingFix(yaml: YamlDocument, path: Path): { readonly fix?: ValueFix } {
  const span = scalarSpan(yaml, path);
  if (span === undefined) return {};
  const written = yaml.text.slice(span.start, span.end);
  return { fix: { title: `Change to "${written}"`, path, value: written } };
}
