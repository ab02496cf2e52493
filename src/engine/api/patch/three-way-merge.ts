/**
 * Applies a manifest to an existing object: sets what it says, removes what the last one said and this one does not, and keeps
 * everything else. Upstream: apimachinery v0.36 strategicpatch.CreateThreeWayMergePatch, for custom resources
 * jsonmergepatch.CreateThreeWayJSONMergePatch, and the API server's application of that patch.
 */
import { isRecord } from "../json.ts";
import { diffFields } from "./strategic-diff.ts";
import { type Patched, patched, united } from "./strategic-patch.ts";

type Fields = Readonly<Record<string, unknown>>;

interface Versions {
  /** The last manifest, this one, and the existing object. */
  readonly before: Fields;
  readonly said: Fields;
  readonly current: Fields;
}

/** `model` is "" if the fields can only be merged one by one. */
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

/** A null removes a field once: as long as manifests repeat it, what others have set since stays. */
function withoutRepeatedNulls(fields: Fields, other: Fields): Fields {
  const entries = Object.entries(fields).flatMap(([key, value]) => {
    const there = other[key];
    if (value === null && there === null) return [];
    return [[key, isRecord(value) && isRecord(there) ? withoutRepeatedNulls(value, there) : value]];
  });
  return Object.fromEntries(entries) as Fields;
}
