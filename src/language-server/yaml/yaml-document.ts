/** One document of a file: its text, value and problems. All offsets are relative to its start. */
import { isMap, isScalar, type ParsedNode, visit } from "yaml";
import type { Json } from "../../engine/api/json.ts";
import { deepFreeze } from "../../engine/api/json.ts";
import { isServed } from "../../engine/api/meta.ts";
import { splitList } from "./list-items.ts";
import { isRecord } from "./manifest.ts";
import type { Span } from "./place.ts";
import { readSimpleYaml } from "./simple-yaml.ts";
import type { YamlProblem } from "./syntax-problem.ts";
import { documentSizeMax, parseSyntaxTree, type SyntaxTree } from "./syntax-tree.ts";
import { keyName, scalarSource, toValue } from "./to-value.ts";

export interface YamlDocument {
  readonly text: string;
  /** Undefined if the document is empty, broken or a template. */
  readonly value: Json | undefined;
  readonly problems: readonly YamlProblem[];
  /** Offset of the first template expression: some tool will process the document, so it is not read as it is. */
  readonly templateAt?: number;
  /** The line `...` that ends the document, if kubectl drops something after it. */
  readonly unreadBehind?: Span;
  /** True if it has lines that look like apiVersion and kind, even if it cannot be read. */
  readonly claimsKubernetes: boolean;
}

