/** Changes of one field, as text edits that leave everything else as written. */
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type ParsedNode,
  stringify,
  visit,
  type YAMLMap,
} from "yaml";
import { resolvePlainScalar } from "./kubernetes-scalar.ts";
import { withLineFeeds } from "./line-ends.ts";
import { locate, nodeAt, spanOf } from "./locate.ts";
import type { Path, Place, Span } from "./place.ts";
import { keyName } from "./to-value.ts";
import { syntaxTreeOf, type YamlDocument } from "./yaml-document.ts";

/** Offsets in the document. */
export interface TextEdit extends Span {
  readonly text: string;
}

/** Strings that would be read as a number or a boolean are quoted. */
export type Scalar = string | number | boolean;

/** The text with a line feed for every kind of line end, at unchanged offsets. */
function linesOf({ text }: YamlDocument): string {
  return withLineFeeds(text);
}

/** Like `locate`, but the value of a block of text ends before its last line end. */
function placeOf(document: YamlDocument, path: Path): Place {
  const place = locate(document, path);
  const { start, end } = place.value;
  const written = document.text.slice(start, end).trimEnd();
  return { ...place, value: { start, end: start + written.length } };
}

/**
 * Sets a field or a list item; creates missing mappings above it, and the list for its first item. Undefined if something else
 * is in the way.
 */
export function setField(document: YamlDocument, path: Path, value: Scalar): TextEdit | undefined {
  const place = placeOf(document, path);
  const scalar = isJson(document) ? JSON.stringify(value) : printScalar(value);
  if (place.depth === path.length && typeof path.at(-1) === "number")
    return setItem(document, path, scalar);
  if (place.depth === path.length && place.key !== undefined) {
    if (!isEmpty(place)) return { ...place.value, text: scalar };
    const colon = linesOf(document).indexOf(":", place.key.end);
    return colon < 0 ? undefined : { start: colon + 1, end: colon + 1, text: ` ${scalar}` };
  }
  const above = path.slice(0, place.depth);
  const isFirst = path.length > place.depth && path.at(-1) === 0;
  const missing = path.slice(place.depth, isFirst ? -1 : undefined);
  if (missing.some((segment) => typeof segment === "number"))
    return missing.length === 1 ? addItem(document, above, value, Number(missing[0])) : undefined;
  const parent = mappingAt(document, above);
  const text = isFirst ? `[${scalar}]` : scalar;
  if (parent !== undefined) return insertInto(document, parent, missing.map(String), text);
  const [first, ...others] = missing.map(String);
  if (first === undefined) return undefined;
  const held = isFirst ? [value] : value;
  const inner = others.reduceRight<unknown>((below, name) => ({ [name]: below }), held);
  return fillEmpty(document, above, { [first]: inner });
}

/** Replaces a scalar item, or writes the item after an empty dash. */
function setItem(document: YamlDocument, path: Path, scalar: string): TextEdit | undefined {
  const text = linesOf(document);
  const { start, end } = placeOf(document, path).value;
  if (start < end)
    return isScalar(nodeAt(syntaxTreeOf(document).root, path))
      ? { start, end, text: scalar }
      : undefined;
  const before = text[start - 1] === "-" ? " " : "";
  const after = /^\s/.test(text.slice(start)) || start === text.length ? "" : " ";
  return { start, end, text: `${before}${scalar}${after}` };
}

/** True if the key has no value. */
function isEmpty({ key, value }: Place): boolean {
  return key !== undefined && (value.end === value.start || value.start === key.start);
}

/** Adds fields to a key without a value: below it, or in braces within a flow collection. Undefined if it has a value. */
function fillEmpty(
  document: YamlDocument,
  path: Path,
  fields: Readonly<Record<string, unknown>>,
): TextEdit | undefined {
  const place = locate(document, path);
  const { key } = place;
  if (place.depth < path.length || key === undefined || !isEmpty(place)) return undefined;
  const text = linesOf(document);
  if (mappingAt(document, path.slice(0, -1))?.flow === true) {
    const colon = text.indexOf(":", key.end);
    return colon < 0
      ? undefined
      : { start: colon + 1, end: colon + 1, text: ` ${flowText(document, fields)}` };
  }
  const column = key.start - (text.lastIndexOf("\n", key.start - 1) + 1) + 2;
  const at = endOfLine(text, key.end);
  return { start: at, end: at, text: `\n${" ".repeat(column)}${blockText(fields, column)}` };
}

/**
 * Removes a field with its line or comma; with the last label or annotation the whole mapping. Undefined if there is no such
 * field.
 */
