/** Replaces a field by the fields that it holds, as one edit that leaves everything else as written. */
import { isMap } from "yaml";
import { deepEqual, type Json } from "../../engine/api/json.ts";
import { replaceField, type TextEdit } from "./edits.ts";
import { locate, nodeAt } from "./locate.ts";
import { isRecord, valueAt } from "./manifest.ts";
import type { Path } from "./place.ts";
import { readYamlDocument, syntaxTreeOf, type YamlDocument } from "./yaml-document.ts";

/** Undefined if it holds no fields, if one of them exists already, or if a comment would be lost. */
export function unwrapField(document: YamlDocument, path: Path): TextEdit | undefined {
  const holder = path.slice(0, -1);
  const held = valueAt(document.value, path);
  const outer = valueAt(document.value, holder);
  const edit = isRecord(held) ? withoutKey(document, path, held) : undefined;
  if (edit === undefined || !isRecord(held) || !isRecord(outer)) return undefined;
  const { text } = document;
  const after = readYamlDocument(text.slice(0, edit.start) + edit.text + text.slice(edit.end));
  const { [String(path.at(-1))]: _, ...others } = outer;
  const isUnwrapped =
    after.problems.length === 0 &&
    deepEqual(valueAt(after.value, holder) as Json, { ...held, ...others } as Json) &&
    Object.keys(held).every((name) => !(name in others));
  return isUnwrapped ? edit : undefined;
}

function withoutKey(
  document: YamlDocument,
  path: Path,
  held: Readonly<Record<string, unknown>>,
): TextEdit | undefined {
  const { text } = document;
  const { key, value } = locate(document, path);
  const node = nodeAt(syntaxTreeOf(document).root, path);
  if (key === undefined || !isMap(node)) return undefined;
  if (node.flow === true) {
    const hasComment = /(?:^|\s)#/.test(text.slice(key.end, value.end));
    return hasComment ? undefined : replaceField(document, path, held);
  }
  const [colon] = /^:[ \t]*\r?\n/.exec(text.slice(key.end)) ?? [];
  if (colon === undefined) return undefined;
  const column = columnOf(text, key.start);
  const depth = columnOf(text, value.start) - column;
  const lines = text.slice(key.end + colon.length, value.end).split("\n");
  const outdented = lines.map((line) => line.replace(new RegExp(`^ {1,${depth}}`), "")).join("\n");
  if (outdented.slice(0, column).trim() !== "") return undefined;
  return { start: key.start, end: value.end, text: outdented.slice(column) };
}

function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf("\n", offset - 1) + 1);
}
