/**
 * Reads the subset of YAML that nearly all manifests use, in one pass and without a syntax tree: block mappings and lists,
 * one-line plain and quoted scalars, literal blocks, one-line flow collections. Everything else in a document, valid or not, is
 * left to the parser; what both can read has the same value.
 */
import type { Json } from "../../engine/api/json.ts";
import { resolvePlainKey, resolvePlainScalar } from "./kubernetes-scalar.ts";
import type { PathSegment, Span } from "./place.ts";
import { staysBelowLimits } from "./value-limits.ts";

/** Nobody indents further or nests more brackets; the limits bound the depth. */
const columnMax = 200;
const bracketsMax = 20;

/** Undefined for a document that is not simple, or empty. */
export function readSimpleYaml(text: string): Json | undefined {
  if (!staysBelowLimits(text)) return undefined;
  // Windows' line ends mean the same.
  const unixText = text.includes("\r") ? text.replaceAll("\r\n", "\n") : text;
  return neverSimple.test(unixText) ? undefined : new SimpleReader(unixText).read();
}

/** Tabs, lone carriage returns, control characters and templates, anywhere in the document. */
const neverSimple = /[^\n\x20-\x7e\u00a1-\u2027\u202a-\ufefe]|\{\{|\{%/;

export const key: RegExp = /([A-Za-z0-9_./][A-Za-z0-9_./-]*):(?: +|$)/y;
export const quoted: RegExp = /(?:"([^"\\]*)"|'([^']*)')/y;
const plainStart = /^(?:[A-Za-z0-9_./~$(+]|-[A-Za-z0-9_./])/;
const plainInFlow = /(?:-?[0-9]|[A-Za-z_./])[A-Za-z0-9_./-]*(?: +[A-Za-z0-9_./-]+)*/y;
const endOfLine = / *(?: #.*)?$/y;
export const spaces: RegExp = / */y;

class SimpleReader {
  readonly #lines: string[];
  readonly #endsWithLine: boolean;
  #at = 0;
  /** Indentation of the current line; -1 after the last one. */
  #indent = -1;

  constructor(text: string) {
    this.#lines = text.split("\n");
    this.#endsWithLine = this.#lines.at(-1) === "";
    if (this.#endsWithLine) this.#lines.pop();
  }

  read(): Json | undefined {
    this.#skip();
    if (this.#indent < 0) return undefined;
    const value = this.#mapping(this.#indent);
    return this.#indent < 0 ? value : undefined;
  }

  get #line(): string {
    return this.#lines[this.#at] ?? "";
  }

  /** Goes to the next line with content, from the current one on. */
  #skip(): void {
    for (; this.#at < this.#lines.length; this.#at++) {
      const indent = indentOf(this.#line);
      const first = this.#line.charCodeAt(indent);
      if (Number.isNaN(first) || first === hash) continue;
      this.#indent = indent;
      return;
    }
    this.#indent = -1;
  }

  /** Ends a scalar; undefined if the next line is indented further, as it would belong to the scalar or be a mistake. */
  #after<T>(column: number, value: T): T | undefined {
    this.#at++;
    this.#skip();
    return this.#indent > column ? undefined : value;
  }

  #mapping(column: number): Json | undefined {
    if (column > columnMax) return undefined;
    const entries: Record<string, Json> = {};
    do {
      key.lastIndex = column;
      const [whole = "", source = ""] = key.exec(this.#line) ?? [];
      const name = newName(source, entries);
      if (name === undefined) return undefined;
      const value = this.#value(column + whole.length, column, "key");
      if (value === undefined) return undefined;
      entries[name] = value;
    } while (this.#indent === column);
    return this.#indent > column ? undefined : entries;
  }

  #sequence(column: number): Json | undefined {
    if (column > columnMax) return undefined;
    const items: Json[] = [];
    do {
      const from = after(spaces, this.#line, column + 1);
      key.lastIndex = from;
      const item = key.test(this.#line) ? this.#mapping(from) : this.#value(from, column, "dash");
      if (item === undefined) return undefined;
      items.push(item);
    } while (this.#indent === column && isItem(this.#line, column));
    return this.#indent > column ? undefined : items;
  }

  /** Reads the value of the key or dash at the column. */
  #value(from: number, column: number, behind: "key" | "dash"): Json | undefined {
    const line = this.#line;
    switch (line[from]) {
      case undefined:
      case "#":
        return this.#below(column, behind);
      case '"':
      case "'": {
        quoted.lastIndex = from;
        const [whole, double, single] = quoted.exec(line) ?? [];
        const end = whole === undefined ? -1 : from + whole.length;
        return isEnd(line, end) ? this.#after(column, double ?? single) : undefined;
      }
      case "|":
        return this.#literal(line.slice(from + 1), column);
      case "[":
      case "{": {
        const flow = new FlowReader(line, from);
        const value = flow.read();
        return isEnd(line, flow.at) ? this.#after(column, value) : undefined;
      }
      default: {
        const comment = line.indexOf(" #", from);
        const source = line.slice(from, comment < 0 ? line.length : comment).trimEnd();
        if (!plainStart.test(source) || source.includes(": ") || source.endsWith(":"))
          return undefined;
        return this.#after(column, resolvePlainScalar(source));
      }
    }
  }

  /** Reads what is below a key or dash; a list may be indented no further than its key. */
  #below(column: number, behind: "key" | "dash"): Json | undefined {
    this.#at++;
    this.#skip();
    const isList = isItem(this.#line, this.#indent);
    if (this.#indent > column)
      return isList ? this.#sequence(this.#indent) : this.#mapping(this.#indent);
    return behind === "key" && isList && this.#indent === column ? this.#sequence(column) : null;
  }

  /** The text after `|`; it ends with one line end or none. */
  #literal(header: string, column: number): Json | undefined {
    const [, chomping] = /^(-?) *$/.exec(header) ?? [];
    const lines = this.#lines;
    const first = lines.findIndex((line, at) => at > this.#at && indentOf(line) < line.length);
    const indent = indentOf(lines[first] ?? "");
    if (chomping === undefined || first < 0 || indent <= column) return undefined;
    const found: string[] = [];
    let end = this.#at + 1;
    for (; end < lines.length; end++) {
      const line = lines[end] ?? "";
      const own = indentOf(line);
      const isBlank = own === line.length;
      // A blank line that is longer than the indentation may be part of the text.
      if (isBlank && own > indent) return undefined;
      if (!isBlank && own < indent) {
        if (own > column) return undefined;
        break;
      }
      found.push(line.slice(indent));
    }
    if (end === lines.length && !this.#endsWithLine) return undefined;
    while (found.at(-1) === "") found.pop();
    this.#at = end - 1;
    return this.#after(column, found.join("\n") + (chomping === "-" ? "" : "\n"));
  }
}

/** Reads a list or mapping in brackets or braces on one line. */
export class FlowReader {
  readonly #line: string;
  at: number;
  #opened = 0;

  constructor(line: string, at: number) {
    this.#line = line;
    this.at = at;
  }

  read(): Json | undefined {
    switch (this.#line[this.at]) {
      case "[":
      case "{":
        if (++this.#opened > bracketsMax) return undefined;
        return this.#line[this.at] === "[" ? this.#list() : this.#mapping();
      case '"':
      case "'": {
        const [, double, single] = this.#take(quoted) ?? [];
        return double ?? single;
      }
      default: {
        const source = this.#take(plainInFlow)?.[0];
        return source === undefined ? undefined : resolvePlainScalar(source);
      }
    }
  }

  /** Moves to the item or value of a path's next segment and returns the span of its key; undefined if there is none. */
  enter(segment: PathSegment): { readonly key?: Span } | undefined {
    const isList = this.#line[this.at] === "[";
    const isMapping = this.#line[this.at] === "{";
    if ((!isList && !isMapping) || this.#isEmpty(isList ? "]" : "}")) return undefined;
    let index = 0;
    do {
      const start = this.at;
      if (isList && index++ === segment) return {};
      const source = isMapping ? this.#take(key)?.[1] : undefined;
      if (source !== undefined && resolvePlainKey(source) === String(segment))
        return { key: { start, end: start + source.length } };
      this.read();
    } while (this.#hasNext());
    return undefined;
  }

  #list(): Json | undefined {
    const items: Json[] = [];
    if (this.#isEmpty("]")) return items;
    do {
      const item = this.read();
      if (item === undefined) return undefined;
      items.push(item);
    } while (this.#hasNext());
    return this.#ends("]") ? items : undefined;
  }

  #mapping(): Json | undefined {
    const entries: Record<string, Json> = {};
    if (this.#isEmpty("}")) return entries;
    do {
      const [, source = ""] = this.#take(key) ?? [];
      const name = newName(source, entries);
      if (name === undefined) return undefined;
      const value = this.read();
      if (value === undefined) return undefined;
      entries[name] = value;
    } while (this.#hasNext());
    return this.#ends("}") ? entries : undefined;
  }

  #isEmpty(end: string): boolean {
    this.at = after(spaces, this.#line, this.at + 1);
    return this.#ends(end);
  }

  #hasNext(): boolean {
    this.at = after(spaces, this.#line, this.at);
    if (this.#line[this.at] !== ",") return false;
    this.at = after(spaces, this.#line, this.at + 1);
    return true;
  }

  #ends(end: string): boolean {
    if (this.#line[this.at] !== end) return false;
    this.at++;
    return true;
  }

  #take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#line);
    if (found === null) return undefined;
    this.at = pattern.lastIndex;
    return found;
  }
}

const hash = 0x23;
const space = 0x20;

export function indentOf(line: string): number {
  let at = 0;
  while (line.charCodeAt(at) === space) at++;
  return at;
}

/** Undefined for a key that is not a text, is a duplicate, or cannot be set like any other. */
function newName(source: string, entries: Readonly<Record<string, Json>>): string | undefined {
  const name = resolvePlainKey(source);
  return name === "__proto__" || (name !== undefined && Object.hasOwn(entries, name))
    ? undefined
    : name;
}

export function isItem(line: string, column: number): boolean {
  return line[column] === "-" && (line.length === column + 1 || line[column + 1] === " ");
}

function isEnd(line: string, at: number): boolean {
  if (at < 0) return false;
  endOfLine.lastIndex = at;
  return endOfLine.test(line);
}

/** End of the pattern's match at this place. */
export function after(pattern: RegExp, line: string, at: number): number {
  pattern.lastIndex = at;
  pattern.test(line);
  return pattern.lastIndex;
}