export function removeField(document: YamlDocument, path: Path): TextEdit | undefined {
  const place = placeOf(document, path);
  const above = path.slice(0, -1);
  const parent = mappingAt(document, above);
  if (place.depth < path.length || place.key === undefined || parent === undefined)
    return undefined;
  if (holds(nodeAt(syntaxTreeOf(document).root, path), isAnchored)) return undefined;
  if (parent.items.length === 1 && isOfMarks(above)) return removeField(document, above);
  const text = linesOf(document);
  const end = Math.max(place.value.end, place.key.end);
  if (parent.flow === true) return withComma(text, place.key.start, end);
  const lineStart = text.lastIndexOf("\n", place.key.start - 1) + 1;
  const before = text.slice(lineStart, place.key.start).trim();
  if (before.endsWith("-")) return besideDash(parent, { start: place.key.start, end });
  if (before !== "") return undefined;
  const lineEnd = text.indexOf("\n", end);
  return { start: lineStart, end: lineEnd < 0 ? text.length : lineEnd + 1, text: "" };
}

/** A field after a dash: the next field moves up to the dash; if there is none, `{}` remains. */
function besideDash({ items: [, next] }: Mapping, { start, end }: Span): TextEdit {
  return next === undefined
    ? { start, end, text: "{}" }
    : { start, end: next.key.range[0], text: "" };
}

/** True if the test holds for any node below. */
function holds(node: ParsedNode | undefined, isSuch: (node: ParsedNode) => boolean): boolean {
  let found = false;
  visit(node ?? null, {
    Node(_, part) {
      found ||= isSuch(part as ParsedNode);
      return found ? visit.BREAK : undefined;
    },
  });
  return found;
}

/** True for an anchor, which must not be removed: aliases elsewhere may refer to it. */
function isAnchored(node: ParsedNode): boolean {
  return !isAlias(node) && node.anchor !== undefined;
}

/** Removes a field or a list item; with the only item the whole list. */
export function removeAt(document: YamlDocument, path: Path): TextEdit | undefined {
  if (typeof path.at(-1) !== "number") return removeField(document, path);
  const above = path.slice(0, -1);
  const list = nodeAt(syntaxTreeOf(document).root, above);
  const isOnly = isSeq(list) && list.items.length === 1;
  return isOnly ? removeField(document, above) : removeItem(document, path);
}

/** Renames the key at a path and keeps its quotes. Undefined if there is no such key, or if it is not written literally. */
export function renameKey(document: YamlDocument, path: Path, name: string): TextEdit | undefined {
  const { depth, key } = locate(document, path);
  if (depth < path.length || key === undefined) return undefined;
  const before = String(path.at(-1));
  const written = document.text.slice(key.start, key.end);
  // Escapes may stand for some of its letters.
  if (!written.includes(before)) return undefined;
  return { ...key, text: written.replace(before, () => name) };
}

/** True for labels and annotations, which mean nothing when empty. */
function isOfMarks(path: Path): boolean {
  const [above, name] = path.slice(-2);
  return above === "metadata" && (name === "annotations" || name === "labels");
}

/** Removes one of several list items, with its lines or comma. Undefined if there is no such item. */
export function removeItem(document: YamlDocument, path: Path): TextEdit | undefined {
  const { depth, value } = placeOf(document, path);
  const list = nodeAt(syntaxTreeOf(document).root, path.slice(0, -1));
  if (depth < path.length || !isSeq(list)) return undefined;
  if (holds(list.items[Number(path.at(-1))], isAnchored)) return undefined;
  const text = linesOf(document);
  if (list.flow === true) return withComma(text, value.start, value.end);
  const lineEnd = text.indexOf("\n", value.end - 1);
  const start = text.lastIndexOf("\n", value.start - 1) + 1;
  if (text.slice(start, value.start).trim() !== "-") return undefined;
  return { start, end: lineEnd < 0 ? text.length : lineEnd + 1, text: "" };
}

/** Replaces a list item by several texts. Undefined if there is no such item, or it is not a scalar. */
export function splitItem(
  document: YamlDocument,
  path: Path,
  texts: readonly string[],
): TextEdit | undefined {
  const { depth, value } = placeOf(document, path);
  const root = syntaxTreeOf(document).root;
  const list = nodeAt(root, path.slice(0, -1));
  if (depth < path.length || !isSeq(list) || !isScalar(nodeAt(root, path))) return undefined;
  const text = linesOf(document);
  const items = texts.map((one) => (isJson(document) ? JSON.stringify(one) : printScalar(one)));
  const dash = text.slice(text.lastIndexOf("\n", value.start - 1) + 1, value.start);
  if (list.flow === true) return { ...value, text: items.join(", ") };
  return dash.trim() === "-" ? { ...value, text: items.join(`\n${dash}`) } : undefined;
}

