/**
 * Globs as editors write them (`*`, `?`, `**`, `{a,b}`, `[a-z]`), matched in linear time: an untrusted workspace may contain
 * globs that make a JavaScript regular expression run forever.
 */
import picomatch from "picomatch/posix.js";
import { goPattern, type Matches } from "../../go-pattern.ts";

const options = { dot: true, nonegate: true, noextglob: true } as const;

/**
 * Lookaheads by which picomatch keeps wildcards from matching `.`, `..` and the empty name, which do not occur in our paths.
 */
const lookaheads = /\(\?!(?:\(\?:\^\|\\\/\))?\\\.\{1,2\}\(\?:\\\/\|\$\)\)|\(\?=\.\)/g;

/** Far longer than anybody writes. */
const lengthMax = 1000;

/** Returns a test whether a path matches one of the globs; invalid globs match nothing. */
export function globMatcher(globs: readonly string[]): Matches {
  const all = globs.flatMap((glob) => {
    if (glob === "" || glob.length > lengthMax) return [];
    const read = goPattern(picomatch.makeRe(glob, options).source.replace(lookaheads, ""), "whole");
    return typeof read === "string" ? [] : [read];
  });
  return (path) => all.some((matches) => matches(path));
}
