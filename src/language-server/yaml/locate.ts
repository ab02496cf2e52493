/** From a path in an object to its place in the text, and back. */
import { isMap, isScalar, isSeq, type Pair, type ParsedNode, type YAMLMap } from "yaml";
import { lastUpTo } from "../sorted.ts";
import type { Path, PathSegment, Place, Span } from "./place.ts";
import { simpleLocate, simpleUnderline } from "./simple-places.ts";
import { keyName } from "./to-value.ts";
import { placeOfWord } from "./word-place.ts";
import {
  hasSyntaxTree,
  type ItemDocument,
  isSimple,
  itemsOf,
  syntaxTreeOf,
  type YamlDocument,
} from "./yaml-document.ts";

/** The place of a path; if a part of it is missing, the place of the last part that exists. */
export function locate(document: YamlDocument, path: Path): Place {
  const isRead = isSimple(document) && !hasSyntaxTree(document);
  return (isRead ? simpleLocate(document.text, path) : undefined) ?? findPlace(document, path);
}

/** Like `locate`, but always by the syntax tree, or by that of the item of a List that was read by itself. */
export function findPlace(document: YamlDocument, path: Path): Place {
  const item = itemAt(document, path);
  if (item !== undefined) return placeInItem(item, path.slice(2));
  const { root } = syntaxTreeOf(document);
  let place: Place = { depth: 0, value: root === null ? contentSpan(document.text) : spanOf(root) };
  let node: ParsedNode | null = root;
  for (const [index, segment] of path.entries()) {
    const child = childOf(node, segment);
    if (child === undefined) break;
    node = child.value;
    const value = node === null ? (child.key ?? place.value) : spanOf(node);
    place = { depth: index + 1, value, ...(child.key !== undefined && { key: child.key }) };
  }
  return place;
}

function itemAt(document: YamlDocument, [field, index]: Path): ItemDocument | undefined {
  return field === "items" && typeof index === "number" ? itemsOf(document)?.[index] : undefined;
}

function placeInItem({ start, yaml }: ItemDocument, path: Path): Place {
  const { depth, value, key } = locate(yaml, path);
  const inList = (span: Span): Span => ({ start: start + span.start, end: start + span.end });
  return { depth: depth + 2, value: inList(value), ...(key !== undefined && { key: inList(key) }) };
}

/** The node at a path; undefined if a part of the path is missing or the value is empty. */
export function nodeAt(root: ParsedNode | null, path: Path): ParsedNode | undefined {
  let node: ParsedNode | null = root;
  for (const segment of path) node = childOf(node, segment)?.value ?? null;
  return node ?? undefined;
}

/** What to underline for a path: the value if it exists and is on one line, else the key, else the parent's key. */
export function underline(document: YamlDocument, path: Path): Span {
  let known = underlined.get(document);
  if (known === undefined) {
    known = new Map();
    underlined.set(document, known);
  }
  const key = path.join("\0");
  const span =
    known.get(key) ?? simplyUnderlined(document, path, "value") ?? findUnderline(document, path);
  known.set(key, span);
  return span;
}

/** Avoids building a syntax tree; undefined if there is one already, or if a tree is needed. */
function simplyUnderlined(
  document: YamlDocument,
  path: Path,
  part: "value" | "key",
): Span | undefined {
  if (!isSimple(document) || hasSyntaxTree(document)) return undefined;
  return simpleUnderline(document.text, path, part);
}

// Findings in unedited documents keep their places without looking at the text again.
const underlined = new WeakMap<YamlDocument, Map<string, Span>>();

/** Like `underline`, but always by the syntax tree. */
export function findUnderline(document: YamlDocument, path: Path): Span {
  const place = findPlace(document, path);
  if (place.key === undefined) {
    return place.depth === 0 ? firstKey(document) : firstLine(document.text, place.value);
  }
  if (place.depth < path.length) return place.key;
  const isShort = !document.text.slice(place.value.start, place.value.end).includes("\n");
  return isShort && place.value.end > place.value.start ? place.value : place.key;
}

/** The span of a one-line scalar with its quotes; undefined if the path is not written literally. */
export function scalarSpan(document: YamlDocument, path: Path): Span | undefined {
  const simple = simplyUnderlined(document, path, "value");
  if (simple !== undefined) return simple;
  const { depth, value } = locate(document, path);
  return depth < path.length ? undefined : value;
}

/** The key of a path, for findings about the field and not its value. */
export function underlineKey(document: YamlDocument, path: Path): Span {
  return simplyUnderlined(document, path, "key") ?? findUnderlineKey(document, path);
}

/** Like `underlineKey`, but always by the syntax tree. */
export function findUnderlineKey(document: YamlDocument, path: Path): Span {
  return findPlace(document, path).key ?? findUnderline(document, path);
}

interface Child {
  readonly key?: Span;
  readonly value: ParsedNode | null;
}

