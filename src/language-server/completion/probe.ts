/**
 * Where in an object the cursor is while its text is half written: the word at the cursor is replaced by a mark, the
 * document is read again, and the mark is looked for.
 */
import { isMap, isScalar, isSeq, type ParsedNode } from "yaml";
import { kindSchema } from "../../engine/api/meta.ts";
import { isRecord, type ManifestObject, objectsOf } from "../yaml/manifest.ts";
import type { Path, Span } from "../yaml/place.ts";
import { readSimpleYaml } from "../yaml/simple-yaml.ts";
import { parseSyntaxTree } from "../yaml/syntax-tree.ts";
import { keyName, scalarSource, toValue } from "../yaml/to-value.ts";
import { mark, placeOfMark, type WordPlace, wordAt } from "../yaml/word-place.ts";

export interface Probe {
  /** The word that a completion replaces; offsets are the document's. */
  readonly word: Span;
  /** The word stands in quotes, which stay. */
  readonly isQuoted: boolean;
  /** A colon follows already. */
  readonly hasColon: boolean;
  /** Of the mark, from the document's root. */
  readonly path: Path;
  readonly part: "key" | "value";
  /** The document with the mark in it. */
  readonly value: unknown;
  /** The object that holds the mark, if the document is one so far. */
  readonly object?: ManifestObject;
}

/** The readings of the cursor's place that make sense, the likelier first; none inside comments. */
export function* probe(text: string, offset: number): Iterable<Probe> {
  const word = wordAt(text, offset);
  const lineStart = text.lastIndexOf("\n", word.start - 1) + 1;
  const before = text.slice(lineStart, word.start);
  if (/(?:^|\s)#/.test(before)) return;
  const isValue = /:\s+(?:\S.*)?$/.test(before) || /[[,]\s*$/.test(before);
  // A key that is complete already has its colon.
  const isKeyNow = /^\s*:/.test(text.slice(word.end));
  const suffixes = isValue ? ["", ": "] : [": ", ""];
  for (const suffix of isKeyNow ? [""] : suffixes) {
    const found = probeWith(text, word, suffix);
    if (found !== undefined) yield found;
  }
}

function probeWith(text: string, word: Span, suffix: string): Probe | undefined {
  const rest = text.slice(word.end);
  const marked = text.slice(0, word.start) + mark + suffix + rest;
  const { value, found } = readMarked(marked);
  if (found === undefined) return undefined;
  const object = objectsIn(value).find(({ path }) =>
    path.every((segment, i) => segment === found.path[i]),
  );
  const isQuoted = /["']$/.test(text.slice(0, word.start));
  const hasColon = /^["']?\s*:/.test(rest);
  return { word, isQuoted, hasColon, ...found, value, ...(object !== undefined && { object }) };
}

/** Of a document that does not say yet in which version its kind is, the object that it will be. */
function objectsIn(value: unknown): readonly ManifestObject[] {
  const { objects } = objectsOf(value);
  if (objects.length > 0 || !isRecord(value)) return objects;
  const { kind } = value;
  const schema = typeof kind === "string" ? kindSchema(kind) : undefined;
  const apiVersion = value["apiVersion"] ?? schema?.apiVersion;
  const whole = objectsOf({ ...value, apiVersion });
  return whole.objects.map((object) => ({ ...object, value }));
}

/** Most documents need no tree for that, which would take ten times as long. */
function readMarked(text: string): {
  readonly value: unknown;
  readonly found: WordPlace | undefined;
} {
  const simple = readSimpleYaml(text);
  if (simple !== undefined) return { value: simple, found: placeOfMark(simple) };
  const { root } = parseSyntaxTree(text);
  const found = find(root, []);
  const value = found === undefined ? undefined : toValue(root).value;
  // A document that grows too large is not read.
  return { value, found: value === undefined ? undefined : found };
}

function find(node: ParsedNode | null, path: Path): WordPlace | undefined {
  if (isScalar(node)) return scalarSource(node) === mark ? { path, part: "value" } : undefined;
  if (isSeq(node)) {
    for (const [index, item] of node.items.entries()) {
      const found = find(item, [...path, index]);
      if (found !== undefined) return found;
    }
  }
  if (!isMap(node)) return undefined;
  for (const { key, value } of node.items) {
    const name = keyName(key);
    if (name === undefined) continue;
    if (name === mark) return { path: [...path, name], part: "key" };
    const found = find(value, [...path, name]);
    if (found !== undefined) return found;
  }
  return undefined;
}
