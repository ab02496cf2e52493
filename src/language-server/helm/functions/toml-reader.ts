/**
 * Reads TOML. Upstream: BurntSushi/toml v1.6 parse.go, lex.go. Not modeled: times without a date, and upstream's messages for
 * invalid values.
 */
import { quotedLetter } from "../go-template/print-format.ts";
import { type GoMap, type GoValue, int64, isGoMap } from "../go-template/values.ts";
import { parseFloat64, parseInt64 } from "./cast.ts";
import { Instant } from "./instant.ts";
import { parseDate } from "./time-format.ts";

/** Returns an error if the text is invalid. */
export function readToml(text: string): GoMap | { readonly error: string } {
  const reader = new TomlReader(text);
  const read = reader.read();
  return read ?? { error: `toml: line ${reader.line()}: ${reader.complaint}` };
}

const depthMax = 100;

/** Its methods return undefined, all the way up, if something is invalid. */
class TomlReader {
  /** Only the first complaint is kept, because later ones are consequences. */
  #complaint: string | undefined;
  readonly #text: string;
  #at = 0;
  /** Lists made by `[[name]]`, which later tables extend; other lists are closed. */
  readonly #tableLists = new Map<GoValue, GoMap[]>();
  /** Tables that exist only through the names of others; each may still be opened once. */
  readonly #implicit = new Set<GoMap>();

  constructor(text: string) {
    this.#text = text.replaceAll("\r\n", "\n");
  }

  get complaint(): string {
    return this.#complaint ?? "unexpected text";
  }

  line(): number {
    return this.#text.slice(0, this.#at).split("\n").length;
  }

