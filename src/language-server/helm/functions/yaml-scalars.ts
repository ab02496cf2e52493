/**
 * Writes texts in YAML: plain, quoted, or as a block. Upstream: go.yaml.in/yaml v2 and v3, encode.go stringv, emitterc.go
 * yaml_emitter_analyze_scalar, yaml_emitter_select_scalar_style, yaml_emitter_write_double_quoted_scalar.
 */
import { resolvePlainScalar } from "../../yaml/kubernetes-scalar.ts";
import { wellFormed } from "./bytes.ts";

/** How the two versions differ. */
export interface YamlDialect {
  /** Lists below a key are indented further than the key. */
  readonly indentsLists: boolean;
  /** Texts beyond the 80th column continue on the next line. */
  readonly folds: boolean;
  /** Tabs are allowed in blocks. */
  readonly blocksHoldTabs: boolean;
  /** Whole float64 numbers are written without a point or exponent. */
  readonly hasWholeFloats: boolean;
  /** Nil lists are written as null. */
  readonly hasNil: boolean;
  /** See compareKeys. */
  readonly putsLettersFirst: boolean;
}

export interface ScalarPlace {
  /** Column where continuation lines begin. */
  readonly indent: number;
  /** Column where the text begins. */
  readonly column: number;
  /** True for a key, which must stay on one line. */
  readonly isKey: boolean;
}

export function writeText(text: string, place: ScalarPlace, dialect: YamlDialect): string {
  const features = featuresOf(text);
  const isSpecial = features.isSpecial || (features.hasTab && !dialect.blocksHoldTabs);
  const folds = dialect.folds && !place.isKey;
  if (text.includes("\n")) {
    const isBlock = !isSpecial && !features.hasBlankBeforeBreak && !text.endsWith(" ");
    return isBlock ? block(text, place.indent) : doubleQuoted(text, place, folds);
  }
  if (!isTextWhenPlain(text)) return doubleQuoted(text, place, folds);
  if (features.isSpecial || features.hasTab) return doubleQuoted(text, place, folds);
  const hasBlankEnd = text.startsWith(" ") || text.endsWith(" ");
  return hasBlankEnd || hasIndicator(text) || /[\u2028\u2029]/.test(text)
    ? singleQuoted(text, place, folds)
    : plain(text, place, folds);
}

interface Features {
  readonly isSpecial: boolean;
  readonly hasTab: boolean;
  readonly hasBlankBeforeBreak: boolean;
}

function featuresOf(text: string): Features {
  return {
    isSpecial: unprintable.test(text),
    hasTab: text.includes("\t"),
    hasBlankBeforeBreak: text.includes(" \n"),
  };
}

/** Upstream's reader only treats 16-bit characters as printable. */
const unprintable = /[^\t\n -~\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/u;

/** True if it would be read as a text. Upstream: resolve.go; dates and base-60 numbers are quoted for other readers. */
function isTextWhenPlain(text: string): boolean {
  return resolvePlainScalar(text) === text && !timestamp.test(text) && !base60.test(text);
}

const timestamp =
  /^\d{4}-\d{1,2}-\d{1,2}(?:[Tt ]\d{1,2}:\d{1,2}:\d{1,2}(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?)?$/;
const base60 = /^[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?$/;

/** True for what is not a plain text in a block: an indicator at its start, a colon before a blank, a number sign after one. */
function hasIndicator(text: string): boolean {
  return /^(?:[#,[\]{}&*!|>'"%@`]|[?:-](?: |$)|---|\.\.\.)/.test(text) || /:(?: |$)| #/.test(text);
}

const widthBest = 80;

function plain(text: string, place: ScalarPlace, folds: boolean): string {
  if (!folds || place.column + text.length <= widthBest) return text;
  return folded(text, text.length, place);
}

function singleQuoted(text: string, place: ScalarPlace, folds: boolean): string {
  const body = text.replaceAll("'", "''");
  if (!folds || place.column + body.length <= widthBest) return `'${body}'`;
  return `'${folded(body, body.length - 1, { ...place, column: place.column + 1 })}'`;
}

/** Breaks lines at single blanks beyond the width. The last one considered is before `end`. */
function folded(text: string, end: number, { indent, column }: ScalarPlace): string {
  const lineEnd = `\n${" ".repeat(indent)}`;
  const characters = [...text];
  const ending = characters.length - (text.length - end);
  let result = "";
  let at = column;
  for (const [index, character] of characters.entries()) {
    const isAlone =
      character === " " && characters[index - 1] !== " " && characters[index + 1] !== " ";
    if (isAlone && at > widthBest && index > 0 && index < ending) {
      result += lineEnd;
      at = indent;
    } else {
      result += character;
      at++;
    }
  }
  return result;
}

function doubleQuoted(text: string, { indent, column }: ScalarPlace, folds: boolean): string {
  const lineEnd = `\n${" ".repeat(indent)}`;
  const characters = [...wellFormed(text)];
  let result = "";
  let at = column + 1;
  let isAfterBlank = false;
  for (const [index, character] of characters.entries()) {
    const isBlank = character === " ";
    const isInside = index > 0 && index < characters.length - 1;
    if (isBlank && folds && !isAfterBlank && at > widthBest && isInside) {
      const needsSlash = characters[index + 1] === " ";
      result += lineEnd + (needsSlash ? "\\" : "");
      at = indent + (needsSlash ? 1 : 0);
    } else {
      const written = escaped(character);
      result += written;
      at += written.length;
    }
    isAfterBlank = isBlank;
  }
  return `"${result}"`;
}

const named: ReadonlyMap<string, string> = new Map([
  ["\0", "\\0"],
  ["\x07", "\\a"],
  ["\b", "\\b"],
  ["\t", "\\t"],
  ["\n", "\\n"],
  ["\v", "\\v"],
  ["\f", "\\f"],
  ["\r", "\\r"],
  ["\x1b", "\\e"],
  ['"', '\\"'],
  ["\\", "\\\\"],
  ["\x85", "\\N"],
  ["\u2028", "\\L"],
  ["\u2029", "\\P"],
]);

function escaped(character: string): string {
  const name = named.get(character);
  if (name !== undefined) return name;
  if (!unprintable.test(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16).toUpperCase();
  if (code < 0x100) return `\\x${hex.padStart(2, "0")}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}

/** The header after `|` gives the indentation if the lines do not show it, and which trailing line ends are kept. */
function block(text: string, indent: number): string {
  const hint = /^[ \n]/.test(text) ? "2" : "";
  const keeps = text === "\n" || text.endsWith("\n\n");
  const chomping = keeps ? "+" : text.endsWith("\n") ? "" : "-";
  const margin = " ".repeat(indent);
  const lines = text.split("\n").map((line) => (line === "" ? "" : margin + line));
  return `|${hint}${chomping}\n${lines.join("\n")}`;
}
