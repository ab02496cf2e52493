/** What an edit has touched, as far as two states of an environment can tell by identity. */
import type { Environment, WorkspaceFile, WorkspaceObject } from "../workspace/workspace.ts";
import { objectsOfFile } from "../workspace/workspace.ts";

export interface ChangedFile {
  readonly before: WorkspaceFile;
  readonly after: WorkspaceFile;
}

/** Undefined where files have come, gone, changed their order or become patches. */
export function changedFiles(
  before: Environment,
  after: Environment,
): readonly ChangedFile[] | undefined {
  if (before.files.length !== after.files.length) return undefined;
  if (changedPatches(before, after).length > 0) return undefined;
  const changed: ChangedFile[] = [];
  for (const [index, file] of after.files.entries()) {
    const old = before.files[index];
    if (old?.uri !== file.uri) return undefined;
    if (old !== file && !after.patches.has(file.uri)) changed.push({ before: old, after: file });
  }
  return changed;
}

/** Files that have become patches, or are none any more. */
export function changedPatches(before: Environment, after: Environment): readonly string[] {
  return [
    ...[...before.patches].filter((uri) => !after.patches.has(uri)),
    ...[...after.patches].filter((uri) => !before.patches.has(uri)),
  ];
}

/** Whether each object of the files is, to `look`, what the one at its place was before. */
export function looksTheSame(
  changed: readonly ChangedFile[],
  look: (entry: WorkspaceObject) => string,
): boolean {
  return changed.every(({ before, after }) => {
    const [old, now] = [objectsOfFile(before), objectsOfFile(after)];
    if (old.length !== now.length) return false;
    return now.every((entry, index) => {
      const other = old[index];
      return other !== undefined && (other.object === entry.object || look(other) === look(entry));
    });
  });
}
