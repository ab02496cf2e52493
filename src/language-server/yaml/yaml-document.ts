/** One document of a file: its text, its value and what is wrong with it. Everything in it is relative to its own start. */
import { isMap, isScalar, type ParsedNode, visit } from "yaml";
import type { Json } from "../../engine/api/json.ts";
import { deepFreeze } from "../../engine/api/json.ts";
import { readSimpleYaml } from "./simple-yaml.ts";
import { parseSyntaxTree, type SyntaxTree, type YamlProblem } from "./syntax-tree.ts";
import { keyName, scalarSource, toValue } from "./to-value.ts";

export interface YamlDocument {
  readonly text: string;
  /** Undefined where the document is empty, broken or a template. */
  readonly value: Json | undefined;
  readonly problems: readonly YamlProblem[];
  /** Offset of the first template expression: the document is made by a tool and not read as it stands. */
  readonly templateAt?: number;
  /** Whether its first lines claim to be a Kubernetes object, readable or not. */
  readonly claimsKubernetes: boolean;
}

export function readYamlDocument(text: string): YamlDocument {
  const claimsKubernetes = hasApiVersion.test(text) && hasKind.test(text);
  const simple = readSimpleYaml(text);
  if (simple === undefined) return readAnyDocument(text, claimsKubernetes);
  const document: YamlDocument = {
    text,
    value: deepFreeze(simple),
    problems: [],
    claimsKubernetes,
  };
  simpleDocuments.add(document);
  return document;
}

/** Whether it was read without a syntax tree, so that places can be found without one. */
export function isSimple(document: YamlDocument): boolean {
  return simpleDocuments.has(document);
}

const simpleDocuments = new WeakSet<YamlDocument>();

function readAnyDocument(text: string, claimsKubernetes: boolean): YamlDocument {
  const tree = parseSyntaxTree(text);
  const templateAt = templateOffset(text, tree);
  if (templateAt !== undefined) {
    return { text, value: undefined, problems: [], templateAt, claimsKubernetes };
  }
  const { value, problems } = toValue(tree.root);
  const all = [...tree.problems, ...problems];
  const broken = all.some((problem) => problem.code !== "yaml-duplicate-key");
  const document: YamlDocument = {
    text,
    value: broken ? undefined : deepFreeze(value),
    problems: all,
    claimsKubernetes,
  };
  // The rules ask for places next.
  remember(document, tree);
  return document;
}

export function hasSyntaxTree(document: YamlDocument): boolean {
  return recentTrees.has(document);
}

/** The tree of a document, for looking up places. */
export function syntaxTreeOf(document: YamlDocument): SyntaxTree {
  const known = recentTrees.get(document);
  if (known !== undefined) return known;
  const tree = parseSyntaxTree(document.text);
  remember(document, tree);
  return tree;
}

function remember(document: YamlDocument, tree: SyntaxTree): void {
  recentTrees.set(document, tree);
  recent.push(document);
  const oldest = recent.length > recentTreeCountMax ? recent.shift() : undefined;
  if (oldest !== undefined) recentTrees.delete(oldest);
}

// Trees take fifty times the memory of their text, and most documents are never asked for a place.
const recentTreeCountMax = 32;
const recentTrees = new WeakMap<YamlDocument, SyntaxTree>();
const recent: YamlDocument[] = [];

const hasApiVersion = /^[\s{"']*apiVersion["']?\s*:/m;
const hasKind = /^[\s{"'-]*kind["']?\s*:|"kind"\s*:/m;

/** Keys under which `{{ }}` is a value for another program: a vault agent, an alert rule, a workflow. */
const foreignTemplates: ReadonlySet<string> = new Set([
  "annotations",
  "args",
  "command",
  "data",
  "stringData",
  "env",
]);

/**
 * Where the first template expression of Helm or Jinja stands. Braces in comments, in block text and in text meant for
 * other programs do not count as long as the document can be read with them.
 */
function templateOffset(text: string, tree: SyntaxTree): number | undefined {
  const first = text.search(expression);
  if (first < 0) return undefined;
  const [problem] = tree.problems;
  if (problem !== undefined)
    return problem.code === "yaml-syntax" ? expressionNear(text, problem.start) : undefined;
  if (tree.root === null) return undefined;
  let found: number | undefined;
  visit(tree.root, {
    Pair(_, pair) {
      const name = keyName(pair.key);
      return name !== undefined && foreignTemplates.has(name) ? visit.SKIP : undefined;
    },
    Node(_, node) {
      if (!isExpression(node as ParsedNode, text)) return undefined;
      found = (node as ParsedNode).range[0];
      return visit.BREAK;
    },
  });
  return found;
}

const expression = /\{\{|\{%/;

/**
 * A document that cannot be read is a template only if an expression is what makes it unreadable: one in the line of the
 * mistake or the line before. Anything else is a mistake like any other, braces elsewhere or not.
 */
function expressionNear(text: string, offset: number): number | undefined {
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1;
  const from = text.lastIndexOf("\n", lineStart - 2) + 1;
  const lineEnd = text.indexOf("\n", offset);
  const lines = text.slice(from, lineEnd < 0 ? text.length : lineEnd);
  const at = lines.search(expression);
  return at < 0 ? undefined : from + at;
}

function isExpression(node: ParsedNode, text: string): boolean {
  if (isMap(node)) return node.flow === true && text.startsWith("{{", node.range[0]);
  return isScalar(node) && !node.type?.startsWith("BLOCK") && scalarSource(node).includes("{{");
}
