/** Namespaces that an object mentions: its own, those of objects it refers to, and those its selectors match. */
import { isRecord, type ManifestObject } from "../yaml/manifest.ts";
import type { Path } from "../yaml/place.ts";

export interface NamespacePlace {
  readonly name: string;
  readonly path: Path;
}

/** Goes by field names, which are the same in all projects, so that unknown kinds are read as well. */
export function* namespacesIn({
  kind,
  ref,
  namespace,
  value,
}: ManifestObject): Iterable<NamespacePlace> {
  const holdsText = kind === "ConfigMap" || kind === "Secret";
  for (const { name, path } of fieldsIn(value, [])) {
    if (path[0] === "status" || (holdsText && path[0] !== "metadata")) continue;
    // The server ignores the namespace of cluster-scoped kinds.
    const isIgnored =
      ref !== undefined && namespace === "" && path.join(".") === "metadata.namespace";
    if (!isIgnored) yield { name, path };
  }
}

/** Every namespace has this label with its name; selectors match it. */
const nameLabel = "kubernetes.io/metadata.name";

function* fieldsIn(value: unknown, path: Path): Iterable<NamespacePlace> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* fieldsIn(item, [...path, index]);
    return;
  }
  if (!isRecord(value)) return;
  for (const [key, field] of Object.entries(value)) {
    const at = [...path, key];
    const isNamespace = key.toLowerCase().endsWith("namespace") || key === nameLabel;
    const isList = key === "namespaces" || (key === "values" && value["key"] === nameLabel);
    if (isNamespace && isName(field)) yield { name: field, path: at };
    else if (isList && Array.isArray(field)) {
      for (const [index, item] of field.entries())
        if (isName(item)) yield { name: item, path: [...at, index] };
    } else yield* fieldsIn(field, at);
  }
}

/** False for a pattern that a driver fills with names. */
function isName(value: unknown): value is string {
  return typeof value === "string" && /^[a-z0-9][a-z0-9-]*$/.test(value);
}
