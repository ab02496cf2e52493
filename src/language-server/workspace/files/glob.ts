/**
 * Globs as editors write them (`*`, `?`, `**`, `{a,b}`, `[a-z]`), matched in time that grows with the path: who has sent a workspace
 * may have written them so that the expressions of JavaScript try forever.
 */
import picomatch from "picomatch/posix.js";
import { goPattern, type Matches } from "../../go-pattern.ts";

const options = { dot: true, nonegate: true, noextglob: true } as const;

/** What keeps picomatch's wildcards from `.`, `..` and nothing, which are no names in a path. */
const lookaheads = /\(\?!(?:\(\?:\^\|\\\/\))?\\\.\{1,2\}\(\?:\\\/\|\$\)\)|\(\?=\.\)/g;

/** Longer ones nobody writes. */
const lengthMax = 1000;

/** Whether a path fits one of the globs; one that cannot be read fits none. */
export function globMatcher(globs: readonly string[]): Matches {
  const all = globs.flatMap((glob) => {
    if (glob === "" || glob.length > lengthMax) return [];
    const read = goPattern(picomatch.makeRe(glob, options).source.replace(lookaheads, ""), "whole");
    return typeof read === "string" ? [] : [read];
  });
  return (path) => all.some((matches) => matches(path));
}
