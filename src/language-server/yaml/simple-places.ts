/**
 * Finds the place of a field in simple YAML line by line: building a syntax tree takes ten times as long as reading the
 * document did. What is not found here is looked up in the tree; both give the same places.
 */
import { resolvePlainKey } from "./kubernetes-scalar.ts";
import type { Path, Place, Span } from "./place.ts";
import { after, FlowReader, indentOf, isItem, key, quoted, spaces } from "./simple-yaml.ts";

/** Where a value begins. */
interface Found {
  /** Number of its first line, and the column where it begins. */
  readonly line: number;
  readonly column: number;
  /** `flow`: in brackets or braces, or within some. */
  readonly type: "mapping" | "sequence" | "scalar" | "flow";
}

interface Key {
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

interface Entry extends Key {
  /** Column where the value begins if it is on the key's line. */
  readonly from: number;
}

interface Begun<Found, Next> {
  readonly found: Found;
  readonly rest: Iterator<Next, undefined>;
}

/** How far a path leads, and what is there. */
interface Followed {
  /** How many of its segments exist. */
  readonly depth: number;
  /** The last of them, if it is a key. */
  readonly lastKey: Key | undefined;
  readonly value: Found;
}

/**
 * What to underline for a path, as `underline` defines it, or the key alone as `underlineKey` does. Undefined if only a syntax
 * tree can tell.
 */
export function simpleUnderline(
  text: string,
  path: Path,
  part: "value" | "key" = "value",
): Span | undefined {
  return text.includes("\r") ? undefined : placesOf(text).underline(path, part);
}

/** The place of a path as `locate` defines it; undefined if only a syntax tree can tell. */
export function simpleLocate(text: string, path: Path): Place | undefined {
  return text.includes("\r") ? undefined : placesOf(text).locate(path);
}

/** Kept because the findings of one document are placed one after the other. */
let last: { readonly text: string; readonly places: SimplePlaces } | undefined;

function placesOf(text: string): SimplePlaces {
  if (last?.text !== text) last = { text, places: new SimplePlaces(text) };
  return last.places;
}

class SimplePlaces {
  readonly #lines: readonly string[];
  /** Offset of each line. */
  readonly #starts: number[] = [];
  // Mappings and lists as far as they have been scanned, so that each line of a long one is scanned once.
  readonly #mappings = new Map<
    string,
    Begun<Map<string | undefined, Entry>, readonly [string | undefined, Entry]>
  >();
  readonly #sequences = new Map<string, Begun<number[], number>>();
  /** True if a value is empty: only the tree can tell where it ends after the colon. */
  #endsEmpty = false;

  constructor(text: string) {
    this.#lines = text.split("\n");
    let start = 0;
    for (const line of this.#lines) {
      this.#starts.push(start);
      start += line.length + 1;
    }
  }

