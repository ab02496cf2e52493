/** Files that the editor hides according to its setting `files.exclude`: patterns set to true, relative to the folder. */
import { globMatcher } from "./glob.ts";
import { isBelow, pathOf } from "./uri.ts";

export type Exclusions = Readonly<Record<string, unknown>>;

export function excludedFiles(exclusions: Exclusions): (uri: string, folder: string) => boolean {
  const globs = Object.keys(exclusions).filter((glob) => glob !== "" && exclusions[glob] === true);
  if (globs.length === 0) return () => false;
  // A hidden folder hides everything in it.
  const matches = globMatcher(globs.flatMap((glob) => [glob, `${glob.replace(/\/$/, "")}/**`]));
  return (uri, folder) =>
    isBelow(uri, folder) && matches(pathOf(uri).slice(pathOf(folder).length + 1));
}
