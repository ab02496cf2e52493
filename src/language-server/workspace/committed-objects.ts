/** What the last commit contained of objects that kustomizations change, as they would build it now. */
import { deepEqual } from "../../engine/api/json.ts";
import type { Ref } from "../../engine/api/meta.ts";
import { isRecord, type ManifestObject } from "../yaml/manifest.ts";
import type { Kustomized } from "./kustomize.ts";
import { objectsOfFile, type WorkspaceFile } from "./workspace-object.ts";

/** Replaces a file's committed objects by what kustomizations build: under their present names, with all changes. */
export function replaceByBuilt(
  committed: Map<Ref, ManifestObject>,
  file: WorkspaceFile,
  kustomized: Kustomized,
): void {
  for (const entry of objectsOfFile(file)) {
    const { ref, value } = entry.object;
    const before = ref === undefined ? undefined : committed.get(ref);
    const built = kustomized.built(entry);
    if (ref === undefined || before === undefined || built[0] === entry) continue;
    committed.delete(ref);
    for (const { object } of built) {
      if (object.ref === undefined) continue;
      const whole = withChangesOf(before.value, value, object.value) as ManifestObject["value"];
      committed.set(object.ref, { ...object, value: whole });
    }
  }
}

/** What was built from an object, but with the earlier values in fields that the build leaves as they are written. */
function withChangesOf(before: unknown, written: unknown, made: unknown): unknown {
  if (before === written) return made;
  if (deepEqual(written, made)) return before;
  if (Array.isArray(before) && Array.isArray(written) && Array.isArray(made)) {
    const isAlike = before.length === written.length && written.length === made.length;
    return isAlike
      ? made.map((item: unknown, at) => withChangesOf(before[at], written[at], item))
      : made;
  }
  if (!isRecord(before) || !isRecord(written) || !isRecord(made)) return made;
  const names = new Set([...Object.keys(before), ...Object.keys(made)]);
  return Object.fromEntries(
    [...names].flatMap((name) => {
      const value = withChangesOf(before[name], written[name], made[name]);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
