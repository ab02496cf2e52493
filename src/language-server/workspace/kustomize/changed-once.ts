/** Caches what a part of a kustomization makes of an object, as long as both stay the same. */
import type { Written } from "./written.ts";

// Each `by` always produces values of one type.
const changedBefore = new WeakMap<Written, WeakMap<object, unknown>>();

/** Thanks to this cache, typing in one object only rebuilds that object, not all others that the kustomization changes. */
export function changedOnce<T>(before: Written, by: object, change: () => T): T {
  const ofObject = changedBefore.get(before) ?? new WeakMap<object, unknown>();
  changedBefore.set(before, ofObject);
  const known = ofObject.get(by) as T | undefined;
  if (known !== undefined) return known;
  const made = change();
  ofObject.set(by, made);
  return made;
}