/** Moves a list item, with the comments above it, before an earlier one. No edits if either does not exist. */
export function moveItem(
  document: YamlDocument,
  path: Path,
  from: number,
  to: number,
): readonly TextEdit[] {
  const list = nodeAt(syntaxTreeOf(document).root, path);
  const { key } = locate(document, path);
  if (!isSeq(list) || key === undefined || to >= from) return [];
  const items = list.items.map(spanOf);
  const text = linesOf(document);
  const [item, above, target] = [items[from], items[from - 1], items[to]];
  if (item === undefined || above === undefined || target === undefined) return [];
  // An alias must stay after its anchor.
  const isBehindAnchor = list.items.slice(to, from).some((one) => holds(one, isAnchored));
  if (isBehindAnchor && holds(list.items[from], isAlias)) return [];
  const cut = (start: number, end: number): TextEdit => ({ start, end, text: "" });
  const put = (start: number, moved: string): TextEdit => ({ start, end: start, text: moved });
  if (list.flow === true) {
    const between = text.slice(above.end, item.start);
    const moved = text.slice(item.start, item.end) + between;
    return [put(target.start, moved), cut(above.end, item.end)];
  }
  const linesBehind = ({ end }: Span): number =>
    Math.min(lineEndAt(text, end - 1) + 1, text.length);
  const start = linesBehind(above);
  const end = linesBehind(item);
  const place = linesBehind(items[to - 1] ?? key);
  const lines = text.slice(start, end);
  return [put(place, lines.endsWith("\n") ? lines : `${lines}\n`), cut(start, end)];
}

/** The end of the text if there is no line end after the offset. */
function lineEndAt(text: string, offset: number): number {
  const found = text.indexOf("\n", offset);
  return found < 0 ? text.length : found;
}

