/**
 * Tabs that YAML allows and kubectl's reader does not: in a blank line or before a comment, behind a dash, in the indentation
 * of block text. Upstream: go.yaml.in/yaml v2.4 scannerc.go, yaml_parser_scan_to_next_token, yaml_parser_scan_plain_scalar,
 * yaml_parser_scan_block_scalar_breaks.
 */
import { CST } from "yaml";
import { KubectlLexer } from "./kubectl-lexer.ts";

/** The offset of the first one; undefined where there is none. */
export function refusedTab(text: string): number | undefined {
  return mayBeRefused.test(text) ? new TabScanner(text).find() : undefined;
}

const mayBeRefused = /^ *(?:- *)*\t/m;

class TabScanner {
  readonly #text: string;
  #offset = 0;
  /** Where the present line begins, and where its indentation and dashes end. */
  #lineStart = 0;
  #prefixEnd: number;
  /** In how many brackets, between which tabs may stand anywhere but behind a plain scalar. */
  #brackets = 0;
  /** The column of the mapping or list around the brackets. */
  #outerColumn = 0;
  /** Whether nothing but blanks stands between here and the begin of the line, or the dash, where a key could begin. */
  #isKeyAllowed = true;
  /** Behind a plain scalar, which goes on over blanks: up to this column a tab ends it wrongly, further right it is one of them. */
  #plainColumn = -1;
  #header = "";
  /** The column of the mapping or list that the block text is in. */
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

  /** Where the mapping or list begins that the present scalar or bracket is in; 0 where its line does not tell. */
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

/** What the lexer adds to the text. */
const marks: ReadonlySet<string> = new Set([CST.DOCUMENT, CST.FLOW_END, CST.SCALAR]);

/** Of a plain scalar in brackets, which goes on in lines that are indented as far as one likes. */
function tabInPlain(source: string, outerColumn: number): number | undefined {
  for (const { index, 0: blanks } of source.matchAll(/(?<=\n) *(?=\t)/g)) {
    if (blanks.length <= outerColumn) return index + blanks.length;
  }
  return undefined;
}

/** `|2` says how far it is indented, beyond what is around it; otherwise its first line does. */
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
