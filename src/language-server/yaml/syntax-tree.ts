/** Parses the text of one document into a tree of nodes with offsets. Scalars get their meaning in to-value.ts. */
import {
  Composer,
  type CST,
  type DocumentOptions,
  Lexer,
  type ParsedNode,
  type ParseOptions,
  Parser,
  type SchemaOptions,
} from "yaml";
import { readFlowScalars } from "./flow-scalars.ts";
import { isJsonObject } from "./json-text.ts";
import { KubectlLexer } from "./kubectl-lexer.ts";
import { problemOfSeparators, withLineFeeds } from "./line-ends.ts";
import type { Span } from "./place.ts";
import { readEscapedApostrophes } from "./quoted-escapes.ts";
import { syntaxProblem, type YamlProblem } from "./syntax-problem.ts";

export interface SyntaxTree {
  /** Null for a document without content. */
  readonly root: ParsedNode | null;
  readonly problems: readonly YamlProblem[];
  /** The line `...` that ends the document, if kubectl drops something after it. */
  readonly unreadBehind?: Span;
}

/** The API server's own limit on a request, with room for comments. */
export const documentSizeMax: number = 4 * 1024 * 1024;
const depthMax = 200;
/** The parser recurses when it closes everything that is open; each level also has its value open. */
const openMax = 2 * depthMax + 10;

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
  const limit = tooLarge(text);
  if (limit !== undefined) return { root: null, problems: [limit] };
  if (isJsonObject(text)) return treeOfLines(text);
  const lines = withLineFeeds(text);
  const tree = treeOfLines(lines);
  if (tree.problems.length > 0) return tree;
  const problem = problemOfSeparators(
    lines,
    (other) => treeOf(other, new KubectlLexer()).problems[0],
  );
  return problem === undefined ? tree : { ...tree, problems: [problem] };
}

function treeOfLines(text: string): SyntaxTree {
  const tree = treeOf(text, new Lexer());
  if (!tree.problems.some(({ code }) => code === "yaml-syntax")) return tree;
  // A missing bracket or quote is reported by YAML's own indentation rules, which end it where it was meant to end.
  const asKubectl = treeOf(text, new KubectlLexer());
  return asKubectl.problems.length === 0 ? asKubectl : tree;
}

function treeOf(text: string, lexer: { lex(source: string): Iterable<string> }): SyntaxTree {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  for (const lexeme of lexer.lex(text)) {
    tokens.push(...parser.next(lexeme));
    if (parser.stack.length > openMax)
      return { root: null, problems: [limited(depthMessage, parser.offset - 1)] };
  }
  tokens.push(...parser.end());
  const deep = tooDeep(nestedIn(tokens));
  if (deep !== undefined) return { root: null, problems: [deep] };
  const refused = readFlowScalars(nestedIn(tokens), text);
  // Upstream: go.yaml.in/yaml v2.4 yaml.go, Unmarshal, which decodes the first document that it finds.
  const [first, ...others] = [...new Composer(options).compose(tokens, true, text.length)];
  if (first === undefined) return { root: null, problems: [] };
  readEscapedApostrophes(first, text);
  const problem = syntaxProblem(first, text, refused);
  const end = tokens.find(({ type }) => type === "doc-end");
  const isMore = others.some(({ contents, errors }) => contents !== null || errors.length > 0);
  return {
    root: first.contents,
    problems: problem === undefined ? [] : [problem],
    ...(end !== undefined && isMore && { unreadBehind: dotsAt(offsetOf(end)) }),
  };
}

function dotsAt(start: number): Span {
  return { start, end: start + 3 };
}

function tooLarge(text: string): YamlProblem | undefined {
  if (text.length <= documentSizeMax) return undefined;
  const mebibytes = documentSizeMax / 1024 / 1024;
  return limited(`This document is larger than ${mebibytes} MiB and is not read`, 0);
}

const depthMessage = `This document nests more than ${depthMax} levels deep and is not read`;

function limited(message: string, at: number): YamlProblem {
  return { code: "yaml-limit", message, start: at, end: at + 1 };
}

/** Measures the depth first, because the composer recurses. */
function tooDeep(nested: Iterable<Nested>): YamlProblem | undefined {
  for (const { token, depth } of nested) {
    if (depth > depthMax)
      return limited(depthMessage, token.type === "document" ? token.offset : offsetOf(token));
  }
  return undefined;
}

interface Nested {
  readonly token: CST.Token;
  readonly depth: number;
}

function* nestedIn(tokens: readonly CST.Token[]): Generator<Nested> {
  const stack: Nested[] = tokens.map((token) => ({ token, depth: 0 }));
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    yield next;
    const { token } = next;
    const depth = next.depth + 1;
    if ("value" in token && typeof token.value === "object" && token.value !== null)
      stack.push({ token: token.value, depth });
    if (!("items" in token)) continue;
    for (const { key, value } of token.items) {
      if (key) stack.push({ token: key, depth });
      if (value) stack.push({ token: value, depth });
    }
  }
}

function offsetOf(token: CST.Token): number {
  return "offset" in token && typeof token.offset === "number" ? token.offset : 0;
}
