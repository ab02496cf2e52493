/** Go to definition: from a name to the object it names; from a claim's or volume's own name to its partner in the binding. */
import { makeRef } from "../../engine/api/meta.ts";
import type { Analysis } from "../analysis.ts";
import { definitionsOfName } from "../names/definitions.ts";
import { nameAt } from "../names/name-at.ts";
import type { Prediction } from "../prediction/prediction.ts";
import { placeOf } from "../workspace/field-place.ts";
import {
  isRendered,
  type WorkspaceFile,
  type WorkspaceObject,
} from "../workspace/workspace-object.ts";
import type { Span } from "../yaml/place.ts";
import { selectedObjects } from "./selected-objects.ts";
import { targetAt } from "./target.ts";

/** A place in a file; offsets are the file's. */
export interface FilePlace extends Span {
  readonly file: WorkspaceFile;
}

/** Empty if the place names nothing, or if no file holds the named object. */
export function definition(
  analysis: Analysis,
  prediction: Prediction | undefined,
  file: WorkspaceFile,
  offset: number,
): readonly FilePlace[] {
  const found = nameAt(analysis, file, offset);
  if (found !== undefined && !found.place.isDefinition)
    return definitionsOfName(analysis, found.place);
  const target = targetAt(analysis.environment, file, offset);
  if (target === undefined) return [];
  const { reference, built: entry, path } = target;
  const selected = selectedObjects(analysis.environment, entry.object, path);
  if (selected !== undefined) return selected.map(placeOfName);
  if (reference !== undefined) return definitionsOfName(analysis, reference);
  const isName =
    path.length === 0 || path[0] === "kind" || (path[0] === "metadata" && path[1] === "name");
  if (isName) return partnersOf(analysis, prediction, entry).map(placeOfName);
  // A field in a chart's template may get its value from another file: go there.
  const written = isRendered(entry) ? placeOf(entry, path) : undefined;
  return written === undefined || written.file.uri === file.uri ? [] : [written];
}

export function placeOfName(entry: WorkspaceObject): FilePlace {
  return placeOf(entry, ["metadata", "name"]);
}

/** As predicted: a claim's volume (its class if no file holds the volume), a volume's claim. */
function partnersOf(
  analysis: Analysis,
  prediction: Prediction | undefined,
  { object }: WorkspaceObject,
): readonly WorkspaceObject[] {
  const final = object.ref === undefined ? undefined : prediction?.facts.objects.get(object.ref);
  if (final?.kind === "PersistentVolumeClaim") {
    const volume = final.spec.volumeName ?? "";
    const own =
      analysis.environment.byRef.get(makeRef("PersistentVolume", undefined, volume)) ?? [];
    const storageClass = makeRef("StorageClass", undefined, final.spec.storageClassName ?? "");
    return own.length > 0 ? own : (analysis.environment.byRef.get(storageClass) ?? []);
  }
  if (final?.kind === "PersistentVolume" && final.spec.claimRef !== undefined) {
    const { namespace, name } = final.spec.claimRef;
    return (
      analysis.environment.byRef.get(makeRef("PersistentVolumeClaim", namespace, name ?? "")) ?? []
    );
  }
  return [];
}
