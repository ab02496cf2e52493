/** Where a misindented field belongs: a place that knows the field's name and does not have the field yet. */
import type { KubernetesVersion } from "../../../engine/scenario.ts";
import { keptFieldsAt, typeAt } from "../../field-schema.ts";
import { isRecord, type ManifestObject, valueAt } from "../../yaml/manifest.ts";
import type { Path } from "../../yaml/place.ts";

export interface MeantPlace {
  readonly path: Path;
  /** `it belongs below “metadata”`, or `beside “containers”`. */
  readonly text: string;
}

/**
 * Below a neighbor that is empty or right before it, beside an outer field, or further inside if only one place there knows the
 * name; undefined if there is none.
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
  return placeWithin({ kind, value }, parent, name, version);
}

type Object = Pick<ManifestObject, "kind" | "value">;

const depthMax = 2;

/** The nearest place further inside; if there are several, the one whose mapping exists. */
function placeWithin(
  object: Object,
  parent: Path,
  name: string,
  version: KubernetesVersion,
): MeantPlace | undefined {
  let holders: readonly Path[] = [parent];
  for (let depth = 1; depth <= depthMax; depth++) {
    holders = holders.flatMap((holder) => holdersIn(object, holder, version));
    const knowing = holders.filter((holder) => mayHold(object, holder, name, version));
    const there = knowing.filter((holder) => isRecord(valueAt(object.value, holder)));
    const [holder, ...others] = there.length > 0 ? there : knowing;
    if (holder === undefined) continue;
    if (others.length > 0) return undefined;
    const names = holder.slice(parent.length).filter((segment) => typeof segment === "string");
    return { path: [...holder, name], text: `it belongs below “${names.join(".")}”` };
  }
  return undefined;
}

/** The mappings that may be written below a mapping; for a list, its last item, if it has one. */
function holdersIn(
  { kind, value }: Object,
  holder: Path,
  version: KubernetesVersion,
): readonly Path[] {
  const isRoot = holder.length === 0;
  return keptFieldsAt(kind, holder, version).flatMap(({ name, type }): readonly Path[] => {
    // Servers write the status, and metadata further inside is that of other objects.
    if (isRoot ? name === "status" : type === "ObjectMeta") return [];
    const path = [...holder, name];
    const item = lastItem(valueAt(value, path));
    return type.startsWith("[]") && item.length === 0 ? [] : [[...path, ...item]];
  });
}

function mayHold(
  { kind, value }: Object,
  holder: Path,
  name: string,
  version: KubernetesVersion,
): boolean {
  const held = valueAt(value, holder);
  const isFree = held === undefined || held === null || (isRecord(held) && !(name in held));
  if (!isFree) return false;
  const owner = typeAt(kind, holder.slice(0, -1)) ?? "";
  if (name === "storage" && holder.at(-1) === sizesOf[owner]) return true;
  return keptFieldsAt(kind, holder, version).some((field) => field.name === name);
}

/** The maps with sizes of claims and volumes, by the models that have them. */
const sizesOf: Readonly<Record<string, string>> = {
  VolumeResourceRequirements: "requests",
  PersistentVolumeSpec: "capacity",
};

/** For a list, the index of the last item, which a field after the list would belong to; else empty. */
function lastItem(content: unknown): Path {
  return Array.isArray(content) && content.length > 0 ? [content.length - 1] : [];
}
