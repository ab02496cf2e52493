/** Values with the places where their parts are written: an object that patches have changed has lines in several files. */
import { deepEqual, type Json } from "../../../engine/api/json.ts";
import { isRecord } from "../../yaml/manifest.ts";
import type { Path, PathSegment } from "../../yaml/place.ts";
import type { WrittenPlace, WrittenText } from "../workspace-object.ts";

export interface Written {
  readonly text: WrittenText;
  /** In the text. */
  readonly path: Path;
  readonly value: Json;
  /** Of a mapping or a list that is not all written at its own place: where each of its parts is. */
  readonly parts?: ReadonlyMap<PathSegment, Written>;
}

/** Parts that have been looked at or put together since the program began. */
let seenCount = 0;

/** Of one build: some seconds. */
export const partsSeenMax = 10_000_000;

/** Two readings tell what was done between them has cost, whichever machine does it. */
export function partsSeen(): number {
  return seenCount;
}

/** What is looked at besides costs as well. */
export function noteSeen(count: number): void {
  seenCount += count;
}

/** Undefined where there is none of that name or number. */
export function partOf(whole: Written, segment: PathSegment): Written | undefined {
  const { text, path, value, parts } = whole;
  if (parts !== undefined) return parts.get(segment);
  if (Array.isArray(value)) return itemsOf(whole)[Number(segment)];
  if (!isRecord(value) || !Object.hasOwn(value, segment)) return undefined;
  return { text, path: [...path, segment], value: value[segment] as Json };
}

/** None where it is no list. */
export function itemsOf({ text, path, value, parts }: Written): readonly Written[] {
  const items: readonly Json[] = Array.isArray(value) ? value : [];
  seenCount += items.length + 1;
  if (parts !== undefined) return [...parts.values()];
  return items.map((item, index) => ({ text, path: [...path, index], value: item }));
}

/** None where it is no mapping. */
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

/** A mapping that stays where it is, with other fields. */
export function withFields(whole: Written, fields: ReadonlyMap<PathSegment, Written>): Written {
  seenCount += fields.size + 1;
  const { text, path } = whole;
  const value = Object.fromEntries([...fields].map(([name, field]) => [name, field.value]));
  return { text, path, value, parts: fields };
}

/** A list of other items, which is told where those are that make it what it is. */
export function withItems({ text, path }: Written, items: readonly Written[]): Written {
  seenCount += items.length + 1;
  return { text, path, value: items.map(({ value }) => value), parts: new Map(items.entries()) };
}

/** What came of a value last time, where it says the same now: whatever is known of it then holds. */
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
