/**
 * The difference between two versions of an object, as a strategic merge patch. Upstream: apimachinery v0.36
 * strategicpatch diffMaps, diffListsOfMaps, diffListsOfScalars. Lists with elements of different types, or without their key,
 * become part of the patch as they are: merging refuses them.
 */

import { compareText } from "../go/text-order.ts";
import { deepEqual, isRecord } from "../json.ts";
import { type FieldMerge, fieldMerge } from "./field-merge.ts";
import { byPlace, firstPlaces } from "./first-places.ts";
import { directive } from "./strategic-directives.ts";

type Fields = Readonly<Record<string, unknown>>;
type Entry = readonly [key: string, value: unknown];

/** What the patch has: what the later version says, or what only the earlier one says. */
export type Difference = "changes" | "deletions";

/** `model` is "" if the fields can only be merged one by one. */
export function diffFields(
  before: Fields,
  after: Fields,
  model: string,
  wanted: Difference,
  retainsKeys = false,
): Fields {
  const patch: Entry[] = [];
  for (const [key, value] of Object.entries(after)) {
    const was = before[key];
    if (value === undefined) continue;
    if (was !== undefined) patch.push(...diffField(key, was, value, model, wanted));
    else if (wanted === "changes") patch.push([key, value]);
  }
  const gone = Object.keys(before).filter(
    (key) => before[key] !== undefined && after[key] === undefined,
  );
  if (wanted === "deletions") for (const key of gone) patch.push([key, null]);
  const isChanged = patch.length > 0 || gone.some((key) => before[key] !== null);
  const kept = Object.keys(after).filter((key) => (after[key] ?? null) !== null);
  if (retainsKeys && kept.length > 0 && isChanged)
    patch.push([directive.retainKeys, kept.sort(compareText)]);
  return Object.fromEntries(patch);
}

function diffField(
  key: string,
  before: unknown,
  after: unknown,
  model: string,
  wanted: Difference,
): readonly Entry[] {
  const merge = fieldMerge(model, key);
  if (isRecord(before) && isRecord(after)) {
    if (merge.isReplaced) return wanted === "changes" ? [[key, after]] : [];
    const patch = diffFields(before, after, merge.model, wanted, merge.retainsKeys);
    return Object.keys(patch).length > 0 ? [[key, patch]] : [];
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const patch = diffLists(key, { before, after, merge, wanted });
    if (patch !== undefined) return patch;
  }
  return wanted === "changes" && !deepEqual(before, after) ? [[key, after]] : [];
}

interface Lists<T> {
  readonly before: readonly T[];
  readonly after: readonly T[];
  readonly merge: FieldMerge;
  readonly wanted: Difference;
}

/** Undefined if the list is replaced as a whole. */
function diffLists(field: string, lists: Lists<unknown>): readonly Entry[] | undefined {
  const { before, after, merge, wanted } = lists;
  if (merge.keys.length === 0 && !merge.isSet) return undefined;
  if (before.length === 0) return wanted === "changes" ? entryOf(field, after) : [];
  if (merge.isSet) return diffSets(field, lists);
  if (!hasKeys(before, merge) || !hasKeys(after, merge)) return undefined;
  return diffKeyed(field, { ...lists, before, after });
}

function hasKeys(list: readonly unknown[], { keys: [key = ""] }: FieldMerge): list is Fields[] {
  return list.every((item) => isRecord(item) && item[key] !== undefined);
}

/** Among elements with the same key, such as ports of one number, the last ones are paired; the rest is new or gone. */
function diffKeyed(
  field: string,
  { before, after, merge, wanted }: Lists<Fields>,
): readonly Entry[] {
  const { keys, model, retainsKeys } = merge;
  const [key = ""] = keys;
  const keyOf = (item: Fields): unknown => item[key];
  const changed: Fields[] = [];
  const deleted: Fields[] = [];
  for (const [was, is] of pairs(before, after, (item) => String(keyOf(item)))) {
    if (was !== undefined && is !== undefined) {
      const patch = diffFields(was, is, model, wanted, retainsKeys);
      if (Object.keys(patch).length > 0) changed.push({ ...patch, [key]: keyOf(is) });
    } else if (is !== undefined && wanted === "changes") changed.push(is);
    else if (was !== undefined && wanted === "deletions")
      deleted.push({ [directive.patch]: "delete", [key]: keyOf(was) });
  }
  const places = after.map(keyOf);
  changed.sort(byPlace(firstPlaces(after, keyOf), keyOf));
  const list = [...changed, ...deleted];
  const isOrderKept = deepEqual(before.map(keyOf), places);
  const isOrdered = list.length > 0 || (wanted === "changes" && !isOrderKept);
  return [
    ...entryOf(field, list),
    ...entryOf(directive.order + field, isOrdered ? places.map((place) => ({ [key]: place })) : []),
  ];
}

function diffSets(field: string, { before, after, wanted }: Lists<unknown>): readonly Entry[] {
  const all = pairs(before, after, String);
  const added = all.filter(([was]) => was === undefined).map(([, is]) => is);
  const deleted = all.filter(([, is]) => is === undefined).map(([was]) => was);
  if (wanted === "deletions") {
    const isOrdered = deleted.length > 0;
    return [
      ...entryOf(directive.deletion + field, [...new Set(deleted)]),
      ...entryOf(directive.order + field, isOrdered ? after : []),
    ];
  }
  const itself = (item: unknown): unknown => item;
  added.sort(byPlace(firstPlaces(after, itself), itself));
  const isOrdered = !deepEqual(sorted(before, String), after);
  return [...entryOf(field, added), ...entryOf(directive.order + field, isOrdered ? after : [])];
}

function entryOf(key: string, list: readonly unknown[]): readonly Entry[] {
  return list.length > 0 ? [[key, list]] : [];
}

type TextOf<T> = (item: T) => string;

/** The elements of both lists in the order of their texts, paired by text; undefined if one has no partner. */
function pairs<T>(
  before: readonly T[],
  after: readonly T[],
  textOf: TextOf<T>,
): readonly (readonly [T | undefined, T | undefined])[] {
  const [old, next] = [sorted(before, textOf), sorted(after, textOf)];
  const all: (readonly [T | undefined, T | undefined])[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < next.length) {
    const [was, is] = [old[i], next[j]];
    const order =
      was === undefined ? 1 : is === undefined ? -1 : compareText(textOf(was), textOf(is));
    all.push([order <= 0 ? was : undefined, order >= 0 ? is : undefined]);
    if (order <= 0) i++;
    if (order >= 0) j++;
  }
  return all;
}

/** Of equal texts the last comes first, because upstream's comparison in Go's sort is not a strict order. */
function sorted<T>(list: readonly T[], textOf: TextOf<T>): readonly T[] {
  return [...list].reverse().sort((a, b) => compareText(textOf(a), textOf(b)));
}
