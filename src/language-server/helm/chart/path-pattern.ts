/**
 * Patterns for files in a chart, matched in linear time. Upstream: Go's path/filepath Match (.helmignore),
 * github.com/gobwas/glob with `/` between folders (.Files.Glob).
 */
import { goPattern, type Matches } from "../../go-pattern.ts";

/** Undefined if the pattern is invalid. */
export function pathPattern(pattern: string): Matches | undefined {
  return compiled(pattern, { stars: false, braces: false });
}

/** Undefined if the pattern is invalid. */
export function globPattern(pattern: string): Matches | undefined {
  return compiled(pattern, { stars: true, braces: true });
}

interface Syntax {
  /** True if `**` matches across folders. */
  readonly stars: boolean;
  /** True if `{a,b}` are alternatives and `[!a]` is a negated class. */
  readonly braces: boolean;
}

function compiled(pattern: string, syntax: Syntax): Matches | undefined {
  const source = expressionOf(pattern, syntax);
  const matches = source === undefined ? undefined : goPattern(source, "whole");
  return typeof matches === "string" ? undefined : matches;
}

function expressionOf(pattern: string, syntax: Syntax): string | undefined {
  let source = "";
  let depth = 0;
  for (let at = 0; at < pattern.length; ) {
    const letter = pattern.charAt(at);
    const part = syntax.braces ? braceOf(letter, depth) : undefined;
    if (part !== undefined) {
      source += part;
      depth += letter === "{" ? 1 : 0;
      depth -= letter === "}" ? 1 : 0;
      at++;
      continue;
    }
    const read = partAt(pattern, at, syntax);
    if (read === undefined) return undefined;
    source += read.source;
    at = read.end;
  }
  // As upstream, unclosed braces end with the pattern.
  return `(?s:${source}${")".repeat(depth)})`;
}

/** A comma outside of braces is literal. */
function braceOf(letter: string, depth: number): string | undefined {
  if (letter === "{") return "(?:";
  if (depth === 0) return undefined;
  if (letter === "}") return ")";
  return letter === "," ? "|" : undefined;
}

interface Part {
  readonly source: string;
  readonly end: number;
}

function partAt(pattern: string, at: number, syntax: Syntax): Part | undefined {
  const letter = pattern.charAt(at);
  switch (letter) {
    case "*":
      if (syntax.stars && pattern.charAt(at + 1) === "*") return { source: ".*", end: at + 2 };
      return { source: "[^/]*", end: at + 1 };
    case "?":
      return { source: "[^/]", end: at + 1 };
    case "\\":
      if (at + 1 === pattern.length) return syntax.braces ? { source: "", end: at + 1 } : undefined;
      return { source: escaped(pattern.charAt(at + 1)), end: at + 2 };
    case "[": {
      const end = endOfClass(pattern, at);
      const source = end === undefined ? undefined : classOf(pattern.slice(at + 1, end), syntax);
      return end === undefined || source === undefined ? undefined : { source, end: end + 1 };
    }
    default:
      return { source: escaped(letter), end: at + 1 };
  }
}

function endOfClass(pattern: string, start: number): number | undefined {
  let at = start + 1;
  if (/[\^!]/.test(pattern.charAt(at))) at++;
  // A closing bracket in first position is a member of the class.
  for (at++; at < pattern.length; at++) {
    if (pattern.charAt(at) === "\\") at++;
    else if (pattern.charAt(at) === "]") return at;
  }
  return undefined;
}

function classOf(text: string, { braces }: Syntax): string | undefined {
  const isNegative = text.startsWith(braces ? "!" : "^");
  const letters = [...(isNegative ? text.slice(1) : text).replace(/\\(.)/gs, "$1")];
  if (letters.length === 0) return undefined;
  const inClass = letters.map((letter) => (letter === "-" ? letter : escaped(letter))).join("");
  // As upstream, a negated class matches the slash between folders, unlike a star.
  return isNegative ? `[^${inClass}]` : `[${inClass}]`;
}

function escaped(letter: string): string {
  return letter.replace(/[\\^$.*+?()[\]{}|/-]/, "\\$&");
}
