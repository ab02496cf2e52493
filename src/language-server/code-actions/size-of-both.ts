/** If the fix of a claim's size would make it larger than its volume, changes the volume's capacity along with it. */
import { makeRef } from "../../engine/api/meta.ts";
import { compareQuantities, parseQuantity } from "../../engine/api/quantity.ts";
import type { Diagnostic } from "../diagnostics/rule.ts";
import { targetAt } from "../features/target.ts";
import { type Source, sourceOf } from "../prediction/source-of.ts";
import type { WorkspaceObject } from "../workspace/workspace-object.ts";
import { type ActionContext, type CodeAction, offer } from "./code-action.ts";
import { fieldEdit } from "./field-edit.ts";

/** Undefined if the finding's own fix outgrows no volume in the files. */
export function sizeOfBoth(
  context: ActionContext,
  diagnostic: Diagnostic,
): readonly CodeAction[] | undefined {
  const { analysis, file } = context;
  const { fix } = diagnostic;
  if (fix === undefined || !("value" in fix) || typeof fix.value !== "string") return undefined;
  const { value } = fix;
  const target = targetAt(analysis.environment, file, diagnostic.start);
  if (target === undefined || target.path.at(-1) !== "storage") return undefined;
  const outgrown = outgrownVolumes(context, target.built, target.path, value);
  if (outgrown.size === 0) return undefined;
  const names = [...outgrown.keys()].map((name) => `“${name}”`).join(", ");
  const edits = [target, ...outgrown.values()].map(({ entry, path }) =>
    fieldEdit(entry, path, value),
  );
  const title = `${fix.title}, and volume${outgrown.size > 1 ? "s" : ""} ${names} with it`;
  return offer(title, edits, diagnostic);
}

/**
 * Volumes smaller than `size` whose claim gets its size from this field: the places of their capacities, by name. Only volumes
 * whose capacity is written in a file.
 */
function outgrownVolumes(
  { prediction }: ActionContext,
  entry: WorkspaceObject,
  path: readonly unknown[],
  size: string,
): ReadonlyMap<string, Source> {
  const outgrown = new Map<string, Source>();
  const wanted = parseQuantity(size);
  if (prediction === undefined || wanted === undefined) return outgrown;
  const { objects } = prediction.facts;
  for (const [ref, claim] of objects) {
    if (claim.kind !== "PersistentVolumeClaim" || claim.spec.volumeName === undefined) continue;
    const volumeRef = makeRef("PersistentVolume", undefined, claim.spec.volumeName);
    const volume = objects.get(volumeRef);
    if (volume?.kind !== "PersistentVolume") continue;
    const capacity = parseQuantity(String(volume.spec.capacity?.["storage"] ?? ""));
    if (capacity === undefined || compareQuantities(capacity, wanted) >= 0) continue;
    // Looking up places is slow, and nearly all volumes are large enough.
    const own = sourceOf(prediction, ref, "spec.resources.requests.storage");
    const source = sourceOf(prediction, volumeRef, "spec.capacity.storage");
    if (own !== undefined && source !== undefined && isSame(own, entry, path))
      outgrown.set(volume.metadata.name, source);
  }
  return outgrown;
}

function isSame(source: Source, entry: WorkspaceObject, path: readonly unknown[]): boolean {
  return (
    source.entry.file.uri === entry.file.uri &&
    source.entry.object.ref === entry.object.ref &&
    source.path.join(".") === path.join(".")
  );
}
