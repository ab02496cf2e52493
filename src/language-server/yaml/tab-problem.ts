/**
 * Tabs that YAML allows but kubectl's reader does not: in a blank line or before a comment, after a dash, in the indentation of
 * block text. Upstream: go.yaml.in/yaml v2.4 scannerc.go, yaml_parser_scan_to_next_token, yaml_parser_scan_plain_scalar,
 * yaml_parser_scan_block_scalar_breaks.
 */
import { CST } from "yaml";
import { KubectlLexer } from "./kubectl-lexer.ts";

/** Offset of the first one; undefined if there is none. */
export function refusedTab(text: string): number | undefined {
  return mayBeRefused.test(text) ? new TabScanner(text).find() : undefined;
}

const mayBeRefused = /^ *(?:- *)*\t/m;

class TabScanner {
  readonly #text: string;
  #offset = 0;
  /** Where the current line begins, and where its indentation and dashes end. */
  #lineStart = 0;
  #prefixEnd: number;
  /** Number of open brackets; within them tabs are allowed anywhere except after a plain scalar. */
  #brackets = 0;
  /** The column of the mapping or list around the brackets. */
  #outerColumn = 0;
  /** True if only blanks precede on this line, or after its dash, so that a key may begin here. */
  #isKeyAllowed = true;
  /**
   * Set after a plain scalar, which continues over blanks: a tab up to this column is refused, further right it is one of them.
   */
  #plainColumn = -1;
  #header = "";
  /** The column of the mapping or list that contains the block text. */
  #headerColumn = 0;

  constructor(text: string) {
    this.#text = text;
    this.#prefixEnd = prefixEndAt(text, 0);
  }

  find(): number | undefined {
    let isScalar = false;
    for (const lexeme of new KubectlLexer().lex(this.#text)) {
      if (lexeme === CST.SCALAR) isScalar = true;
      if (marks.has(lexeme)) continue;
      const tab = isScalar ? this.#tabInScalar(lexeme) : this.#tabInLexeme(lexeme);
      if (tab !== undefined) return this.#offset + tab;
      isScalar = false;
      this.#goBehind(lexeme);
    }
    return undefined;
  }

  #goBehind(lexeme: string): void {
    const end = lexeme.lastIndexOf("\n");
    if (end >= 0) {
      this.#lineStart = this.#offset + end + 1;
      this.#prefixEnd = prefixEndAt(this.#text, this.#lineStart);
    }
    this.#offset += lexeme.length;
  }

  #tabInScalar(source: string): number | undefined {
    const header = this.#header;
    this.#header = "";
    this.#isKeyAllowed = false;
    this.#plainColumn = header === "" ? this.#columnOfCollection() : -1;
    if (header !== "") return tabInBlock(header, source, this.#headerColumn);
    return this.#brackets === 0 ? undefined : tabInPlain(source, this.#outerColumn);
  }

  #tabInLexeme(lexeme: string): number | undefined {
    switch (CST.tokenType(lexeme)) {
      case "space":
        return this.#tabInBlanks(lexeme);
      case "newline":
        this.#isKeyAllowed = true;
        return undefined;
      case "block-scalar-header":
        this.#header = lexeme;
        this.#headerColumn = this.#columnOfCollection();
        break;
      case "flow-map-start":
      case "flow-seq-start":
        this.#outerColumn = this.#columnOfCollection();
        this.#brackets++;
        break;
      case "flow-map-end":
      case "flow-seq-end":
        this.#brackets--;
        break;
      default:
    }
    this.#isKeyAllowed = lexeme === "-" || lexeme === "?";
    this.#plainColumn = -1;
    return undefined;
  }

  #tabInBlanks(blanks: string): number | undefined {
    const tab = blanks.indexOf("\t");
    const isBehindPlain = this.#plainColumn >= 0;
    if (tab < 0 || !this.#isKeyAllowed || (this.#brackets > 0 && !isBehindPlain)) return undefined;
    const column = this.#offset + tab - this.#lineStart;
    return isBehindPlain && column > this.#plainColumn ? undefined : tab;
  }

  /** Column of the mapping or list that contains the current scalar or bracket; 0 if its line does not show that. */
  #columnOfCollection(): number {
    if (this.#brackets > 0) return this.#outerColumn;
    if (this.#offset > this.#prefixEnd) return this.#prefixEnd - this.#lineStart;
    return Math.max(0, this.#text.slice(this.#lineStart, this.#offset).lastIndexOf("-"));
  }
}

function prefixEndAt(text: string, lineStart: number): number {
  prefix.lastIndex = lineStart;
  prefix.exec(text);
  return prefix.lastIndex;
}

const prefix = / *(?:- +)*/y;

/** Characters that the lexer inserts, which are not in the text. */
const marks: ReadonlySet<string> = new Set([CST.DOCUMENT, CST.FLOW_END, CST.SCALAR]);

/** For a plain scalar in brackets, whose continuation lines may have any indentation. */
function tabInPlain(source: string, outerColumn: number): number | undefined {
  for (const { index, 0: blanks } of source.matchAll(/(?<=\n) *(?=\t)/g)) {
    if (blanks.length <= outerColumn) return index + blanks.length;
  }
  return undefined;
}

/** `|2` gives the indentation beyond that of the surroundings; otherwise the first line does. */
function tabInBlock(header: string, source: string, outerColumn: number): number | undefined {
  const lines = source.split("\n");
  const first = lines.find((line) => line.trim() !== "") ?? "";
  const given = /\d/.exec(header)?.[0];
  const column = given === undefined ? first.search(/[^ ]/) : outerColumn + Number(given);
  let offset = 0;
  for (const line of lines) {
    const [blanks = ""] = /^ *(?=\t)/.exec(line) ?? [];
    const isIndentation = blanks.length < column || (line === first && given === undefined);
    if (line[blanks.length] === "\t" && isIndentation) return offset + blanks.length;
    offset += line.length + 1;
  }
  return undefined;
}
