/**
 * Go's regular expressions. They run in linear time, whereas a JavaScript pattern can keep a server busy forever.
 * Upstream: Go's regexp and regexp/syntax (RE2), which kustomize's selectors and functions of charts use.
 */
import { RE2JS, RE2JSException } from "re2js";

export type Matches = (text: string) => boolean;

/** Far more than anybody writes. A limit is needed because reading nested repetitions is slow, too. */
const patternMax = 1024;
const programMax = 4000;
/** Longer texts are not names of anything, and never match. */
const textMax = 4096;

/** Returns a test for a whole text or any part of it; Go's error message if the pattern cannot be read. */
export function goPattern(pattern: string, fits: "whole" | "part"): Matches | string {
  if (pattern.length <= patternMax && standsForItself.test(pattern)) return plainly(pattern, fits);
  const read = readGoPattern(pattern);
  if (typeof read === "string") return read;
  const matches = fits === "whole" ? read.testExact.bind(read) : read.test.bind(read);
  return (text) => text.length <= textMax && matches(text);
}

/** Returns Go's error message if the pattern cannot be read. */
export function readGoPattern(pattern: string): RE2JS | string {
  if (pattern.length > patternMax || repeatedSize(pattern) > 2 * programMax) return tooLarge;
  try {
    const read = RE2JS.compile(pattern);
    return read.programSize() > programMax ? tooLarge : read;
  } catch (error) {
    if (error instanceof RE2JSException) return complaintOf(error);
    throw error;
  }
}

/** Roughly how many instructions a pattern compiles to: RE2 expands repetitions before it counts them. */
function repeatedSize(pattern: string): number {
  const open: number[] = [];
  let size = 0;
  let last = 0;
  for (const [token, most] of pattern.matchAll(partOfPattern)) {
    if (token === "(") {
      open.push(size);
      size = 0;
      last = 0;
    } else if (most !== undefined) {
      const more = last * Math.max(Number(most) - 1, 0);
      last += more;
      size += more;
    } else {
      last = token === ")" ? size + 1 : 1;
      size = (token === ")" ? (open.pop() ?? 0) : size) + last;
    }
  }
  return open.reduce((sum, one) => sum + one, size);
}

const partOfPattern = /\{(?:\d+,)?(\d+),?\}|\\[\s\S]|\[\^?\]?(?:\\[\s\S]|[^\]\\])*\]|[\s\S]/g;

/** Go ends this message with the offending part of the pattern, which is empty here. */
function complaintOf({ message }: RE2JSException): string {
  return message.endsWith("trailing backslash at end of expression") ? `${message}: \`\`` : message;
}

/** Patterns that are compared as plain strings: nearly all are names, and a patch's pattern is tried on every object. */
const standsForItself = /^[\w/:-]*$/;

function plainly(word: string, fits: "whole" | "part"): Matches {
  return fits === "whole"
    ? (text) => text === word
    : (text) => text.length <= textMax && text.includes(word);
}

const tooLarge = "error parsing regexp: expression too large";
