/** A claim that would outgrow the volume it binds takes that along: of the two sizes one alone would part them. */
import { makeRef } from "../../engine/api/meta.ts";
import { compareQuantities, parseQuantity } from "../../engine/api/quantity.ts";
import type { Diagnostic } from "../diagnostics/rule.ts";
import { targetAt } from "../features/target.ts";
import { type Source, sourceOf } from "../prediction/source-of.ts";
import type { WorkspaceObject } from "../workspace/workspace-object.ts";
import { type ActionContext, type CodeAction, offer } from "./code-action.ts";
import { fieldEdit } from "./field-edit.ts";

/** Undefined where the change that the finding itself knows outgrows no volume of the files. */
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

/** By name, where the files have the size of each volume that a claim with its size from that field is bound to. */
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
    // What is written where is asked last: nearly all volumes are large enough.
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
