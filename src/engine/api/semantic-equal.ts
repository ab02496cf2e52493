/**
 * Equality as the API server sees it: an empty list or map is the same as none, an empty struct is not; quantities compare
 * by value.
 * Upstream: apimachinery v0.36 pkg/api/equality Semantic.DeepEqual.
 */
import { quantityFields, resourceListFields } from "./decoding/go-types.ts";
import { compareQuantityTexts } from "./quantity.ts";
import { modelSchemas } from "./schema.ts";

const quantityNames: ReadonlySet<string> = new Set(
  [...resourceListFields, ...quantityFields].map((path) => path.slice(path.indexOf(".") + 1)),
);

// Names of fields that are maps in some type and structs in none, except for overhead: only that of pods is compared.
const structFields = namesOf((type) => type in modelSchemas);
const mapFields = new Set(
  [...namesOf((type) => type.startsWith("map[]"))].filter(
    (name) => name === "overhead" || !structFields.has(name),
  ),
);

function namesOf(matches: (type: string) => boolean): Set<string> {
  const fields = Object.values(modelSchemas).flatMap((model) => Object.entries(model));
  return new Set(fields.filter(([, [type]]) => matches(type)).map(([name]) => name));
}

export function semanticEqual(a: unknown, b: unknown, field = ""): boolean {
  if (a === b) return true;
  const isMap = mapFields.has(field);
  if (isNothing(a, isMap) && isNothing(b, isMap)) return true;
  if (typeof a === "string" && typeof b === "string")
    return quantityNames.has(field) && compareQuantityTexts(a, b) === 0;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, index) => semanticEqual(item, b[index]))
    );
  }
  const x = a as Record<string, unknown>;
  const y = b as Record<string, unknown>;
  for (const key in x) if (!semanticEqual(x[key], y[key], isMap ? field : key)) return false;
  for (const key in y)
    if (!(key in x) && (isMap || !semanticEqual(undefined, y[key], key))) return false;
  return true;
}

function isNothing(value: unknown, isMap: boolean): boolean {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return true;
  return isMap && typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
