/**
 * Finds the cursor's place in an object whose text is half written: replaces the word at the cursor by a mark, reads the
 * document again, and looks for the mark.
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
  /** The word that a completion replaces; offsets in the document. */
  readonly word: Span;
  /** The word is in quotes, which stay. */
  readonly isQuoted: boolean;
  /** A colon already follows. */
  readonly hasColon: boolean;
  /** Path of the mark from the document's root. */
  readonly path: Path;
  readonly part: "key" | "value";
  /** The document with the mark in it. */
  readonly value: unknown;
  /** The object that holds the mark, if the document is an object yet. */
  readonly object?: ManifestObject;
}

/** The possible readings of the cursor's place (key or value), likelier first; none inside comments. */
export function* probe(text: string, offset: number): Iterable<Probe> {
  const word = wordAt(text, offset);
  const lineStart = text.lastIndexOf("\n", word.start - 1) + 1;
  const before = text.slice(lineStart, word.start);
  if (/(?:^|\s)#/.test(before)) return;
  const isValue = /:\s+(?:\S.*)?$/.test(before) || /[[,]\s*$/.test(before);
  // A complete key already has its colon.
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

/** The objects of a document. If its apiVersion is still missing, that of its kind is assumed. */
function objectsIn(value: unknown): readonly ManifestObject[] {
  const { objects } = objectsOf(value);
  if (objects.length > 0 || !isRecord(value)) return objects;
  const { kind } = value;
  const schema = typeof kind === "string" ? kindSchema(kind) : undefined;
  const apiVersion = value["apiVersion"] ?? schema?.apiVersion;
  const whole = objectsOf({ ...value, apiVersion });
  return whole.objects.map((object) => ({ ...object, value }));
}

/** Most documents can be read without a syntax tree, which takes ten times as long. */
function readMarked(text: string): {
  readonly value: unknown;
  readonly found: WordPlace | undefined;
} {
  const simple = readSimpleYaml(text);
  if (simple !== undefined) return { value: simple, found: placeOfMark(simple) };
  const { root } = parseSyntaxTree(text);
  const found = find(root, []);
  const value = found === undefined ? undefined : toValue(root).value;
  // Too large once its aliases are expanded.
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