/** For a long List, reuses unchanged items of `before`. */
export function readYamlDocument(text: string, before?: YamlDocument): YamlDocument {
  const claimsKubernetes = hasApiVersion.test(text) && hasKind.test(text);
  const list = readList(text, claimsKubernetes, before);
  if (list !== undefined) return list;
  const simple = variable.test(text) ? undefined : readSimpleYaml(text);
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

/** True if it was read without a syntax tree, so that places can be found without one, too. */
export function isSimple(document: YamlDocument): boolean {
  return simpleDocuments.has(document);
}

const simpleDocuments = new WeakSet<YamlDocument>();

/** An item of a long List that was read by itself. */
export interface ItemDocument {
  /** Offset in the document of the List. */
  readonly start: number;
  readonly yaml: YamlDocument;
}

/** Undefined if the document was read as a whole. */
export function itemsOf(document: YamlDocument): readonly ItemDocument[] | undefined {
  return itemsOfLists.get(document);
}

const itemsOfLists = new WeakMap<YamlDocument, readonly ItemDocument[]>();

/** Undefined if the parts do not determine the whole: if they refer to each other or are templates. */
function readList(
  text: string,
  claimsKubernetes: boolean,
  before: YamlDocument | undefined,
): YamlDocument | undefined {
  const split = text.length > documentSizeMax ? undefined : splitList(text);
  if (split === undefined) return undefined;
  const rest = readYamlDocument(split.rest);
  if (!isAlone(rest) || rest.problems.length > 0 || !isRecord(rest.value)) return undefined;
  if (rest.value["kind"] !== "List" || rest.value["items"] !== null) return undefined;
  const known = new Map((before && itemsOf(before))?.map(({ yaml }) => [yaml.text, yaml] as const));
  const items: ItemDocument[] = [];
  for (const { start, text: own } of split.items) {
    const yaml = known.get(own) ?? readYamlDocument(own);
    const isBroken = yaml.value === undefined && yaml.problems.length > 0;
    if (!isAlone(yaml) || !(isBroken || isRecord(yaml.value))) return undefined;
    items.push({ start, yaml });
  }
  const broken = items.find(({ yaml }) => yaml.value === undefined);
  const document: YamlDocument = {
    text,
    value: broken === undefined ? withItems(rest.value, items) : undefined,
    // What was meant after a mistake is unknown.
    problems: (broken === undefined ? items : [broken]).flatMap(problemsOf),
    claimsKubernetes,
  };
  itemsOfLists.set(document, items);
  return document;
}

function withItems(rest: Readonly<Record<string, unknown>>, items: readonly ItemDocument[]): Json {
  const values = Object.freeze(items.map(({ yaml }) => yaml.value));
  return Object.freeze({ ...rest, items: values }) as Json;
}

/** The item's problems at their offsets in the List. */
function problemsOf({ start: by, yaml }: ItemDocument): readonly YamlProblem[] {
  return yaml.problems.map(({ start, end, ...rest }) => ({
    ...rest,
    start: by + start,
    end: by + end,
  }));
}

/** True if nothing in it depends on other parts of the List. */
function isAlone(document: YamlDocument): boolean {
  const { text, templateAt, unreadBehind } = document;
  if (templateAt !== undefined || unreadBehind !== undefined) return false;
  return isSimple(document) || !anchorOrAlias.test(text);
}

const anchorOrAlias = /(?:^|[\s,[{])[&*][^\s,\]}]/;

function readAnyDocument(text: string, claimsKubernetes: boolean): YamlDocument {
  const tree = parseSyntaxTree(text);
  const templateAt = templateOffset(text, tree);
  if (templateAt !== undefined) {
    const isManifest = claimsKubernetes && isOutermost(text);
    return { text, value: undefined, problems: [], templateAt, claimsKubernetes: isManifest };
  }
  const { value, problems } = toValue(tree.root);
  // What is read after a mistake is not what was meant.
  const all = tree.problems.length > 0 ? tree.problems : problems;
  const broken = all.some((problem) => problem.code !== "yaml-duplicate-key");
  const document: YamlDocument = {
    text,
    value: broken ? undefined : deepFreeze(value),
    problems: all,
    claimsKubernetes,
    ...(tree.unreadBehind !== undefined && { unreadBehind: tree.unreadBehind }),
  };
  // The rules will ask for places next.
  remember(document, tree);
  return document;
}

export function hasSyntaxTree(document: YamlDocument): boolean {
  return recentTrees.has(document);
}

/** The tree of a document, for looking up places. */
export function syntaxTreeOf(document: YamlDocument): SyntaxTree {
  const tree = recentTrees.get(document) ?? parseSyntaxTree(document.text);
  remember(document, tree);
  return tree;
}

/** Drops the tree that was requested longest ago, so that a frequently requested one stays. */
function remember(document: YamlDocument, tree: SyntaxTree): void {
  recentTrees.delete(document);
  recentTrees.set(document, tree);
  if (recentTrees.size <= recentTreeCountMax) return;
  const [oldest] = recentTrees.keys();
  if (oldest !== undefined) recentTrees.delete(oldest);
}

// Trees take fifty times the memory of their text, and most documents are never asked for a place.
const recentTreeCountMax = 32;
/** In the order of the last request. */
const recentTrees = new Map<YamlDocument, SyntaxTree>();

const hasApiVersion = /^[ \t{"']*apiVersion["']?\s*:/m;
const hasKind = /^[ \t{"'-]*kind["']?\s*:|"kind"\s*:/m;

/**
 * True if no key is further left than apiVersion. Otherwise apiVersion belongs to what an Ansible task or a GitHub workflow
 * script passes on, and the file itself is not a manifest.
 */
function isOutermost(text: string): boolean {
  return leastIndent(text, apiVersionLine) <= leastIndent(text, keyLine);
}

/** Infinite if no line matches. */
function leastIndent(text: string, line: RegExp): number {
  let least = Number.POSITIVE_INFINITY;
  for (const [, indent = ""] of text.matchAll(line)) least = Math.min(least, indent.length);
  return least;
}

const apiVersionLine = /^( *)(?:[{\t"'][{ \t"']*)?apiVersion\b/gm;
const keyLine = /^( *)(?:- +)*["']?[\w./-]+["']?\s*:/gm;

/**
 * Keys under which `{{ }}` is for another program or does not matter here: a vault agent, an alert rule, local-path's folders,
 * the release name of a chart in a kustomization.
 */
const foreignTemplates: ReadonlySet<string> = new Set([
  "annotations",
  "args",
  "command",
  "data",
  "stringData",
  "env",
  "image",
  "nameTemplate",
  "pathPattern",
]);

/**
 * Offset of the first template expression of Helm or Jinja, or of the first variable for envsubst, Flux or a pipeline.
 * Expressions in comments, block text and texts for other programs do not count if the document can be read with them.
 */
function templateOffset(text: string, tree: SyntaxTree): number | undefined {
  const { apiVersion, kind } = kindIn(text);
  const hasVariables = variable.test(text) && isServed(apiVersion, kind);
  if (!hasVariables && text.search(expression) < 0) return undefined;
  const [problem] = tree.problems;
  if (problem !== undefined)
    return problem.code === "yaml-syntax"
      ? expressionNear(text, problem.start, hasVariables)
      : undefined;
  if (tree.root === null) return undefined;
  const isForeign = isForeignKind(apiVersion, kind);
  let found: number | undefined;
  visit(tree.root, {
    Pair(_, pair) {
      const name = keyName(pair.key);
      // A Secret's data is base64, so other programs cannot have expressions in it.
      if (name === "data" && kind === "Secret") return undefined;
      return name !== undefined && foreignTemplates.has(name) ? visit.SKIP : undefined;
    },
    Node(_, node) {
      if (!isExpression(node as ParsedNode, text, hasVariables, isForeign)) return undefined;
      found = (node as ParsedNode).range[0];
      return visit.BREAK;
    },
  });
  return found;
}

const expression = /\{\{|\{%/;

/** `${NAME}`, `${NAME:-other}`; variables of drivers and other kinds, such as `${pvc.name}`, contain dots. */
const inBraces = /\$\{[A-Za-z_]\w*(?:\}|:?[-=?+])/;

/** Cannot begin a value without quotes: `@NAME@`, `%NAME%`, `%(name)s`. */
const unreadable = /@[A-Z][A-Z\d_]+@|%[A-Z][A-Z\d_]+%|%\(\w+\)s/;

/** Expressions of other tools: `[[ .Name ]]`, `((name))`, `<%= name %>`, `#{name}`, `__NAME__`. */
const ofOthers =
  /\[\[ *[.A-Za-z_][^\][\n]*\]\]|\(\([A-Za-z_][\w.-]*\)\)|<%[^%\n]+%>|#\{[\w.]+\}|\b__[A-Z][A-Z\d]*(?:_[A-Z\d]+)*__/;

/** All of these, and `$NAME` in capitals, which to YAML is plain text. */
const variable = new RegExp(
  `${inBraces.source}|\\$[A-Z][A-Z\\d_]+\\b|${unreadable.source}|${ofOthers.source}`,
);
const besideMistake = new RegExp(`${inBraces.source}|${unreadable.source}`);

/** Read from single lines; each "" if not found. */
function kindIn(text: string): { readonly apiVersion: string; readonly kind: string } {
  const [, apiVersion = ""] = /^apiVersion: *["']?([\w./-]+)/m.exec(text) ?? [];
  const [, kind = ""] = /^kind: *["']?(\w+)/m.exec(text) ?? [];
  return { apiVersion, kind };
}

/** Such kinds may use braces for themselves: an ApplicationSet, a Workflow, a policy. A List is what its items are. */
function isForeignKind(apiVersion: string, kind: string): boolean {
  return apiVersion !== "" && kind !== "" && !kind.endsWith("List") && !isServed(apiVersion, kind);
}

/**
 * An unreadable document is a template only if an expression makes it unreadable: one on the line of the mistake or the line
 * before. Otherwise it is a mistake like any other, whatever braces it contains elsewhere.
 */
function expressionNear(text: string, offset: number, hasVariables: boolean): number | undefined {
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1;
  const from = text.lastIndexOf("\n", lineStart - 2) + 1;
  const lineEnd = text.indexOf("\n", offset);
  const lines = text.slice(from, lineEnd < 0 ? text.length : lineEnd);
  const expressions = [lines.search(expression), hasVariables ? lines.search(besideMistake) : -1];
  const [at] = expressions.filter((found) => found >= 0);
  return at === undefined ? undefined : from + at;
}

function isExpression(
  node: ParsedNode,
  text: string,
  hasVariables: boolean,
  isForeign: boolean,
): boolean {
  if (isMap(node)) return node.flow === true && text.startsWith("{{", node.range[0]);
  if (isForeign || !isScalar(node) || node.type?.startsWith("BLOCK") === true) return false;
  const source = scalarSource(node);
  return source.includes("{{") || (hasVariables && variable.test(source));
}
