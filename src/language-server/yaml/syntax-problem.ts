/** What keeps a document from being read: one mistake, at the place to change and in plain words. */
import { type Document, isScalar, visit } from "yaml";
import type { RefusedInFlow } from "./flow-scalars.ts";
import { isJsonObject } from "./json-text.ts";
import { escapeOfJson } from "./quoted-escapes.ts";
import { refusedTab } from "./tab-problem.ts";

export interface YamlProblem {
  readonly code: "yaml-syntax" | "yaml-duplicate-key" | "yaml-limit";
  readonly message: string;
  /** Offsets in the document. */
  readonly start: number;
  readonly end: number;
}

/** One mistake makes the parser stumble over everything after it, so only the first problem is reported. */
export function syntaxProblem(
  document: Document.Parsed,
  text: string,
  refusedInFlow: readonly RefusedInFlow[],
): YamlProblem | undefined {
  const errors = document.errors.filter(({ message }) => message !== commentAtOnce);
  const [first] = errors;
  const refused = [
    refusedCharacter(text),
    refusedEscape(document, text),
    ...refusedInFlow.map(({ reason, start, end }) => problem(flowMessages[reason], start, end)),
  ].reduce(earlier, undefined);
  if (refused !== undefined && refused.start <= (first?.pos[0] ?? text.length)) return refused;
  if (first === undefined) return undefined;
  return (
    mergeMarkerIn(text) ??
    indentedSeparator(text, first.pos[0]) ??
    missingComma(errors, text) ??
    indentedOtherwise(first, text) ??
    unclosedQuote(first, document, text) ??
    asItStands(first, text)
  );
}

function earlier(
  one: YamlProblem | undefined,
  other: YamlProblem | undefined,
): YamlProblem | undefined {
  return one === undefined || (other !== undefined && other.start < one.start) ? other : one;
}

type ParseError = Document.Parsed["errors"][number];

/**
 * Kubectl's reader does not require a blank before a comment after a quote, bracket or comma. Upstream:
 * yaml_parser_scan_to_next_token.
 */
const commentAtOnce = "Comments must be separated from other tokens by white space characters";

function problem(message: string, start: number, end: number): YamlProblem {
  return { code: "yaml-syntax", message, start, end };
}

/**
 * The first character that kubectl's reader accepts nowhere, or not at its place. Its JSON reader accepts everything that JSON
 * does.
 */
function refusedCharacter(text: string): YamlProblem | undefined {
  if (isJsonObject(text)) return undefined;
  const control = text.search(controlCharacter);
  const tab = refusedTab(text);
  if (tab !== undefined && (control < 0 || tab < control)) return problem(tabMessage, tab, tab + 1);
  if (control < 0) return undefined;
  const code = text.charCodeAt(control).toString(16).toUpperCase().padStart(4, "0");
  return problem(
    `kubectl takes no control characters, and here is one: U+${code}`,
    control,
    control + 1,
  );
}

function refusedEscape(document: Document.Parsed, text: string): YamlProblem | undefined {
  const found = escapeOfJson(document, text);
  if (found === undefined) return undefined;
  const instead = text[found.start + 1] === "/" ? "leave out the backslash" : "write the character";
  return problem(`kubectl knows this escape in JSON only: ${instead}`, found.start, found.end);
}

const flowMessages: Readonly<Record<RefusedInFlow["reason"], string>> = {
  "first-colon": "kubectl takes no text here that begins with a colon: it needs quotes",
  colon: "A blank is missing behind this colon: kubectl reads no key here",
  tag: "A blank is missing behind this tag: kubectl does not end it here",
  "question-mark": "kubectl ends this text at its question mark: it needs quotes",
};

const tabMessage =
  "kubectl takes no tab here: it reads it as indentation, even in a blank line and before a comment";

/**
 * `notText`, which stands for bytes that are not valid text, is allowed. Upstream: go.yaml.in/yaml v2.4 readerc.go,
 * yaml_parser_update_buffer.
 */
const controlCharacter = /[^\t\n\r\x20-\x7e\x85\xa0-\ufffd\uffff]/;

/** A conflict marker that git leaves when both sides have changed the same lines. */
function mergeMarkerIn(text: string): YamlProblem | undefined {
  const marker = /^(?:<{7} [^\r\n]*|={7}|>{7} [^\r\n]*)(?=\r?$)/m.exec(text);
  return marker === null
    ? undefined
    : problem(mergeMessage, marker.index, marker.index + marker[0].length);
}

const mergeMessage =
  "A merge is not finished here: keep one side, or both, and remove the lines that begin with <<<<<<<, ======= and >>>>>>>";

/** A `---` that would separate documents if no indentation or invisible character were before it. */
function indentedSeparator(text: string, offset: number): YamlProblem | undefined {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const [indent] = /^[ \t\ufeff]+(?=---[ \t\r]*(?:\n|$))/.exec(text.slice(start)) ?? [];
  if (indent === undefined) return undefined;
  const at = start + indent.length;
  const why = indent.includes("\ufeff")
    ? "a byte order mark, which cannot be seen, stands before this one"
    : "this one is indented";
  return problem(`--- divides documents only where it begins its line; ${why}`, at, at + 3);
}

