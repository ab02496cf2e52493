/** Values together with the places where their parts are written: a patched object has lines in several files. */
import { deepEqual, type Json } from "../../../engine/api/json.ts";
import { isRecord } from "../../yaml/manifest.ts";
import type { Path, PathSegment } from "../../yaml/place.ts";
import type { WrittenPlace, WrittenText } from "../workspace-object.ts";

export interface Written {
  readonly text: WrittenText;
  /** Path in the text. */
  readonly path: Path;
  readonly value: Json;
  /** For a mapping or list that is not completely written at its own place: its parts. */
  readonly parts?: ReadonlyMap<PathSegment, Written>;
}

/** Number of parts visited or created since the program started. */
let seenCount = 0;

/** Limit for one build, which takes several seconds. */
export const partsSeenMax = 10_000_000;

/** The difference of two readings is the cost of the work in between, independent of the machine. */
export function partsSeen(): number {
  return seenCount;
}

/** Adds the cost of other work. */
export function noteSeen(count: number): void {
  seenCount += count;
}

/** Undefined if there is no such field or item. */
export function partOf(whole: Written, segment: PathSegment): Written | undefined {
  const { text, path, value, parts } = whole;
  if (parts !== undefined) return parts.get(segment);
  if (Array.isArray(value)) return itemsOf(whole)[Number(segment)];
  if (!isRecord(value) || !Object.hasOwn(value, segment)) return undefined;
  return { text, path: [...path, segment], value: value[segment] as Json };
}

/** Empty if it is not a list. */
export function itemsOf({ text, path, value, parts }: Written): readonly Written[] {
  const items: readonly Json[] = Array.isArray(value) ? value : [];
  seenCount += items.length + 1;
  if (parts !== undefined) return [...parts.values()];
  return items.map((item, index) => ({ text, path: [...path, index], value: item }));
}

/** Empty if it is not a mapping. */
export function fieldsOf(whole: Written): ReadonlyMap<PathSegment, Written> {
  if (whole.parts !== undefined) return whole.parts;
  const names = isRecord(whole.value) ? Object.keys(whole.value) : [];
  seenCount += names.length;
  return new Map(
    names.flatMap((name) => {
      const part = partOf(whole, name);
      return part === undefined ? [] : [[name, part] as const];
    }),
  );
}

/** The mapping with other fields, at the same place. */
export function withFields(whole: Written, fields: ReadonlyMap<PathSegment, Written>): Written {
  seenCount += fields.size + 1;
  const { text, path } = whole;
  const value = Object.fromEntries([...fields].map(([name, field]) => [name, field.value]));
  return { text, path, value, parts: fields };
}

/** A list with other items; its place is that of the part of the kustomization that changes it. */
export function withItems({ text, path }: Written, items: readonly Written[]): Written {
  seenCount += items.length + 1;
  return { text, path, value: items.map(({ value }) => value), parts: new Map(items.entries()) };
}

/** Returns the previous result if it is equal, so that caches keyed by it stay valid. */
export function kept(before: Written, by: object, now: Written): Written {
  const last = lastMade.get(before)?.get(by);
  if (last !== undefined && deepEqual(last.value, now.value)) return last;
  const made = lastMade.get(before) ?? new WeakMap<object, Written>();
  lastMade.set(before, made.set(by, now));
  return now;
}

const lastMade = new WeakMap<Written, WeakMap<object, Written>>();

/** Where the value at a path is written. */
export function placeIn(whole: Written, path: Path): WrittenPlace {
  let at = whole;
  for (const [depth, segment] of path.entries()) {
    const part = partOf(at, segment);
    if (part === undefined) {
      return { text: at.text, path: [...at.path, ...path.slice(depth)], depth };
    }
    at = part;
  }
  return { text: at.text, path: at.path, depth: path.length };
}
