/**
 * Merges lists whose items are identified by fields, as kustomize does: items of the patch come first, and a patch item without
 * such a field, which is never valid in Kubernetes, drops the object's items. Upstream: kustomize v5.8 kyaml yaml/walk
 * associative_sequence.go, yaml fns.go ElementSetter and ElementMatcher.
 */
import { isRecord, plainText } from "../../yaml/manifest.ts";
import { partOf, type Written } from "./written.ts";

/** Undefined if nothing is left of the item. */
export type MergeItem = (old: Written | undefined, patch: Written) => Written | undefined;

export interface KeyedLists {
  readonly old: readonly Written[];
  readonly patch: readonly Written[];
  readonly keys: readonly string[];
  /** True if an item is meant to replace another. In fact it never does: the old item is merged over it. */
  readonly isReplacement: (patch: Written) => boolean;
  readonly merge: MergeItem;
}

export function mergeKeyedLists(lists: KeyedLists): readonly Written[] {
  const { old, patch, keys } = lists;
  const [key = "", ...others] = keys;
  if (others.length === 0) return byOneKey(lists, key);
  const all = [...patch, ...old];
  const used = keys.filter((one) => all.some((item) => textOf(item, one) !== ""));
  if (used.length > 1 && all.length <= comparedMax) return bySeveralKeys(lists, used);
  return byOneKey({ ...lists, patch: patch.filter((item) => textOf(item, key) !== "") }, key);
}

/** For longer lists only the first key is compared, because otherwise each item is compared with each other. */
const comparedMax = 500;

function byOneKey({ old, patch, isReplacement, merge }: KeyedLists, key: string): Written[] {
  const withoutKey = old.filter((item) => textOf(item, key) === "");
  if (withoutKey.length > 0) return withoutKey;
  const first = new Map<string, Written>();
  // Of several items with one name the last one stays.
  const last = new Map<string, Written>();
  for (const item of old) {
    const text = textOf(item, key);
    if (!first.has(text)) first.set(text, item);
    last.set(text, item);
  }
  const merged = new Map<string, Written>();
  const seen = new Set<string>();
  for (const item of patch) {
    const text = textOf(item, key);
    if (text === "") last.clear();
    if (text === "" || seen.has(text)) continue;
    seen.add(text);
    const known = last.has(text) ? first.get(text) : undefined;
    const now = merge(known, item);
    if (now === undefined) {
      last.delete(text);
      continue;
    }
    merged.set(text, now);
    if (known !== undefined && last.get(text) === known && !isReplacement(item))
      last.set(text, now);
  }
  for (const [text, item] of last) merged.set(text, item);
  return [...merged.values()];
}

/**
 * For a list that did not exist before, if items of the patch (directives, for example) lack the keys: kustomize keeps such an
 * item as it is and loses the items before it, or with a single key all others. Undefined if every item has a key.
 */
export function addedList(
  patch: readonly Written[],
  keys: readonly string[],
): readonly Written[] | undefined {
  const lacksAll = (item: Written): boolean => keys.every((key) => textOf(item, key) === "");
  const last = patch.findLast(lacksAll);
  if (last === undefined || keys.length === 0) return undefined;
  const all = unified(distinct(patch.map((item) => keys.map((key) => textOf(item, key)))));
  const losesAll = keys.length === 1 || all.some((values) => values.every((value) => value === ""));
  return losesAll ? [last] : patch.slice(patch.indexOf(last));
}

/** An item with fewer key fields is not a separate item: it is skipped if one with more fields matches. */
function bySeveralKeys(
  { old, patch, isReplacement, merge }: KeyedLists,
  keys: readonly string[],
): readonly Written[] {
  const valuesOf = (item: Written): readonly string[] => keys.map((key) => textOf(item, key));
  const all = unified(distinct([...patch, ...old].map(valuesOf)));
  let left = old;
  let merged: readonly Written[] = [];
  for (const values of all) {
    if (values.every((value) => value === "")) {
      left = left.filter((one) => !isAt(one, keys, values));
      continue;
    }
    const known = left.find((item) => says(item, keys, values));
    const item = patch.find((one) => says(one, keys, values));
    const now = item === undefined ? known : merge(known, item);
    if (now === undefined) {
      left = left.filter((one) => !isAt(one, keys, values));
      continue;
    }
    if (known !== undefined && item !== undefined && !isReplacement(item))
      left = left.map((one) => (one === known ? now : one));
    merged = [...merged.filter((one) => !isAt(one, keys, values)), now];
  }
  for (const item of left) {
    const said = keys.filter((key) => textOf(item, key) !== "");
    const values = said.map((key) => textOf(item, key));
    merged = [...merged.filter((one) => !isAt(one, said, values)), item];
  }
  return merged;
}

/** True if the item has the values, ignoring empty ones. */
function says(item: Written, keys: readonly string[], values: readonly string[]): boolean {
  return keys.every((key, index) => values[index] === "" || textOf(item, key) === values[index]);
}

/** True if the item has all the keys and no other values. */
function isAt(item: Written, keys: readonly string[], values: readonly string[]): boolean {
  return keys.every((key) => textOf(item, key) !== "") && says(item, keys, values);
}

/** Unifies compatible values: `80` and `80, TCP` are the same. */
function unified(all: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const now = [...all];
  for (const index of now.keys())
    for (const other of now.keys()) {
      const both = together(now[index] ?? [], now[other] ?? []);
      if (both !== undefined) {
        now[index] = both;
        now[other] = both;
      }
    }
  return now;
}

function together(a: readonly string[], b: readonly string[]): readonly string[] | undefined {
  const isAlike = a.some((value, index) => value === b[index]);
  const differs = a.some((value, index) => value !== b[index] && value !== "" && b[index] !== "");
  return isAlike && !differs ? a.map((value, index) => value || (b[index] ?? "")) : undefined;
}

function distinct(all: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return [...new Map(all.map((values) => [JSON.stringify(values), values])).values()];
}

/** "" if there is none. */
function textOf(item: Written, key: string): string {
  const value = isRecord(item.value) ? partOf(item, key)?.value : undefined;
  return value === undefined || value === null || typeof value === "object" ? "" : plainText(value);
}
