/** Files that the editor hides, as its setting `files.exclude` says: patterns that are true, relative to the folder. */
import { globMatcher } from "./glob.ts";
import { isBelow, pathOf } from "./uri.ts";

export type Exclusions = Readonly<Record<string, unknown>>;

export function excludedFiles(exclusions: Exclusions): (uri: string, folder: string) => boolean {
  const globs = Object.keys(exclusions).filter((glob) => glob !== "" && exclusions[glob] === true);
  if (globs.length === 0) return () => false;
  // A folder that is hidden hides all that is in it.
  const matches = globMatcher(globs.flatMap((glob) => [glob, `${glob.replace(/\/$/, "")}/**`]));
  return (uri, folder) =>
    isBelow(uri, folder) && matches(pathOf(uri).slice(pathOf(folder).length + 1));
}
