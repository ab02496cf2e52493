/** Selection ranges: word, scalar, `key: value`, mapping, list item, document, file. */
import { isMap, isSeq, type ParsedNode, type YAMLMap, type YAMLSeq } from "yaml";
import type { WorkspaceFile } from "../workspace/workspace-object.ts";
import { contentSpan, spanOf } from "../yaml/locate.ts";
import { documentAt } from "../yaml/manifest-file.ts";
import type { Span } from "../yaml/place.ts";
import { syntaxTreeOf } from "../yaml/yaml-document.ts";

/** From the innermost range to the whole file; each holds the one before it. Offsets in the file. */
export function selectionRanges({ manifest }: WorkspaceFile, offset: number): readonly Span[] {
  const { text } = manifest;
  const spans: Span[] = [{ start: 0, end: text.length }];
  const found = documentAt(manifest, offset);
  if (found !== undefined) {
    const { document, start } = found;
    const add = (span: Span): void => {
      spans.push({ start: span.start + start, end: span.end + start });
    };
    const at = offset - start;
    add(contentSpan(document.yaml.text));
    const { root } = syntaxTreeOf(document.yaml);
    if (root !== null) descend(root, at, document.yaml.text, add);
    const word = wordAt(text, offset);
    if (word !== undefined) spans.push(word);
  }
  return nested(spans, offset);
}

function descend(root: ParsedNode, offset: number, text: string, add: (span: Span) => void): void {
  let node: ParsedNode | null = root;
  while (node !== null) {
    const span = spanOf(node);
    add(span);
    const inner: ParsedNode | null = isMap(node)
      ? inMapping(node, offset, add)
      : isSeq(node)
        ? inList(node, offset, text, add)
        : insideQuotes(span, text, add);
    node = inner;
  }
}

function inMapping(
  mapping: YAMLMap<ParsedNode, ParsedNode | null>,
  offset: number,
  add: (span: Span) => void,
): ParsedNode | null {
  for (const { key, value } of mapping.items) {
    const keySpan = spanOf(key);
    const valueSpan = value === null ? keySpan : spanOf(value);
    const end = Math.max(keySpan.end, valueSpan.end);
    if (offset < keySpan.start || offset > end) continue;
    add({ start: keySpan.start, end });
    return offset <= keySpan.end ? key : value;
  }
  return null;
}

/** Adds the item with its dash and returns the item. */
function inList(
  list: YAMLSeq<ParsedNode>,
  offset: number,
  text: string,
  add: (span: Span) => void,
): ParsedNode | null {
  for (const item of list.items) {
    const { start, end } = spanOf(item);
    const dash = list.flow === true ? start : text.lastIndexOf("-", start - 1);
    const from = dash >= 0 && text.slice(dash + 1, start).trim() === "" ? dash : start;
    if (offset < from || offset > end) continue;
    add({ start: from, end });
    return item;
  }
  return null;
}

function insideQuotes(span: Span, text: string, add: (span: Span) => void): null {
  const isQuoted = /^(["'])[\s\S]*\1$/.test(text.slice(span.start, span.end));
  if (isQuoted && span.end - span.start > 2) add({ start: span.start + 1, end: span.end - 1 });
  return null;
}

/** The part of a name between dots or slashes. */
function wordAt(text: string, offset: number): Span | undefined {
  const isLetter = (at: number): boolean => /[\w-]/.test(text.charAt(at));
  let start = offset;
  let end = offset;
  while (start > 0 && isLetter(start - 1)) start--;
  while (end < text.length && isLetter(end)) end++;
  return start === end ? undefined : { start, end };
}

/** Sorts the spans innermost first; drops duplicates and spans that do not hold the one inside them. */
function nested(spans: readonly Span[], offset: number): readonly Span[] {
  const sorted = spans
    .filter(({ start, end }) => start <= offset && offset <= end)
    .sort((a, b) => a.end - a.start - (b.end - b.start));
  const kept: Span[] = [];
  for (const span of sorted) {
    const inner = kept.at(-1);
    const holds = inner === undefined || (span.start <= inner.start && span.end >= inner.end);
    const isSame = inner?.start === span.start && inner.end === span.end;
    if (holds && !isSame) kept.push(span);
  }
  return kept;
}
