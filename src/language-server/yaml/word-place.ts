/**
 * Where in a document's value a word stands, found without a syntax tree: the word is replaced by a mark, the document is read
 * again, and the mark is looked for.
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

/** The letters around an offset that names, numbers and keys are made of. */
export function wordAt(text: string, offset: number): Span {
  const before = /[\w./-]*$/.exec(text.slice(Math.max(0, offset - 300), offset))?.[0] ?? "";
  const after = /^[\w./-]*/.exec(text.slice(offset, offset + 300))?.[0] ?? "";
  return { start: offset - before.length, end: offset + after.length };
}

/** Undefined where the text is not simple, and where the word is not a whole key or value. */
export function placeOfWord(text: string, offset: number): WordPlace | undefined {
  const { start, end } = wordAt(text, offset);
  if (start === end) return undefined;
  const value = readSimpleYaml(text.slice(0, start) + mark + text.slice(end));
  const place = value === undefined ? undefined : placeOfMark(value);
  if (place?.part !== "key") return place;
  const name = text.slice(start, end);
  // As which key a word stands that is no text, and whether the blank before a key is its own, is the tree's to say.
  return resolvePlainKey(name) === name && offset > start
    ? { path: [...place.path.slice(0, -1), name], part: "key" }
    : undefined;
}

/** Where the mark stands in a value; undefined where it does not. `path` is that of the value. */
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
