/**
 * What a manifest makes of an object that is there: what it says, without what the last one said and this one does not; all else
 * stays. Upstream: apimachinery v0.36 strategicpatch.CreateThreeWayMergePatch with the patch strategies of the API's types. Not
 * modelled: that a change of one of several elements with the same key lands on the first of them.
 */
import { push } from "../multi-map.ts";
import { type FieldMerge, fieldMerge } from "./field-merge.ts";
import { isRecord } from "./json.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The same part of what the last manifest said, of what this one says and of what is there. */
interface Versions<T> {
  readonly before: T;
  readonly said: T;
  readonly current: T;
}

type Lists = Versions<readonly unknown[]>;

/** `model` is "" where nobody knows a way to merge but field by field. */
export function mergedFields({ before, said, current }: Versions<Fields>, model: string): Fields {
  const next: Record<string, unknown> = { ...current };
  for (const key of Object.keys(before))
    if ((said[key] ?? undefined) === undefined) delete next[key];
  for (const [key, value] of Object.entries(said)) {
    if (value === null) delete next[key];
    else if (value !== undefined) {
      const versions = { before: before[key], said: value, current: current[key] };
      next[key] = mergedValue(versions, fieldMerge(model, key));
    }
  }
  return next;
}

function mergedValue({ before, said, current }: Versions<unknown>, merge: FieldMerge): unknown {
  if (Array.isArray(said)) {
    if (!Array.isArray(current)) return said;
    const lists = { before: Array.isArray(before) ? before : [], said, current };
    if (merge.keys.length > 0) return mergedList(lists, merge);
    return merge.isSet ? inOrder({ ...lists, said: [...new Set(said)] }, (item) => item) : said;
  }
  if (!isRecord(said) || !isRecord(current) || merge.isReplaced) return said;
  return mergedStruct({ before: isRecord(before) ? before : {}, said, current }, merge);
}

function mergedStruct(versions: Versions<Fields>, { model, retainsKeys }: FieldMerge): Fields {
  const whole = mergedFields(versions, model);
  if (!retainsKeys) return whole;
  const { said } = versions;
  return Object.fromEntries(Object.entries(whole).filter(([key]) => said[key] !== undefined));
}

function mergedList(lists: Lists, merge: FieldMerge): readonly unknown[] {
  const [key = ""] = merge.keys;
  const keyOf = (item: unknown): unknown => (isRecord(item) ? item[key] : item);
  const known = byKey(lists.current, keyOf);
  const last = byKey(lists.before, keyOf);
  const counts = new Map<unknown, number>();
  const said = lists.said.map((item) => {
    const itemKey = keyOf(item);
    const count = counts.get(itemKey) ?? 0;
    counts.set(itemKey, count + 1);
    const current = known.get(itemKey)?.[count];
    const before = last.get(itemKey)?.[count];
    if (!isRecord(current) || !isRecord(item)) return item;
    return mergedStruct({ before: isRecord(before) ? before : {}, said: item, current }, merge);
  });
  return inOrder({ ...lists, said }, keyOf);
}

type KeyOf = (item: unknown) => unknown;

/** Ports may share a number: of elements with the same key the first meets the first. Upstream: diffListsOfMaps. */
function byKey(list: readonly unknown[], keyOf: KeyOf): ReadonlyMap<unknown, readonly unknown[]> {
  const all = new Map<unknown, unknown[]>();
  for (const item of list) push(all, keyOf(item), item);
  return all;
}

/**
 * The manifest's elements in its order, and those of others, each before the first of the manifest's that it stood before.
 * Upstream: mergeSortedSlice.
 */
function inOrder({ before, said, current }: Lists, keyOf: KeyOf): readonly unknown[] {
  const places = new Map<unknown, number>();
  for (const [index, item] of current.entries())
    if (!places.has(keyOf(item))) places.set(keyOf(item), index);
  const placeOf = (item: unknown): number => places.get(keyOf(item)) ?? 0;
  const own = new Set([...said, ...before].map(keyOf));
  const others = current.filter((item) => !own.has(keyOf(item)));
  const all: unknown[] = [];
  let next = 0;
  for (const item of said) {
    while (next < others.length && placeOf(others[next]) < placeOf(item)) all.push(others[next++]);
    all.push(item);
  }
  return [...all, ...others.slice(next)];
}
