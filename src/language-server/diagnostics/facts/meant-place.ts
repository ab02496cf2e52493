/** Where a field belongs that stands too far to the left or to the right: the name is right, and is free there. */
import type { KubernetesVersion } from "../../../engine/scenario.ts";
import { keptFieldsAt } from "../../field-schema.ts";
import { type ManifestObject, valueAt } from "../../yaml/manifest.ts";
import type { Path } from "../../yaml/place.ts";

export interface MeantPlace {
  readonly path: Path;
  /** `it belongs below “metadata”`, or `beside “containers”`. */
  readonly text: string;
}

/**
 * Below a neighbor that is empty or stands right before it, or beside what it stands in; undefined where no such place has a
 * field of the name.
 */
export function meantPlace(
  { kind, value }: ManifestObject,
  path: Path,
  version: KubernetesVersion,
): MeantPlace | undefined {
  const name = String(path.at(-1));
  const isKnownIn = (holder: Path): boolean =>
    keptFieldsAt(kind, holder, version).some((field) => field.name === name);
  const parent = path.slice(0, -1);
  const siblings = Object.entries(valueAt(value, parent) ?? {});
  const before = siblings[siblings.findIndex(([sibling]) => sibling === name) - 1];
  const empty = siblings.filter(([, content]) => content === null);
  for (const [sibling, content] of before === undefined ? empty : [...empty, before]) {
    const holder = [...parent, sibling, ...lastItem(content)];
    if (Object.hasOwn(valueAt(value, holder) ?? {}, name) || !isKnownIn(holder)) continue;
    return { path: [...holder, name], text: `it belongs below “${sibling}”` };
  }
  for (let end = parent.length - 1; end >= 0; end--) {
    const [outer, inner] = [parent.slice(0, end), parent[end]];
    if (typeof inner === "number" || Object.hasOwn(valueAt(value, outer) ?? {}, name)) continue;
    if (isKnownIn(outer)) return { path: [...outer, name], text: `it belongs beside “${inner}”` };
  }
  return undefined;
}

/** Of a list, where what is written behind it goes on; empty for anything else. */
function lastItem(content: unknown): Path {
  return Array.isArray(content) && content.length > 0 ? [content.length - 1] : [];
}
