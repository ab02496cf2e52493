/**
 * Refusals that a validator with Kubernetes' JSON schema also reports: unknown fields, wrong types, missing required fields.
 * That schema has no custom resources, and accepts any text as a quantity.
 */
import { customKinds } from "../../engine/api/decoding/custom-resource.ts";
import { isKind, kindSchema } from "../../engine/api/meta.ts";
import { modelSchemas } from "../../engine/api/schema.ts";
import type { Path } from "../yaml/place.ts";

export function isStructural(kind: string, path: Path, message: string): boolean {
  if (isKind(kind) && customKinds.has(kind)) return false;
  if (message.startsWith("unknown field ") || message.includes("json: cannot unmarshal"))
    return true;
  return message.endsWith(": Required value") && isRequired(kind, path);
}

/** True if the schema requires the field, and not only a rule of the API server. */
function isRequired(kind: string, path: Path): boolean {
  let type: string | undefined = kindSchema(kind)?.model;
  let required = false;
  for (const segment of path) {
    if (type === undefined) return false;
    required = false;
    if (type.startsWith("[]")) type = type.slice("[]".length);
    else if (type.startsWith("map[]")) type = type.slice("map[]".length);
    else {
      const field: readonly [string, 0 | 1] | undefined = modelSchemas[type]?.[String(segment)];
      type = field?.[0];
      required = field?.[1] === 1;
    }
  }
  return required;
}
