/**
 * Finds the path of a word without a syntax tree: replaces the word by a mark, reads the document again, and searches the value
 * for the mark.
 */
import type { Json } from "../../engine/api/json.ts";
import { resolvePlainKey } from "./kubernetes-scalar.ts";
import type { Path, Span } from "./place.ts";
import { readSimpleYaml } from "./simple-yaml.ts";

export const mark = "claimcheck-cursor";

export interface WordPlace {
  /** From the document's root. */
  readonly path: Path;
  readonly part: "key" | "value";
}

/** The characters of a name, number or key around an offset. */
export function wordAt(text: string, offset: number): Span {
  const before = /[\w./-]*$/.exec(text.slice(Math.max(0, offset - 300), offset))?.[0] ?? "";
  const after = /^[\w./-]*/.exec(text.slice(offset, offset + 300))?.[0] ?? "";
  return { start: offset - before.length, end: offset + after.length };
}

/** Undefined if the text is not simple, or if the word is not a whole key or value. */
export function placeOfWord(text: string, offset: number): WordPlace | undefined {
  const { start, end } = wordAt(text, offset);
  if (start === end) return undefined;
  const value = readSimpleYaml(text.slice(0, start) + mark + text.slice(end));
  const place = value === undefined ? undefined : placeOfMark(value);
  if (place?.part !== "key") return place;
  const name = text.slice(start, end);
  // Only the tree knows the name of a key that is not a text, and whether the blank before a key belongs to it.
  return resolvePlainKey(name) === name && offset > start
    ? { path: [...place.path.slice(0, -1), name], part: "key" }
    : undefined;
}

/** Where the mark is in a value; undefined if it is not there. `path` is the path of the value. */
export function placeOfMark(value: Json, path: Path = []): WordPlace | undefined {
  if (value === mark) return { path, part: "value" };
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const found = placeOfMark(item, [...path, index]);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  for (const [name, item] of Object.entries(value)) {
    if (name === mark) return { path: [...path, name], part: "key" };
    const found = placeOfMark(item, [...path, name]);
    if (found !== undefined) return found;
  }
  return undefined;
}