function childOf(node: ParsedNode | null, segment: PathSegment): Child | undefined {
  if (isSeq(node)) {
    const item = node.items[Number(segment)];
    return item === undefined ? undefined : { value: item };
  }
  if (!isMap(node)) return undefined;
  // The last of several equal keys wins.
  const pair = node.items.findLast((item) => keyName(item.key) === String(segment));
  return pair === undefined ? undefined : { key: spanOf(pair.key), value: pair.value };
}

export interface Position {
  readonly path: Path;
  /** Whether the offset is in the key of the last segment, or in its value or the blanks after it. */
  readonly part: "key" | "value";
}

/** The innermost path whose key or value contains the offset; empty if there is none. */
export function pathAt(document: YamlDocument, offset: number): Position {
  const isRead = isSimple(document) && !hasSyntaxTree(document);
  return (isRead ? placeOfWord(document.text, offset) : undefined) ?? findPathAt(document, offset);
}

/** Like `pathAt`, but always by the syntax tree, or in the item of a List that was read by itself. */
export function findPathAt(document: YamlDocument, offset: number): Position {
  const items = itemsOf(document) ?? [];
  const index = lastUpTo(offset, items, ({ start }) => start);
  const item = items[index];
  if (item !== undefined && offset < item.start + item.yaml.text.length) {
    const inItem = offset - item.start;
    if (inItem < contentSpan(item.yaml.text).start) return { path: ["items"], part: "value" };
    const { path, part } = pathAt(item.yaml, inItem);
    return { path: ["items", index, ...path], part };
  }
  const path: PathSegment[] = [];
  let node: ParsedNode | null = syntaxTreeOf(document).root;
  while (node !== null) {
    if (isMap(node)) {
      const pair = pairAt(node, offset);
      const name = pair === undefined ? undefined : keyName(pair.key);
      if (pair === undefined || name === undefined) break;
      path.push(name);
      if (holds(spanOf(pair.key), offset)) return { path, part: "key" };
      node = pair.value;
    } else if (isSeq(node)) {
      const items = node.items;
      const index = items.findIndex((item) => holds(wholeSpan(item), offset));
      if (index < 0) break;
      path.push(index);
      node = items[index] ?? null;
    } else {
      break;
    }
  }
  return { path, part: "value" };
}

function pairAt(
  map: YAMLMap<ParsedNode, ParsedNode | null>,
  offset: number,
): Pair<ParsedNode, ParsedNode | null> | undefined {
  // A pair may end at the same offset where the next one begins.
  return map.items.findLast((pair) => {
    const start = pair.key.range[0];
    const end =
      pair.value === null ? pair.key.range[2] : Math.max(pair.value.range[2], pair.key.range[2]);
    return offset >= start && offset <= end;
  });
}

function holds(span: Span, offset: number): boolean {
  return offset >= span.start && offset <= span.end;
}

export function spanOf(node: ParsedNode): Span {
  // A block's range extends to the next token; what a person sees ends at its last value.
  if (isMap(node) || isSeq(node)) {
    const { start, end } = { start: node.range[0], end: lastOffset(node) };
    return { start, end: Math.max(start, end) };
  }
  return { start: node.range[0], end: node.range[1] };
}

function wholeSpan(node: ParsedNode): Span {
  return { start: node.range[0], end: node.range[2] };
}

function lastOffset(node: ParsedNode): number {
  let last: ParsedNode = node;
  for (;;) {
    const flow = (isMap(last) || isSeq(last)) && last.flow === true;
    if (flow || isScalar(last)) return last.range[1];
    const inner: ParsedNode | undefined | null = isMap(last)
      ? lastOfPair(last.items.at(-1))
      : isSeq(last)
        ? last.items.at(-1)
        : undefined;
    if (inner === undefined || inner === null) return last.range[1];
    last = inner;
  }
}

function lastOfPair(pair: Pair<ParsedNode, ParsedNode | null> | undefined): ParsedNode | undefined {
  if (pair === undefined) return undefined;
  const { key, value } = pair;
  // An empty value is at the colon or after it, so that the key is the last visible part.
  return value === null || value.range[1] <= key.range[1] ? key : value;
}

function firstKey(document: YamlDocument): Span {
  const { root } = syntaxTreeOf(document);
  if (!isMap(root))
    return firstLine(document.text, root === null ? contentSpan(document.text) : spanOf(root));
  const [pair] = root.items;
  if (pair === undefined) return spanOf(root);
  // `kind: …` shows which object is meant.
  return findPlace(document, ["kind"]).key ?? spanOf(pair.key);
}

function firstLine(text: string, span: Span): Span {
  const line = text.indexOf("\n", span.start);
  const end = line < 0 || line > span.end ? span.end : line;
  return { start: span.start, end: text.charCodeAt(end - 1) === 0x0d ? end - 1 : end };
}

/** From the first non-blank character to the last. */
export function contentSpan(text: string): Span {
  const start = text.search(/\S/);
  return start < 0 ? { start: 0, end: 0 } : { start, end: text.trimEnd().length };
}
