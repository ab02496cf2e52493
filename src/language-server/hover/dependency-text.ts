/** For a chart's dependency whose files cannot be opened: the objects that it makes, and what becomes of them. */
import { escapeMarkdown } from "../markdown.ts";
import type { Prediction } from "../prediction/prediction.ts";
import { placeOf } from "../workspace/field-place.ts";
import type { WorkspaceFile, WorkspaceObject } from "../workspace/workspace-object.ts";

/** Longer lists are cut. */
const lineCountMax = 20;

/** Returns Markdown; undefined if no dependency stands at the offset, or none of its objects has a verdict. */
export function dependencyText(
  entries: readonly WorkspaceObject[],
  file: WorkspaceFile,
  offset: number,
  prediction: Prediction | undefined,
): string | undefined {
  const brought = entries.filter((entry) => isBrought(entry, file, offset));
  const lines = brought.flatMap(({ object }) => {
    const { ref, kind, name } = object;
    const headline = ref === undefined ? undefined : prediction?.verdictOf.get(ref)?.headline;
    return headline === undefined ? [] : [`- ${escapeMarkdown(`${kind} ${name} ${headline}`)}`];
  });
  if (lines.length === 0) return undefined;
  const left = lines.length - lineCountMax;
  const more = left > 0 ? [`- and ${left} more`] : [];
  return [...lines.slice(0, lineCountMax), ...more].join("\n");
}

function isBrought(entry: WorkspaceObject, file: WorkspaceFile, offset: number): boolean {
  const place = placeOf(entry, []);
  const isThere = place.file.uri === file.uri && place.start <= offset && offset <= place.end;
  return isThere && entry.patched?.rendered?.standsFor(place) !== undefined;
}
