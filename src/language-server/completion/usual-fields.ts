/** The order in which fields are offered: common ones first, those that only servers write last. */
import { type Field, typeAt } from "../field-schema.ts";
import { valueAt } from "../yaml/manifest.ts";
import type { Path } from "../yaml/place.ts";
import { readYamlDocument } from "../yaml/yaml-document.ts";
import { plainText, snippets } from "./snippets.ts";

/** Fields of the kind's snippet in its order, then required fields, then optional ones, then those that servers write. */
export function usualFirst(kind: string, parent: Path, fields: readonly Field[]): readonly Field[] {
  const usual = usualFields(kind, parent);
  const isMetadata = typeAt(kind, parent) === "ObjectMeta";
  const rankOf = ({ name, required }: Field): number => {
    const index = usual.indexOf(name);
    if (index >= 0) return index;
    if (isMetadata && writtenByServers.has(name)) return usual.length + 2;
    return usual.length + (required ? 0 : 1);
  };
  return fields
    .map((field) => ({ field, rank: rankOf(field) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ field }) => field);
}

/** In metadata: almost all are rejected or overwritten when a user sets them. */
const writtenByServers: ReadonlySet<string> = new Set([
  "creationTimestamp",
  "deletionGracePeriodSeconds",
  "deletionTimestamp",
  "generation",
  "managedFields",
  "resourceVersion",
  "selfLink",
  "uid",
]);

function usualFields(kind: string, parent: Path): readonly string[] {
  // The snippet has one item per list, which stands for all.
  const path = parent.map((segment) => (typeof segment === "number" ? 0 : segment));
  const value = valueAt(exampleOf(kind), path);
  return typeof value === "object" && value !== null ? Object.keys(value) : [];
}

/** The object that the kind's snippet makes; undefined if there is no snippet. */
function exampleOf(kind: string): unknown {
  if (!examples.has(kind)) {
    const snippet = snippets.find(({ label }) => label === kind);
    const text = snippet && plainText(snippet.body);
    examples.set(kind, text && readYamlDocument(text).value);
  }
  return examples.get(kind);
}

const examples = new Map<string, unknown>();