/** Within braces, a missing comma makes what follows look like a block mapping. */
function missingComma(errors: readonly ParseError[], text: string): YamlProblem | undefined {
  const [first] = errors;
  const isInBraces = errors.some(({ message }) => message === inFlow);
  if (first === undefined || !isInBraces || text[first.pos[0]] === "-") return undefined;
  const known = [inFlow, keyIsValue, keyOfLines].includes(first.message);
  return known
    ? problem("A comma is missing here, or the value needs quotes", ...firstLineOf(first, text))
    : undefined;
}

const inFlow = "Block collections are not allowed within flow collections";
const keyIsValue = "Nested mappings are not allowed in compact mappings";
const keyOfLines = "Implicit keys need to be on a single line";

/** A key or item that is not indented like the ones above. */
function indentedOtherwise({ message, pos }: ParseError, text: string): YamlProblem | undefined {
  const stranger = strangers.get(message);
  if (stranger !== undefined)
    return atFirstWord(`${stranger} is not indented as those above`, pos[0], text);
  const lineEnd = text.indexOf("\n", pos[0]);
  const isOneLine = lineEnd < 0 || /:(?:\s|$)/.test(text.slice(pos[0], lineEnd));
  if (message !== keyIsValue || isOneLine) return undefined;
  return atFirstWord(
    "This key is indented further than the one above, which has its value already",
    lineEnd,
    text,
  );
}

const strangers: ReadonlyMap<string, string> = new Map([
  ["All mapping items must start at the same column", "This key"],
  ["A block sequence may not be used as an implicit map key", "This item"],
]);

/** Places the problem at the first word after blanks and comments. */
function atFirstWord(message: string, from: number, text: string): YamlProblem {
  blanks.lastIndex = from;
  const start = from + (blanks.exec(text)?.[0].length ?? 0);
  const [word = ""] = /^[^\s:]*/.exec(text.slice(start)) ?? [];
  return problem(message, start, Math.min(text.length, start + Math.max(1, word.length)));
}

const blanks = /(?:\s+|#[^\n]*)*/y;

/** The parser reports a missing quote at the end of the document, but the mistake is where the quote began. */
function unclosedQuote(
  { message, pos }: ParseError,
  document: Document.Parsed,
  text: string,
): YamlProblem | undefined {
  if (!message.startsWith("Missing closing ")) return undefined;
  let start: number | undefined;
  visit(document.contents, {
    Node(_, node) {
      if (!isScalar(node) || node.type?.startsWith("QUOTE") !== true) return undefined;
      if (node.range?.[1] !== pos[0]) return undefined;
      start = node.range[0];
      return visit.BREAK;
    },
  });
  return start === undefined
    ? undefined
    : problem("This quote is not closed", start, endOfLine(text, start));
}

/** A problem at the end is placed at the last character written, not in the blanks after it. */
function asItStands({ message, pos }: ParseError, text: string): YamlProblem {
  const last = text.trimEnd().length;
  const start = Math.max(0, Math.min(pos[0], last - 1));
  const end = Math.min(Math.max(pos[1], start + 1), Math.max(last, start));
  return problem(inPlainWords(message), start, end);
}

function firstLineOf({ pos }: ParseError, text: string): readonly [number, number] {
  return [pos[0], Math.min(Math.max(pos[1], pos[0] + 1), endOfLine(text, pos[0]))];
}

function endOfLine(text: string, from: number): number {
  const end = text.slice(from).search(/\r?$/m);
  return from + end;
}

/** Rephrases the parser's messages, which use the specification's terms. */
function inPlainWords(message: string): string {
  const known = plainWords.get(message);
  if (known !== undefined) return known;
  const [, kind, closing] = /^Flow (map|sequence) .*must .*end with a (.)$/.exec(message) ?? [];
  if (kind !== undefined) return `A ${closing} is missing for a ${kind === "map" ? "{" : "["}`;
  const [, character] = /^Plain value cannot start with .* character (.)$/.exec(message) ?? [];
  if (character !== undefined) return `A value that begins with ${character} needs quotes`;
  const [, closes] = /^Unexpected flow-(?:map|seq)-end token .*"(.)"$/.exec(message) ?? [];
  return closes === undefined ? message : `This ${closes} closes nothing`;
}

const plainWords: ReadonlyMap<string, string> = new Map([
  [
    keyIsValue,
    "A value cannot be a key as well: quote it, or put what it holds on lines of its own",
  ],
  [keyOfLines, "A key ends with a colon and a blank in its own line; one of them is missing here"],
  [
    "Implicit map keys need to be followed by map values",
    "A key is followed by a colon and a blank; one of them is missing here",
  ],
  [
    "Unexpected block-seq-ind on same line with key",
    "A list does not begin in the line of its key: put it on lines of its own",
  ],
  [
    "Unexpected scalar at node end",
    "The value before this has ended: a quote or a comma is missing, or this line is not indented as those above",
  ],
  [
    "Missing directives-end indicator line",
    "kubectl divides the file at ---, which leaves this directive without a document: leave it out",
  ],
]);
