/** The files that an edit has changed, found by comparing two states of an environment by identity. */
import type { Environment } from "../workspace/environment.ts";
import {
  objectsOfFile,
  type WorkspaceFile,
  type WorkspaceObject,
} from "../workspace/workspace-object.ts";

export interface ChangedFile {
  readonly before: WorkspaceFile;
  readonly after: WorkspaceFile;
}

/** Undefined if files were added, removed or reordered, or if what kustomizations or charts make has changed. */
export function changedFiles(
  before: Environment,
  after: Environment,
): readonly ChangedFile[] | undefined {
  if (before.files.length !== after.files.length) return undefined;
  if (before.kustomized !== after.kustomized || before.charts !== after.charts) return undefined;
  const changed: ChangedFile[] = [];
  for (const [index, file] of after.files.entries()) {
    const old = before.files[index];
    if (old?.uri !== file.uri) return undefined;
    if (old !== file) changed.push({ before: old, after: file });
  }
  return changed;
}

/** The files of kustomizations or charts, before and after, if either have changed: other objects may come out of them. */
export function rebuiltFiles(before: Environment, after: Environment): ReadonlySet<string> {
  const kustomizations = [before.kustomized, after.kustomized];
  const charts = [before.charts, after.charts];
  const changed = [kustomizations, charts].filter(([old, now]) => old !== now).flat();
  return new Set(changed.flatMap(({ sources }) => [...sources]));
}

/**
 * True if `look` returns the same texts as before for the changed files' objects, in the same order. Objects whose text is ""
 * may come and go.
 */
export function looksTheSame(
  changed: readonly ChangedFile[],
  look: (entry: WorkspaceObject) => string,
): boolean {
  return changed.every(({ before, after }) => {
    const [old, now] = withoutEqualEnds(objectsOfFile(before), objectsOfFile(after));
    const [seen, sees] = [old, now].map((entries) =>
      entries.map(look).filter((text) => text !== ""),
    );
    return seen?.length === sees?.length && seen?.every((text, index) => text === sees?.[index]);
  });
}

type Entries = readonly WorkspaceObject[];

/** Drops the objects that both lists have in common at the start and at the end: nearly every edit lies in between. */
function withoutEqualEnds(a: Entries, b: Entries): readonly [Entries, Entries] {
  const shorter = Math.min(a.length, b.length);
  let head = 0;
  while (head < shorter && a[head]?.object === b[head]?.object) head++;
  let tail = 0;
  while (tail < shorter - head && a.at(-1 - tail)?.object === b.at(-1 - tail)?.object) tail++;
  return [a.slice(head, a.length - tail), b.slice(head, b.length - tail)];
}
