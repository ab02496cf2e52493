/** Prints places in files as compilers do. */
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Prediction } from "../../language-server/prediction/prediction.ts";
import { sourceOf } from "../../language-server/prediction/source-of.ts";
import { linesOf } from "../../language-server/text-lines.ts";
import { placeOf } from "../../language-server/workspace/field-place.ts";
import type { WorkspaceFile } from "../../language-server/workspace/workspace-object.ts";

/** The path relative to the working directory; `-` for standard input. */
export function printPath(uri: string, cwd: string): string {
  const path = relative(cwd, fileURLToPath(uri));
  return path === "" ? "." : path.split("\\").join("/");
}

/** `path:line:column`, both counted from one. */
export function printPlace(file: WorkspaceFile, offset: number, cwd: string): string {
  const { line, character } = linesOf(file.manifest).positionAt(offset);
  return `${printPath(file.uri, cwd)}:${line + 1}:${character + 1}`;
}

/** Where a field of an object is written; undefined for objects that do not come from the user's files. */
export function printSource(
  prediction: Prediction,
  ref: string,
  field: string | undefined,
  cwd: string,
): string | undefined {
  const source = sourceOf(prediction, ref, field);
  if (source === undefined) return undefined;
  const { file, start } = placeOf(source.entry, source.path);
  return printPlace(file, start, cwd);
}
