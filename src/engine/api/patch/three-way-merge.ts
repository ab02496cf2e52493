/**
 * What a manifest makes of an object that is there: what it says, without what the last one said and this one does not; all else
 * stays. Upstream: apimachinery v0.36 strategicpatch.CreateThreeWayMergePatch, of custom resources
 * jsonmergepatch.CreateThreeWayJSONMergePatch, and what the API server makes of that patch.
 */
import { isRecord } from "../json.ts";
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
export function mergedFields(versions: Versions, model: string): Patched {
  if (model !== "") return merged(versions, model);
  const { before, said, current } = versions;
  const news = { before: withoutRepeatedNulls(before, said), said, current };
  const next = merged({ ...news, said: withoutRepeatedNulls(said, before) }, model);
  return next.ok ? { ...next, left: undefined } : next;
}

function merged({ before, said, current }: Versions, model: string): Patched {
  const deletions = diffFields(before, said, model, "deletions");
  const changes = diffFields(current, said, model, "changes");
  const patch = united(deletions, changes, model);
  return patch.ok ? patched(current, patch.fields, model) : patch;
}

/** Null takes a field away once: what others have put there since stays where the manifest goes on to say null. */
function withoutRepeatedNulls(fields: Fields, other: Fields): Fields {
  const entries = Object.entries(fields).flatMap(([key, value]) => {
    const there = other[key];
    if (value === null && there === null) return [];
    return [[key, isRecord(value) && isRecord(there) ? withoutRepeatedNulls(value, there) : value]];
  });
  return Object.fromEntries(entries) as Fields;
}
