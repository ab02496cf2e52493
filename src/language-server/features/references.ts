/** Find references: every place that names the object at the cursor, or the object that the cursor's name stands for. */
import type { Analysis } from "../analysis.ts";
import { placeOf } from "../diagnostics/diagnose.ts";
import { referencesOf } from "../workspace/references.ts";
import type { WorkspaceFile } from "../workspace/workspace.ts";
import { type FilePlace, placeOfName } from "./definition.ts";
import { definitionsOf, targetAt } from "./target.ts";

export function findReferences(
  analysis: Analysis,
  file: WorkspaceFile,
  offset: number,
  withDefinition: boolean,
): readonly FilePlace[] {
  const target = targetAt(analysis, file, offset);
  if (target === undefined) return [];
  const { object } = target.entry;
  const wanted = target.reference ?? {
    kind: object.kind,
    namespace: object.namespace,
    name: object.name,
  };
  const places: FilePlace[] = [];
  for (const entry of analysis.environment.objects) {
    for (const reference of referencesOf(entry.object)) {
      const isSame =
        reference.kind === wanted.kind &&
        reference.name === wanted.name &&
        reference.namespace === wanted.namespace;
      if (isSame) places.push({ file: entry.file, ...placeOf(entry, reference.path) });
    }
  }
  if (!withDefinition) return places;
  const definitions =
    target.reference === undefined
      ? [target.entry]
      : definitionsOf(analysis, target.reference.kind, wanted.namespace, wanted.name);
  return [...definitions.map(placeOfName), ...places];
}
