/** The tokens of a template. Upstream: Go 1.25 text/template/parse/lex.go. Not modeled: complex numbers. */

import { goQuote } from "../../../engine/api/go/text.ts";

export type TokenType =
  | "text"
  | "left"
  | "right"
  | "space"
  | "identifier"
  | "keyword"
  | "field"
  | "variable"
  | "dot"
  | "nil"
  | "bool"
  | "number"
  | "character"
  | "string"
  | "pipe"
  | "comma"
  | "assign"
  | "declare"
  | "("
  | ")"
  /** A character that begins no token. */
  | "mark"
  | "error"
  | "end";

export interface Token {
  readonly type: TokenType;
  /** As written; for an error, the message. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const keywords: ReadonlySet<string> = new Set([
  "block",
  "break",
  "continue",
  "define",
  "else",
  "end",
  "if",
  "range",
  "template",
  "with",
]);

/** Ends with a token of type `end`, or with the first error. */
export function tokensOf(source: string): readonly Token[] {
  return new Lexer(source).run();
}

class Lexer {
  readonly #source: string;
  readonly #tokens: Token[] = [];
  #at = 0;
  #parenDepth = 0;

  constructor(source: string) {
    this.#source = source;
  }

  run(): readonly Token[] {
    while (this.#at < this.#source.length && this.#text() && this.#action());
    if (this.#tokens.at(-1)?.type !== "error") this.#emit("end", this.#at);
    return this.#tokens;
  }

  /** Reads up to the next action. Returns true if there is one. */
  #text(): boolean {
    const open = this.#source.indexOf("{{", this.#at);
    const isLast = open < 0;
    const end = isLast ? this.#source.length : open;
    const kept =
      !isLast && trimsLeft(this.#source, open + 2)
        ? endBeforeSpaces(this.#source, this.#at, end)
        : end;
    if (kept > this.#at) this.#emit("text", kept);
    this.#at = end;
    return !isLast;
  }

  /** Reads an action with its delimiters. Returns true if it is valid. */
  #action(): boolean {
    const inside = this.#at + 2 + (trimsLeft(this.#source, this.#at + 2) ? 2 : 0);
    if (this.#source.startsWith("/*", inside)) return this.#comment(inside);
    this.#emit("left", this.#at + 2);
    this.#at = inside;
    this.#parenDepth = 0;
    for (;;) {
      const close = rightDelimiter(this.#source, this.#at);
      if (close !== undefined) {
        if (this.#parenDepth > 0) return this.#fail("unclosed left paren");
        this.#emit("right", close.end);
        if (close.trims) this.#skipSpaces();
        return true;
      }
      if (!this.#inside()) return false;
    }
  }

  #comment(inside: number): boolean {
    const end = this.#source.indexOf("*/", inside);
    if (end < 0) return this.#fail("unclosed comment");
    const close = rightDelimiter(this.#source, end + 2);
    if (close === undefined) return this.#fail("comment ends before closing delimiter");
    this.#at = close.end;
    if (close.trims) this.#skipSpaces();
    return true;
  }

  #skipSpaces(): void {
    this.#at = endOf(spaces, this.#source, this.#at) ?? this.#at;
  }

  /** Reads one token of an action. */
  #inside(): boolean {
    const [source, at] = [this.#source, this.#at];
    const first = source[at];
    if (first === undefined) return this.#fail("unclosed action");
    const spaceEnd = endOf(spaces, source, at);
    if (spaceEnd !== undefined) return this.#emit("space", this.#beforeTrim(spaceEnd));
    const mark = marks.get(first);
    if (mark !== undefined) return this.#emit(mark, at + 1);
    if (first === ":")
      return source[at + 1] === "=" ? this.#emit("declare", at + 2) : this.#fail("expected :=");
    if (first === "(") {
      this.#parenDepth++;
      return this.#emit("(", at + 1);
    }
    if (first === ")") {
      this.#parenDepth--;
      return this.#parenDepth < 0 ? this.#fail("unexpected right paren") : this.#emit(")", at + 1);
    }
    if (first === '"') return this.#goQuote(doubleQuoted, "string", "unterminated quoted string");
    if (first === "`") return this.#goQuote(rawQuoted, "string", "unterminated raw quoted string");
    if (first === "'")
      return this.#goQuote(singleQuoted, "character", "unterminated character constant");
    if (first === "$") return this.#named("variable");
    if (first === "." && !/\d/.test(source[at + 1] ?? "")) return this.#named("field");
    if (/[-+.\d]/.test(first)) return this.#number();
    if (wordStart.test(source.slice(at, at + 2))) return this.#word();
    if (/[!-~]/.test(first)) return this.#emit("mark", at + 1);
    return this.#fail(`unrecognized character in action: ${printCharacter(source, at)}`);
  }

  /** The space before ` -}}` belongs to the delimiter. */
  #beforeTrim(spaceEnd: number): number {
    const isTrim = this.#source.startsWith("-}}", spaceEnd) && spaceEnd - 1 > this.#at;
    return isTrim ? spaceEnd - 1 : spaceEnd;
  }

  #goQuote(pattern: RegExp, type: TokenType, unterminated: string): boolean {
    const end = endOf(pattern, this.#source, this.#at);
    return end === undefined ? this.#fail(unterminated) : this.#emit(type, end);
  }

  /** `.Name` or `$name`; the dot and the dollar may be alone. */
  #named(type: "field" | "variable"): boolean {
    const end = endOf(name, this.#source, this.#at + 1) ?? this.#at + 1;
    if (!isTerminated(this.#source, end))
      return this.#fail(`bad character ${printCharacter(this.#source, end)}`);
    return this.#emit(type === "field" && end === this.#at + 1 ? "dot" : type, end);
  }

  #number(): boolean {
    const end = endOf(number, this.#source, this.#at) ?? this.#at;
    const next = endOf(letter, this.#source, end);
    if (next === undefined && this.#source[end] !== "+" && this.#source[end] !== "-")
      return this.#emit("number", end);
    const until = next ?? endOf(number, this.#source, end) ?? end;
    return this.#fail(`bad number syntax: ${goQuote(this.#source.slice(this.#at, until))}`);
  }

  #word(): boolean {
    const end = endOf(name, this.#source, this.#at) ?? this.#at;
    if (!isTerminated(this.#source, end))
      return this.#fail(`bad character ${printCharacter(this.#source, end)}`);
    const word = this.#source.slice(this.#at, end);
    if (keywords.has(word)) return this.#emit("keyword", end);
    if (word === "true" || word === "false") return this.#emit("bool", end);
    return this.#emit(word === "nil" ? "nil" : "identifier", end);
  }

  #emit(type: TokenType, end: number): true {
    const start = this.#at;
    this.#tokens.push({ type, text: this.#source.slice(start, end), start, end });
    this.#at = end;
    return true;
  }

  #fail(message: string): false {
    const start = Math.min(this.#at, this.#source.length);
    const end = Math.min(start + 1, this.#source.length);
    this.#tokens.push({ type: "error", text: message, start, end });
    return false;
  }
}

const marks: ReadonlyMap<string, TokenType> = new Map([
  ["|", "pipe"],
  [",", "comma"],
  ["=", "assign"],
]);

const spaces = /[ \t\r\n]+/y;
const name = /[\p{L}\p{Nd}_]+/uy;
const wordStart = /^[\p{L}\p{Nd}_]/u;
const letter = /[\p{L}\p{Nd}_]/uy;
/** What Go's lexer takes for a number; whether it is valid is checked later. */
const number =
  /[-+]?(?:0[xX][\da-fA-F_]*\.?[\da-fA-F_]*(?:[pP][-+]?[\d_]*)?|0[bB][01_]*\.?[01_]*|0[oO][0-7_]*\.?[0-7_]*|[\d_]*\.?[\d_]*(?:[eE][-+]?[\d_]*)?)/y;
const doubleQuoted = /"(?:[^"\\\n]|\\[^\n])*"/y;
const rawQuoted = /`[^`]*`/y;
const singleQuoted = /'(?:[^'\\\n]|\\[^\n])*'/y;

/** Where a match that begins at the offset ends; undefined if there is none. */
function endOf(pattern: RegExp, source: string, offset: number): number | undefined {
  pattern.lastIndex = offset;
  return pattern.test(source) ? pattern.lastIndex : undefined;
}

/** True if a dash and a space follow the delimiter, which trims the spaces before it. */
function trimsLeft(source: string, offset: number): boolean {
  return source[offset] === "-" && isSpace(source[offset + 1]);
}

function rightDelimiter(
  source: string,
  offset: number,
): { readonly end: number; readonly trims: boolean } | undefined {
  if (source.startsWith("}}", offset)) return { end: offset + 2, trims: false };
  if (isSpace(source[offset]) && source.startsWith("-}}", offset + 1))
    return { end: offset + 4, trims: true };
  return undefined;
}

/** Moves the end before any spaces. */
function endBeforeSpaces(source: string, start: number, end: number): number {
  let at = end;
  while (at > start && isSpace(source[at - 1])) at--;
  return at;
}

function isSpace(letter: string | undefined): boolean {
  return letter !== undefined && " \t\r\n".includes(letter);
}

/** True if a name may end there. */
function isTerminated(source: string, offset: number): boolean {
  const next = source[offset];
  return (
    next === undefined ||
    isSpace(next) ||
    ".,|:)(".includes(next) ||
    source.startsWith("}}", offset)
  );
}

/** As Go's %#U. */
function printCharacter(source: string, offset: number): string {
  const code = source.codePointAt(offset) ?? 0;
  const hex = code.toString(16).toUpperCase().padStart(4, "0");
  return `U+${hex} '${String.fromCodePoint(code)}'`;
}
