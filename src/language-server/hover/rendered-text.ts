/** What an action of a chart's template prints, and where its value is written. */
import { code, linkToLine } from "../markdown.ts";
import { linesOf } from "../text-lines.ts";
import { placeOf } from "../workspace/field-place.ts";
import { baseName } from "../workspace/files/uri.ts";
import {
  isRendered,
  type WorkspaceFile,
  type WorkspaceObject,
} from "../workspace/workspace-object.ts";
import { plainText, valueAt } from "../yaml/manifest.ts";
import type { Path } from "../yaml/place.ts";

/** Returns Markdown; undefined if the file holds the value itself. */
export function renderedText(
  entry: WorkspaceObject,
  path: Path,
  at: WorkspaceFile,
): string | undefined {
  const value = isRendered(entry) ? valueAt(entry.object.value, path) : undefined;
  if (value === undefined || value === null || typeof value === "object") return undefined;
  const { file, start, end } = placeOf(entry, path);
  const printed = code(plainText(value));
  if (file.uri !== at.uri) {
    const { line } = linesOf(file.manifest).positionAt(start);
    const label = `${baseName(file.uri)}:${line + 1}`;
    return `${printed} from ${linkToLine(label, file.uri, line + 1)}`;
  }
  return at.manifest.text.slice(start, end).includes("{{")
    ? `Helm renders it as ${printed}.`
    : undefined;
}
