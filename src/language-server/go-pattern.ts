/**
 * Go's regular expressions, which take time by the length of the text and no more: a pattern of JavaScript can keep a
 * server busy forever. Upstream: Go's regexp and regexp/syntax (RE2), which kustomize's selectors and functions of charts use.
 */
import { RE2JS, RE2JSException } from "re2js";

export type Matches = (text: string) => boolean;

/** Far more than anybody writes; to read a pattern of repetitions within repetitions takes long, too. */
const patternMax = 1024;
const programMax = 4000;
/** What is longer is no name of anything. */
const textMax = 4096;

/** Whether the pattern fits the whole text, or any part of it. A text says, in Go's words, why it cannot be read. */
export function goPattern(pattern: string, fits: "whole" | "part"): Matches | string {
  if (pattern.length <= patternMax && standsForItself.test(pattern)) return plainly(pattern, fits);
  const read = readGoPattern(pattern);
  if (typeof read === "string") return read;
  const matches = fits === "whole" ? read.testExact.bind(read) : read.test.bind(read);
  return (text) => text.length <= textMax && matches(text);
}

/** A text says, in Go's words, why it cannot be read. */
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

/** About how many instructions a pattern comes to, whose repetitions are written out before they are counted. */
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

/** Go tells the part of the pattern, which is empty there. */
function complaintOf({ message }: RE2JSException): string {
  return message.endsWith("trailing backslash at end of expression") ? `${message}: \`\`` : message;
}

/** Nearly every pattern is a name, and each patch of a kustomization is compared with all that it has. */
const standsForItself = /^[\w/:-]*$/;

function plainly(word: string, fits: "whole" | "part"): Matches {
  return fits === "whole"
    ? (text) => text === word
    : (text) => text.length <= textMax && text.includes(word);
}

const tooLarge = "error parsing regexp: expression too large";
