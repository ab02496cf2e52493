/** What the same part of a kustomization makes of the same object, kept for as long as both are. */
import type { Written } from "./written.ts";

// One `by` makes things of one kind.
const changedBefore = new WeakMap<Written, WeakMap<object, unknown>>();

/** Whoever types in one object waits for that one, and not for all that the same part of a kustomization changes. */
export function changedOnce<T>(before: Written, by: object, change: () => T): T {
  const ofObject = changedBefore.get(before) ?? new WeakMap<object, unknown>();
  changedBefore.set(before, ofObject);
  const known = ofObject.get(by) as T | undefined;
  if (known !== undefined) return known;
  const made = change();
  ofObject.set(by, made);
  return made;
}