  underline(path: Path, part: "value" | "key"): Span | undefined {
    const followed = this.#follow(path);
    if (followed === undefined) return undefined;
    const { depth, lastKey, value } = followed;
    if (depth < path.length || depth === 0) return this.#missing(lastKey, depth, value);
    if (part === "key" && lastKey !== undefined) return this.#spanOfKey(lastKey);
    const end = this.#endOnLine(value);
    if (this.#endsEmpty) return undefined;
    if (lastKey === undefined)
      return this.#span(value.line, value.column, end ?? this.#lineEnd(value));
    return end === undefined ? this.#spanOfKey(lastKey) : this.#span(value.line, value.column, end);
  }

  locate(path: Path): Place | undefined {
    const followed = this.#follow(path);
    if (followed === undefined) return undefined;
    const { depth, lastKey, value } = followed;
    const end = this.#endOf(value);
    if (end === undefined) return undefined;
    return {
      depth,
      value: { start: (this.#starts[value.line] ?? 0) + value.column, end },
      ...(lastKey !== undefined && { key: this.#spanOfKey(lastKey) }),
    };
  }

  /** Follows the path as far as it leads; undefined if that is to an empty value. */
  #follow(path: Path): Followed | undefined {
    this.#endsEmpty = false;
    const first = this.#next(0);
    let value: Found = { line: first, column: indentOf(this.#line(first)), type: "mapping" };
    let lastKey: Key | undefined;
    for (const [depth, segment] of path.entries()) {
      let next: Found | undefined;
      if (value.type === "mapping") {
        const entry = this.#entry(value, String(segment));
        if (entry === undefined) return { depth, lastKey, value };
        next = this.#value(entry.line, entry.from, value.column, "key");
        lastKey = entry;
      } else if (value.type === "flow") {
        const { line, column } = value;
        const flow = new FlowReader(this.#line(line), column);
        const entered = flow.enter(segment);
        if (entered === undefined) return { depth, lastKey, value };
        next = { line, column: flow.at, type: "flow" };
        lastKey = entered.key && { line, ...entered.key };
      } else {
        const line =
          value.type === "sequence" ? this.#lineOfItem(value, Number(segment)) : undefined;
        if (line === undefined) return { depth, lastKey, value };
        next = this.#item(line, value.column);
        lastKey = undefined;
      }
      if (next === undefined) return undefined;
      value = next;
    }
    return { depth: path.length, lastKey, value };
  }

  /** Where a part of the path is missing: the key before it, the first line of the list item, or the kind. */
  #missing(lastKey: Key | undefined, depth: number, value: Found): Span | undefined {
    if (lastKey !== undefined) return this.#spanOfKey(lastKey);
    if (depth > 0) {
      const end = this.#endOnLine(value) ?? this.#lineEnd(value);
      return this.#endsEmpty ? undefined : this.#span(value.line, value.column, end);
    }
    const kind = this.#entry(value, "kind") ?? this.#entry(value, undefined);
    return kind && this.#spanOfKey(kind);
  }

  #line(number: number): string {
    return this.#lines[number] ?? "";
  }

  #span(line: number, start: number, end: number): Span {
    const offset = this.#starts[line] ?? 0;
    return { start: offset + start, end: offset + end };
  }

  #spanOfKey({ line, start, end }: Key): Span {
    return this.#span(line, start, end);
  }

  #lineEnd({ line }: Found): number {
    return this.#line(line).length;
  }

  /** The first line with content from the given one on; the number of lines if there is none. */
  #next(from: number): number {
    let at = from;
    for (; at < this.#lines.length; at++) {
      const line = this.#line(at);
      const first = line[indentOf(line)];
      if (first !== undefined && first !== "#") break;
    }
    return at;
  }

  /** The entry of a mapping with this name; the first one if no name is given. */
  #entry(mapping: Found, name: string | undefined): Entry | undefined {
    const { found, rest } = this.#begun(this.#mappings, mapping, () => ({
      found: new Map<string | undefined, Entry>(),
      rest: this.#entries(mapping),
    }));
    const known = name === undefined ? found.values().next().value : found.get(name);
    if (known !== undefined) return known;
    for (let next = rest.next(); next.done !== true; next = rest.next()) {
      const [own, entry] = next.value;
      if (!found.has(own)) found.set(own, entry);
      if (name === undefined || own === name) return entry;
    }
    return undefined;
  }

  *#entries({
    line,
    column,
  }: Found): Generator<readonly [name: string | undefined, Entry], undefined> {
    for (let at = line; at < this.#lines.length; at = this.#next(at + 1)) {
      const text = this.#line(at);
      const indent = indentOf(text);
      if (at > line && indent < column) return;
      if (at > line && indent > column) continue;
      key.lastIndex = column;
      const [whole, source = ""] = key.exec(text) ?? [];
      if (whole === undefined) continue;
      const [end, from] = [column + source.length, column + whole.length];
      yield [resolvePlainKey(source), { line: at, start: column, end, from }];
    }
  }

  #lineOfItem(sequence: Found, index: number): number | undefined {
    if (!Number.isInteger(index) || index < 0) return undefined;
    const { found, rest } = this.#begun(this.#sequences, sequence, () => ({
      found: [],
      rest: this.#itemLines(sequence),
    }));
    while (found.length <= index) {
      const next = rest.next();
      if (next.done === true) return undefined;
      found.push(next.value);
    }
    return found[index];
  }

  *#itemLines({ line, column }: Found): Generator<number, undefined> {
    for (let at = line; at < this.#lines.length; at = this.#next(at + 1)) {
      const text = this.#line(at);
      const indent = indentOf(text);
      if (at > line && (indent < column || (indent === column && !isItem(text, column)))) return;
      if (at === line || indent === column) yield at;
    }
  }

  #begun<Begun>(known: Map<string, Begun>, { line, column }: Found, begin: () => Begun): Begun {
    const place = `${line}:${column}`;
    const before = known.get(place);
    if (before !== undefined) return before;
    const begun = begin();
    known.set(place, begun);
    return begun;
  }

  /** Undefined if the item is empty. */
  #item(line: number, column: number): Found | undefined {
    const text = this.#line(line);
    const from = after(spaces, text, column + 1);
    key.lastIndex = from;
    return key.test(text)
      ? { line, column: from, type: "mapping" }
      : this.#value(line, from, column, "dash");
  }

  /** The value of the key or dash at the column; undefined if it is empty. */
  #value(line: number, from: number, column: number, behind: "key" | "dash"): Found | undefined {
    switch (this.#line(line)[from]) {
      case undefined:
      case "#": {
        const below = this.#next(line + 1);
        const text = this.#line(below);
        const indent = indentOf(text);
        const isList = isItem(text, indent);
        if (indent > column || (behind === "key" && isList && indent === column))
          return { line: below, column: indent, type: isList ? "sequence" : "mapping" };
        return undefined;
      }
      case "[":
      case "{":
        return { line, column: from, type: "flow" };
      default:
        return { line, column: from, type: "scalar" };
    }
  }

  /** Offset after the whole value; undefined if its last part is empty. */
  #endOf(found: Found): number | undefined {
    const { line, column, type } = found;
    const start = this.#starts[line] ?? 0;
    const text = this.#line(line);
    switch (type) {
      case "flow":
        return start + endOfFlow(text, column);
      case "scalar":
        return text[column] === "|"
          ? this.#endOfLiteral(line)
          : start + (endOfScalar(text, column) ?? 0);
      case "mapping": {
        const at = this.#lastAt(found);
        const value = this.#value(at, this.#behindKey(at, column), column, "key");
        return value && this.#endOf(value);
      }
      case "sequence": {
        const item = this.#item(this.#lastAt(found), column);
        return item && this.#endOf(item);
      }
    }
  }

  /** Line of the last entry of a mapping or the last item of a list. */
  #lastAt({ line, column, type }: Found): number {
    const isList = type === "sequence";
    let last = line;
    for (let at = this.#next(line + 1); at < this.#lines.length; at = this.#next(at + 1)) {
      const text = this.#line(at);
      const indent = indentOf(text);
      // A list may be indented no further than its key.
      const isOwn = indent === column && isItem(text, column) === isList;
      if (indent < column || (indent === column && isList && !isOwn)) break;
      if (isOwn) last = at;
    }
    return last;
  }

  #behindKey(line: number, column: number): number {
    key.lastIndex = column;
    const [whole = ""] = key.exec(this.#line(line)) ?? [];
    return column + whole.length;
  }

  /** After the end of its last non-blank line. */
  #endOfLiteral(header: number): number {
    let indent: number | undefined;
    let last = header;
    for (let at = header + 1; at < this.#lines.length; at++) {
      const line = this.#line(at);
      const own = indentOf(line);
      if (own === line.length) continue;
      indent ??= own;
      if (own < indent) break;
      last = at;
    }
    return (this.#starts[last] ?? 0) + this.#line(last).length + 1;
  }

  /** Where a value ends that is completely on its first line; undefined if it is not. */
  #endOnLine(value: Found): number | undefined {
    const { line, column, type } = value;
    const text = this.#line(line);
    switch (type) {
      case "flow":
        return endOfFlow(text, column);
      case "scalar":
        return endOfScalar(text, column);
      case "mapping":
      case "sequence": {
        const below = this.#next(line + 1);
        const next = this.#line(below);
        const indent = indentOf(next);
        if (below < this.#lines.length && indent >= column) {
          const isOwn = type === "mapping" || indent > column || isItem(next, column);
          if (isOwn) return undefined;
        }
        return this.#endOfOnly(value);
      }
    }
  }

  /** End of the only entry or item, if that is on one line. */
  #endOfOnly(value: Found): number | undefined {
    const { line, column, type } = value;
    if (type === "sequence") {
      const item = this.#item(line, column);
      if (item?.line === line) return this.#endOnLine(item);
      this.#endsEmpty = true;
      return undefined;
    }
    const inner = this.#value(line, this.#behindKey(line, column), column, "key");
    if (inner?.line === line) return this.#endOnLine(inner);
    this.#endsEmpty = true;
    return undefined;
  }
}

function endOfFlow(text: string, from: number): number {
  const flow = new FlowReader(text, from);
  flow.read();
  return flow.at;
}

/** Undefined for multi-line text. */
function endOfScalar(text: string, from: number): number | undefined {
  if (text[from] === "|") return undefined;
  quoted.lastIndex = from;
  const whole = quoted.exec(text)?.[0];
  if (whole !== undefined) return from + whole.length;
  const comment = text.indexOf(" #", from);
  return from + text.slice(from, comment < 0 ? text.length : comment).trimEnd().length;
}