/** Removes an item of a flow collection together with its comma. */
function withComma(text: string, start: number, end: number): TextEdit {
  const after = /^(?:\s|#.*\n)*,\s*/.exec(text.slice(end));
  if (after !== null) return { start, end: end + after[0].length, text: "" };
  const before = /,\s*$/.exec(text.slice(0, start));
  return { start: start - (before?.[0].length ?? 0), end, text: "" };
}

/** Adds fields after those of the mapping at a path, or to a key without a value. Undefined if something else is there. */
export function addFields(
  document: YamlDocument,
  path: Path,
  fields: Readonly<Record<string, unknown>>,
): TextEdit | undefined {
  const parent = mappingAt(document, path);
  if (parent === undefined) return fillEmpty(document, path, fields);
  if (parent.flow === true) {
    const flow = flowText(document, fields);
    return behindLastInFlow(document, parent, flow.slice(1, -1).trim());
  }
  const place = behindLast(document, parent);
  if (place === undefined) return undefined;
  const { at, column } = place;
  return { start: at, end: at, text: `\n${" ".repeat(column)}${blockText(fields, column)}` };
}

/** Adds a field before the one at a path. Undefined if there is no such field. */
export function addBefore(
  document: YamlDocument,
  path: Path,
  name: string,
  value: Scalar,
): TextEdit | undefined {
  const { depth, key } = locate(document, path);
  if (depth < path.length || key === undefined) return undefined;
  const text = linesOf(document);
  const { start } = key;
  const isFlow = mappingAt(document, path.slice(0, -1))?.flow === true;
  const before = text.slice(text.lastIndexOf("\n", start - 1) + 1, start);
  const next = isFlow && before.trim() !== "" ? " " : `\n${before.replace(/[^ ]/g, " ")}`;
  const field = isJson(document)
    ? `${JSON.stringify(name)}: ${JSON.stringify(value)}`
    : `${name}: ${printScalar(value)}`;
  return { start, end: start, text: `${field}${isFlow ? "," : ""}${next}` };
}

/** Replaces the field at a path by others. Undefined if there is no such field. */
export function replaceField(
  document: YamlDocument,
  path: Path,
  fields: Readonly<Record<string, unknown>>,
): TextEdit | undefined {
  const { depth, key, value } = placeOf(document, path);
  const parent = mappingAt(document, path.slice(0, -1));
  if (depth < path.length || key === undefined || parent === undefined) return undefined;
  const place = { start: key.start, end: Math.max(value.end, key.end) };
  if (parent.flow === true)
    return { ...place, text: flowText(document, fields).slice(1, -1).trim() };
  const column = key.start - (linesOf(document).lastIndexOf("\n", key.start - 1) + 1);
  return { ...place, text: blockText(fields, column) };
}

/** Adds an item to the end of the list at a path. Undefined if there is no list with items, or their number is not `count`. */
export function addItem(
  document: YamlDocument,
  path: Path,
  item: Readonly<Record<string, unknown>> | Scalar,
  count?: number,
): TextEdit | undefined {
  const list = nodeAt(syntaxTreeOf(document).root, path);
  const last = isSeq(list) ? list.items.at(-1) : undefined;
  if (!isSeq(list) || last === undefined) return undefined;
  if (count !== undefined && list.items.length !== count) return undefined;
  const text = linesOf(document);
  const { start, end } = spanOf(last);
  const flow = flowText(document, item);
  if (list.flow === true) return { start: end, end, text: `, ${flow}` };
  const dash = /(?:^|\n)([ \t]*-[ \t]+)$/.exec(text.slice(0, start))?.[1];
  const at = endOfLine(text, end - 1);
  return dash === undefined ? undefined : { start: at, end: at, text: `\n${dash}${flow}` };
}

/** The first line is not indented, because it continues at the insertion point. */
function blockText(fields: Readonly<Record<string, unknown>>, column: number): string {
  return stringify(fields)
    .trimEnd()
    .replaceAll("\n", `\n${" ".repeat(column)}`);
}

function flowText(
  document: YamlDocument,
  value: Readonly<Record<string, unknown>> | Scalar,
): string {
  return isJson(document)
    ? JSON.stringify(value)
    : stringify(value, { collectionStyle: "flow", lineWidth: 0 }).trim();
}

type Mapping = YAMLMap<ParsedNode, ParsedNode | null>;

function mappingAt(document: YamlDocument, path: Path): Mapping | undefined {
  let node: ParsedNode | null | undefined = syntaxTreeOf(document).root;
  for (const segment of path) {
    if (isMap(node)) {
      const pair: { readonly value: ParsedNode | null } | undefined = (node as Mapping).items.find(
        (item) => keyName(item.key) === String(segment),
      );
      node = pair?.value;
    } else if (node !== null && node !== undefined && "items" in node) {
      node = node.items[Number(segment)];
    } else {
      return undefined;
    }
  }
  return isMap(node) ? node : undefined;
}

function insertInto(
  document: YamlDocument,
  parent: Mapping,
  keys: readonly string[],
  scalar: string,
): TextEdit | undefined {
  if (parent.flow === true) {
    const field = isJson(document)
      ? keys.reduceRight((inner, key) => `{${JSON.stringify(key)}: ${inner}}`, scalar)
      : keys.reduceRight((inner, key) => `{ ${key}: ${inner} }`, scalar);
    return behindLastInFlow(document, parent, field.slice(1, -1).trim());
  }
  const place = behindLast(document, parent);
  if (place === undefined) return undefined;
  const { at, column } = place;
  const lines = keys.map((key, depth) => `${" ".repeat(column + 2 * depth)}${key}:`);
  return { start: at, end: at, text: `\n${lines.join("\n")} ${scalar}` };
}

/** On a line of its own if the first field has one. */
function behindLastInFlow(document: YamlDocument, parent: Mapping, field: string): TextEdit {
  const text = linesOf(document);
  const [from, to] = parent.range ?? [0, 0];
  const first = parent.items[0];
  const last = parent.items.at(-1);
  if (first === undefined || last === undefined) {
    const isBlank = text.slice(from + 1, to - 1).trim() === "";
    return { start: isBlank ? from + 1 : to - 1, end: to - 1, text: ` ${field} ` };
  }
  const [line] = /\r?\n[ \t]*$/.exec(text.slice(from + 1, first.key.range[0])) ?? [];
  const at = endOfField(last);
  return { start: at, end: at, text: `,${line ?? " "}${field}` };
}

/** True if the document quotes its keys and texts, so that new fields must be quoted, too. */
function isJson({ text }: YamlDocument): boolean {
  return /^\s*[{[]\s*(?:\{\s*)?"/.test(text);
}

/** End of the line of a block mapping's last field, and the column of its keys; undefined if it has no fields. */
function behindLast(
  document: YamlDocument,
  parent: Mapping,
): { readonly at: number; readonly column: number } | undefined {
  const text = linesOf(document);
  const last = parent.items.at(-1);
  const first = parent.items[0];
  if (last === undefined || first === undefined) return undefined;
  const column = first.key.range[0] - (text.lastIndexOf("\n", first.key.range[0] - 1) + 1);
  return { at: endOfLine(text, Math.max(endOfField(last) - 1, 0)), column };
}

/** Before the characters that end the line. */
function endOfLine(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  if (end < 0) return text.length;
  return text[end - 1] === "\r" ? end - 1 : end;
}

function endOfField({ key, value }: Mapping["items"][number]): number {
  return value === null ? key.range[1] : Math.max(spanOf(value).end, key.range[1]);
}

/** Quoted only if a plain scalar would be read as something else. */
export function printScalar(value: Scalar): string {
  if (typeof value !== "string") return String(value);
  const isPlain =
    /^[A-Za-z_./][\w./-]*$/.test(value) || /^\d+(?:\.\d+)?(?:[KMGTPE]i?|k|m)$/.test(value);
  return isPlain && resolvePlainScalar(value) === value ? value : JSON.stringify(value);
}