  read(): GoMap | undefined {
    const root: GoMap = new Map();
    let table = root;
    for (;;) {
      this.#skipBlank();
      if (this.#at >= this.#text.length) return root;
      const header = this.#take(/\[\[?/y);
      const next = header === undefined ? this.#field(table) && table : this.#header(root, header);
      if (next === undefined || !this.#endLine()) return undefined;
      table = next;
    }
  }

  #header(root: GoMap, open: string): GoMap | undefined {
    const path = this.#path();
    if (path === undefined || this.#take(open === "[" ? /[ \t]*\]/y : /[ \t]*\]\]/y) === undefined)
      return undefined;
    const above = this.#tableAt(root, path.slice(0, -1));
    const name = path.at(-1) ?? "";
    if (above === undefined) return undefined;
    if (open === "[") {
      const begun = this.#tableAt(above, [name]);
      if (begun === undefined || this.#implicit.delete(begun)) return begun;
      return this.#refuse(`Key '${name}' has already been defined.`);
    }
    const table: GoMap = new Map();
    const known = above.get(name);
    const tables = known === undefined ? [] : this.#tableLists.get(known);
    if (tables === undefined) return this.#refuse(`Key '${name}' has already been defined.`);
    tables.push(table);
    this.#tableLists.set(tables, tables);
    above.set(name, tables);
    return table;
  }

  #tableAt(root: GoMap, path: readonly string[]): GoMap | undefined {
    let table = root;
    for (const name of path) {
      const known = table.get(name);
      const found =
        known === undefined ? undefined : (this.#tableLists.get(known)?.at(-1) ?? known);
      if (found !== undefined && !isGoMap(found))
        return this.#refuse(`Key '${name}' has already been defined.`);
      const next: GoMap = found ?? new Map();
      if (found === undefined) {
        table.set(name, next);
        this.#implicit.add(next);
      }
      table = next;
    }
    return table;
  }

  #field(table: GoMap, depth = 0): true | undefined {
    const path = this.#path();
    if (path === undefined) return undefined;
    if (this.#take(/[ \t]*=[ \t]*/y) === undefined) return this.#refuse(this.#noSeparator());
    const value = this.#value(depth);
    const above = value === undefined ? undefined : this.#tableAt(table, path.slice(0, -1));
    const name = path.at(-1) ?? "";
    if (value === undefined || above === undefined) return undefined;
    if (above.has(name)) return this.#refuse(`Key '${name}' has already been defined.`);
    above.set(name, value);
    return true;
  }

  #path(): readonly string[] | undefined {
    const path: string[] = [];
    do {
      this.#skip(/[ \t]*/y);
      const name = this.#take(/[\w-]+/y) ?? this.#quoted();
      if (name === undefined) return this.#refuse(this.#noSeparator());
      path.push(name);
    } while (path.length < depthMax && this.#take(/[ \t]*\./y) !== undefined);
    return path;
  }

  #noSeparator(): string {
    this.#skip(/[ \t]*/y);
    const [found] = this.#text.slice(this.#at, this.#at + 2);
    if (found === undefined) return "unexpected EOF; expected key separator '='";
    if (found === "=") return "unexpected '=': key name appears blank";
    return `expected '.' or '=', but got ${quotedLetter(found)} instead`;
  }

  #value(depth: number): GoValue | undefined {
    if (depth > depthMax) return this.#refuse("values nest too deep");
    const text = this.#quoted();
    if (text !== undefined || this.#complaint !== undefined) return text;
    if (this.#take(/\[/y) !== undefined) return this.#list(depth + 1);
    if (this.#take(/\{/y) !== undefined) return this.#inlineTable(depth + 1);
    const word = this.#take(/\d{4}-\d\d-\d\d[ Tt]\d\d:[\w:.+-]+|[\w:.+-]+/y);
    return word === undefined
      ? this.#refuse("expected value")
      : (scalar(word) ?? this.#refuse(`invalid value: ${word}`));
  }

  #list(depth: number): readonly GoValue[] | undefined {
    const items: GoValue[] = [];
    for (;;) {
      this.#skipBlank();
      if (this.#take(/\]/y) !== undefined) return items;
      const item = this.#value(depth);
      if (item === undefined) return undefined;
      items.push(item);
      this.#skipBlank();
      if (this.#take(/,/y) === undefined && this.#text[this.#at] !== "]")
        return this.#refuse("expected a comma or array terminator ']'");
    }
  }

  #inlineTable(depth: number): GoMap | undefined {
    const table: GoMap = new Map();
    for (;;) {
      this.#skip(/[ \t\n]*/y);
      if (this.#take(/\}/y) !== undefined) return table;
      if (this.#field(table, depth) === undefined) return undefined;
      this.#skip(/[ \t\n]*/y);
      if (this.#take(/,/y) === undefined && this.#text[this.#at] !== "}")
        return this.#refuse("expected a comma or an inline table terminator '}'");
    }
  }

  /** Skips blanks, line ends and comments. */
  #skipBlank(): void {
    while (this.#take(/[ \t\n]+|#[^\n]*/y) !== undefined);
  }

  #quoted(): string | undefined {
    const quote = this.#take(/"""|'''|"|'/y);
    if (quote === undefined) return undefined;
    const start = this.#at;
    const isLong = quote.length === 3;
    const end = this.#endOfText(quote);
    if (end === undefined) return this.#refuse("unexpected EOF; expected a quote");
    const body = this.#text.slice(start, end);
    const shown = isLong ? body.replace(/^\n/, "") : body;
    if (quote.startsWith("'")) return shown;
    return unescaped(isLong ? shown.replace(/\\[ \t]*\n\s*/g, "") : shown);
  }

  /** Undefined if the text is not closed. Up to two quotes may precede the closing three. */
  #endOfText(quote: string): number | undefined {
    for (let at = this.#at; at < this.#text.length; at++) {
      const character = this.#text[at];
      if (character === "\n" && quote.length === 1) return undefined;
      if (character === "\\" && quote.startsWith('"')) at++;
      else if (this.#text.startsWith(quote, at)) {
        let end = at;
        while (quote.length === 3 && end < at + 2 && this.#text[end + 3] === quote[0]) end++;
        this.#at = end + quote.length;
        return end;
      }
    }
    return undefined;
  }

  #endLine(): boolean {
    return this.#take(/[ \t]*(?:#[^\n]*)?(?:\n|$)/y) !== undefined;
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#text) ?? [];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #skip(pattern: RegExp): void {
    this.#take(pattern);
  }

  #refuse(complaint: string): undefined {
    this.#complaint ??= complaint;
    return undefined;
  }
}

const escapes: Readonly<Record<string, string>> = {
  b: "\b",
  t: "\t",
  n: "\n",
  f: "\f",
  r: "\r",
  e: "\x1b",
};

function unescaped(text: string): string {
  return text.replace(
    /\\(?:u([\da-fA-F]{4})|U([\da-fA-F]{8})|x([\da-fA-F]{2})|([\s\S]))/g,
    (_all, short, long, byte, letter) => {
      const hex: string | undefined = short ?? long ?? byte;
      if (hex === undefined) return escapes[letter] ?? letter;
      const code = Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd";
    },
  );
}

const dateLayouts = ["2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05", "2006-01-02"];

function scalar(word: string): GoValue | undefined {
  if (word === "true" || word === "false") return word === "true";
  for (const layout of dateLayouts) {
    const date = /^\d{4}-/.test(word) ? parseDate(layout, word.replace(/[ t]/, "T")) : undefined;
    if (date !== undefined)
      return new Instant(BigInt(date.unixMs) * 1_000_000n + BigInt(date.ns), date.offsetSeconds);
  }
  // A number does not begin with a zero, unless that is part of a base prefix.
  if (/^[+-]?0\d/.test(word)) return undefined;
  const whole = parseInt64(word);
  if (whole !== undefined) return int64(whole);
  return float.test(word) ? parseFloat64(word.replaceAll("_", "")) : undefined;
}

const digits = String.raw`\d+(?:_\d+)*`;
const float = new RegExp(
  String.raw`^[+-]?(?:inf|nan|${digits}(?:\.${digits})?(?:[eE][+-]?${digits})?)$`,
);
