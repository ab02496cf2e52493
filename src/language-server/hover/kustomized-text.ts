/** What kustomize turns a value into, such as an image's tag or a size that a patch replaces. */
import { code } from "../markdown.ts";
import { isRecord, plainText } from "../yaml/manifest.ts";
import type { Path } from "../yaml/place.ts";

/**
 * Compares an object as written with the same object as kustomize builds it. Returns Markdown; undefined if the value is
 * unchanged.
 */
export function kustomizedText(written: unknown, built: unknown, path: Path): string | undefined {
  let [before, now] = [written, built];
  for (const segment of path) {
    now = Array.isArray(before) ? sameItem(before, now, Number(segment)) : fieldOf(now, segment);
    before = fieldOf(before, segment);
  }
  if (!isScalar(before) || !isScalar(now) || before === now) return undefined;
  return `kustomize changes it to ${code(plainText(now))}.`;
}

/**
 * Patches reorder lists: finds the item of the same name. Without names, the item at the same index of a list that is as long.
 */
function sameItem(items: readonly unknown[], others: unknown, index: number): unknown {
  if (!Array.isArray(others)) return undefined;
  const name = nameOf(items[index]);
  if (name !== undefined) return others.find((other) => nameOf(other) === name);
  return others.length === items.length ? others[index] : undefined;
}

function nameOf(item: unknown): unknown {
  return fieldOf(item, "name") ?? fieldOf(fieldOf(item, "metadata"), "name");
}

function fieldOf(value: unknown, segment: string | number): unknown {
  if (Array.isArray(value)) return value[Number(segment)];
  return isRecord(value) && Object.hasOwn(value, segment) ? value[segment] : undefined;
}

function isScalar(value: unknown): value is string | number | boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}
