/**
 * What a manifest makes of an object that is there: what it says, without what the last one said and this one does not; all else
 * stays. Upstream: apimachinery v0.36 strategicpatch.CreateThreeWayMergePatch, and what the API server makes of that patch.
 */
import { diffFields } from "./strategic-diff.ts";
import { type Patched, patched, united } from "./strategic-patch.ts";

type Fields = Readonly<Record<string, unknown>>;

interface Versions {
  /** What the last manifest said, what this one says, and what is there. */
  readonly before: Fields;
  readonly said: Fields;
  readonly current: Fields;
}

/** `model` is "" where nobody knows a way to merge but field by field. */
export function mergedFields({ before, said, current }: Versions, model: string): Patched {
  const deletions = diffFields(before, said, model, "deletions");
  const changes = diffFields(current, said, model, "changes");
  const patch = united(deletions, changes, model);
  const next = patch.ok ? patched(current, patch.fields, model) : patch;
  return next.ok && model === "" ? { ...next, left: undefined } : next;
}
