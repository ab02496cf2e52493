/** Text of one document to a tree of nodes with offsets. Nothing here gives a meaning to scalars; see to-value.ts. */
import {
  Composer,
  type CST,
  type Document,
  type DocumentOptions,
  type ParsedNode,
  type ParseOptions,
  Parser,
  type SchemaOptions,
} from "yaml";
import { refusedTab } from "./tab-problem.ts";

export interface YamlProblem {
  readonly code: "yaml-syntax" | "yaml-duplicate-key" | "yaml-limit";
  readonly message: string;
  /** Offsets in the document. */
  readonly start: number;
  readonly end: number;
}

export interface SyntaxTree {
  /** Null for a document without content. */
  readonly root: ParsedNode | null;
  readonly problems: readonly YamlProblem[];
}

/** As the API server's own limit on a request, with room for comments. */
const documentSizeMax: number = 4 * 1024 * 1024;
export const depthMax = 200;

const options: ParseOptions & DocumentOptions & SchemaOptions = {
  // Scalars stay text: kubernetes-scalar.ts reads them as kubectl does.
  schema: "failsafe",
  version: "1.1",
  uniqueKeys: false,
  logLevel: "silent",
  prettyErrors: false,
  stringKeys: false,
};

export function parseSyntaxTree(text: string): SyntaxTree {
  const limit = limitProblem(text);
  if (limit !== undefined) return { root: null, problems: [limit] };
  const tokens = [...new Parser().parse(text)];
  const deep = tooDeep(tokens);
  if (deep !== undefined) return { root: null, problems: [deep] };
  // A line of three dots ends a document; kubectl reads what stands before it and drops the rest.
  const [first] = [...new Composer(options).compose(tokens, true, text.length)];
  if (first === undefined) return { root: null, problems: [] };
  return { root: first.contents, problems: problemsOf(first, text) };
}

function problemsOf(document: Document.Parsed, text: string): readonly YamlProblem[] {
  // One mistake makes the parser stumble over everything behind it; the first place is the one to look at.
  const [first] = document.errors;
  const tab = refusedTab(text);
  if (tab !== undefined && tab <= (first?.pos[0] ?? text.length))
    return [{ code: "yaml-syntax", message: tabMessage, start: tab, end: tab + 1 }];
  if (first === undefined) return [];
  const marker = mergeMarker.exec(text);
  if (marker !== null) {
    const { index, 0: line } = marker;
    return [{ code: "yaml-syntax", message: mergeMessage, start: index, end: index + line.length }];
  }
  const separator = indentedSeparator(text, first.pos[0]);
  if (separator !== undefined) return [separator];
  // What is missing at the end is missed behind the last thing written, not in the blank after it.
  const last = text.trimEnd().length;
  const start = Math.max(0, Math.min(first.pos[0], last - 1));
  const end = Math.min(Math.max(first.pos[1], start + 1), Math.max(last, start));
  const message = plainWords.get(first.message) ?? first.message;
  return [{ code: "yaml-syntax", message, start, end }];
}

const tabMessage =
  "kubectl takes no tab here: it reads it as indentation, even in a blank line and before a comment";

/** What the parser says in the words of YAML's specification. */
const plainWords: ReadonlyMap<string, string> = new Map([
  [
    "Nested mappings are not allowed in compact mappings",
    "A value cannot be a key as well: quote it, or put what it holds on lines of its own",
  ],
  [
    "Implicit keys need to be on a single line",
    "A key ends with a colon and a blank in its own line; one of them is missing here",
  ],
  [
    "Implicit map keys need to be followed by map values",
    "A key is followed by a colon and a blank; one of them is missing here",
  ],
]);

/** Where the line of a mistake would divide documents if it were not indented. */
function indentedSeparator(text: string, offset: number): YamlProblem | undefined {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const indent = /^[ \t]+(?=---[ \t\r]*(?:\n|$))/.exec(text.slice(start));
  if (indent === null) return undefined;
  const at = start + indent[0].length;
  return { code: "yaml-syntax", message: separatorMessage, start: at, end: at + 3 };
}

const separatorMessage =
  "--- divides documents only where it begins its line; this one is indented";

/** A line that git leaves where two sides have changed the same. */
const mergeMarker = /^(?:<{7} [^\r\n]*|={7}|>{7} [^\r\n]*)(?=\r?$)/m;
const mergeMessage =
  "A merge is not finished here: keep one side, or both, and remove the lines that begin with <<<<<<<, ======= and >>>>>>>";

/** Refuses what would cost too much before the parser sees it. */
function limitProblem(text: string): YamlProblem | undefined {
  const size = text.length;
  if (size > documentSizeMax) {
    return limited(
      `This document is larger than ${documentSizeMax / 1024 / 1024} MiB and is not read`,
      0,
    );
  }
  const compact = /^ *(?:[-?:][ \t]+){200}/m.exec(text);
  if (compact !== null) return limited(depthMessage, compact.index);
  const brackets = unclosedBrackets(text);
  return brackets === undefined ? undefined : limited(depthMessage, brackets);
}

const depthMessage = `This document nests more than ${depthMax} levels deep and is not read`;

function limited(message: string, at: number): YamlProblem {
  return { code: "yaml-limit", message, start: at, end: at + 1 };
}

/** Brackets in text and comments count too, so the bound lies far above what any manifest has. */
function unclosedBrackets(text: string): number | undefined {
  let open = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 0x5b || c === 0x7b) open++;
    else if ((c === 0x5d || c === 0x7d) && open > 0) open--;
    if (open > 5000) return i;
  }
  return undefined;
}

/** The composer recurses, the parser does not: depth is measured between the two. */
function tooDeep(tokens: readonly CST.Token[]): YamlProblem | undefined {
  const stack: { readonly token: CST.Token; readonly depth: number }[] = [];
  for (const token of tokens) stack.push({ token, depth: 0 });
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { token, depth } = next;
    if (depth > depthMax)
      return limited(depthMessage, token.type === "document" ? token.offset : offsetOf(token));
    if ("value" in token && typeof token.value === "object" && token.value !== null) {
      stack.push({ token: token.value, depth: depth + 1 });
    }
    if (!("items" in token)) continue;
    for (const item of token.items) {
      if (item.key) stack.push({ token: item.key, depth: depth + 1 });
      if (item.value) stack.push({ token: item.value, depth: depth + 1 });
    }
  }
  return undefined;
}

function offsetOf(token: CST.Token): number {
  return "offset" in token && typeof token.offset === "number" ? token.offset : 0;
}
