/** Moves a field within its document, as one edit that leaves everything else as written. */
import { deepEqual, type Json } from "../../engine/api/json.ts";
import { addFields, removeField, type TextEdit } from "./edits.ts";
import { locate } from "./locate.ts";
import { isRecord, valueAt } from "./manifest.ts";
import type { Path } from "./place.ts";
import { readYamlDocument, type YamlDocument } from "./yaml-document.ts";

/** Creates missing mappings above the target. Undefined if the move is impossible or would lose a comment. */
export function moveField(document: YamlDocument, from: Path, to: Path): TextEdit | undefined {
  const { text } = document;
  const moved = valueAt(document.value, from) as Json | undefined;
  const { key, value } = locate(document, from);
  const removed = removeField(document, from);
  if (moved === undefined || key === undefined || removed === undefined) return undefined;
  if (/(?:^|\s)#/m.test(text.slice(key.start, value.end))) return undefined;
  const without = readYamlDocument(applied(text, removed));
  const added = addAt(without, to, moved);
  if (added === undefined) return undefined;
  const after = readYamlDocument(applied(without.text, added));
  const isMoved =
    after.problems.length === 0 &&
    valueAt(after.value, from) === undefined &&
    deepEqual(valueAt(after.value, to) as Json, moved);
  return isMoved ? difference(text, after.text) : undefined;
}

function addAt(document: YamlDocument, path: Path, value: Json): TextEdit | undefined {
  let depth = path.length - 1;
  const isThere = (holder: Path): boolean => valueAt(document.value, holder) !== undefined;
  while (depth > 0 && !isThere(path.slice(0, depth))) depth--;
  const [name, ...inner] = path.slice(depth);
  const held = inner.reduceRight<Json>((below, segment) => ({ [segment]: below }), value);
  const holder = valueAt(document.value, path.slice(0, depth));
  if (typeof name !== "string" || !(holder === null || isRecord(holder))) return undefined;
  return addFields(document, path.slice(0, depth), { [name]: held });
}

function applied(text: string, { start, end, text: inserted }: TextEdit): string {
  return text.slice(0, start) + inserted + text.slice(end);
}

/** The part between the common start and the common end of two texts. */
function difference(before: string, after: string): TextEdit {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let same = 0;
  while (same < shorter - start && before.at(-1 - same) === after.at(-1 - same)) same++;
  return { start, end: before.length - same, text: after.slice(start, after.length - same) };
}
