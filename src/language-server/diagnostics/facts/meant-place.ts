/** Where a field belongs that stands too far to the left or to the right: the name is right, and is free there. */
import type { KubernetesVersion } from "../../../engine/scenario.ts";
import { keptFieldsAt } from "../../field-schema.ts";
import { type ManifestObject, valueAt } from "../../yaml/manifest.ts";
import type { Path } from "../../yaml/place.ts";

/** `it belongs below “metadata”`, which is empty, or `beside “containers”`; undefined where no such place has a field of the name. */
export function meantPlace(
  { kind, value }: ManifestObject,
  path: Path,
  version: KubernetesVersion,
): string | undefined {
  const name = String(path.at(-1));
  const isKnownIn = (parent: Path): boolean =>
    keptFieldsAt(kind, parent, version).some((field) => field.name === name);
  const parent = path.slice(0, -1);
  for (const [sibling, content] of Object.entries(valueAt(value, parent) ?? {}))
    if (content === null && isKnownIn([...parent, sibling])) return `it belongs below “${sibling}”`;
  for (let end = parent.length - 1; end >= 0; end--) {
    const [outer, inner] = [parent.slice(0, end), parent[end]];
    if (typeof inner === "number" || Object.hasOwn(valueAt(value, outer) ?? {}, name)) continue;
    if (isKnownIn(outer)) return `it belongs beside “${inner}”`;
  }
  return undefined;
}
