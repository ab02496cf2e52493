/**
 * A strategic merge patch on an object, or on another patch. Upstream: apimachinery v0.36 strategicpatch mergeMap,
 * mergePatchIntoOriginal, mergeSlice. Not modelled: that a patch is refused whose parts contradict each other.
 */
import { type FieldMerge, fieldMerge } from "./field-merge.ts";
import { byPlace, firstPlaces } from "./first-places.ts";
import { isRecord } from "./json.ts";
import { directive } from "./strategic-directives.ts";

type Fields = Readonly<Record<string, unknown>>;
type List = readonly unknown[];

/** Directives that are laid over another patch are part of what comes of it. */
type Target = "object" | "patch";

/** `model` is "" where nobody knows a way to merge but field by field. */
export function patched(object: Fields, patch: Fields, model: string): Fields {
  return merged(object, patch, model, "object");
}

/** One patch that does what the first does and then the second. */
export function united(first: Fields, second: Fields, model: string): Fields {
  return merged(first, second, model, "patch");
}

function merged(original: Fields, patch: Fields, model: string, target: Target): Fields {
  const { [directive.patch]: wanted, ...rest } = patch;
  if (wanted === "replace") return rest;
  if (wanted === "delete") return {};
  const next = new Map(Object.entries(original).filter(([, value]) => value !== undefined));
  const left = new Map(Object.entries(patch));
  retainKeys(next, left, target);
  for (const [key, order] of left) {
    if (!key.startsWith(directive.order) || !Array.isArray(order)) continue;
    left.delete(key);
    if (target === "patch") next.set(key, order);
    const field = key.slice(directive.order.length);
    const merge = fieldMerge(model, field);
    const list = orderedList(
      listOf(next.get(field)),
      listOf(left.get(field)),
      merge,
      target,
      order,
    );
    left.delete(field);
    if (list !== undefined) next.set(field, list);
  }
  for (const [key, value] of left) mergeField(next, key, value, model, target);
  return Object.fromEntries(next);
}

function listOf(value: unknown): List | undefined {
  return Array.isArray(value) ? value : undefined;
}

/** Leaves nothing but what the directive names, and takes it out of the patch. */
function retainKeys(next: Map<string, unknown>, left: Map<string, unknown>, target: Target): void {
  const list = listOf(left.get(directive.retainKeys));
  if (list === undefined) return;
  left.delete(directive.retainKeys);
  const kept = new Set(list);
  if (target === "patch") next.set(directive.retainKeys, list);
  else for (const key of next.keys()) if (!kept.has(key)) next.delete(key);
}

function mergeField(
  next: Map<string, unknown>,
  key: string,
  value: unknown,
  model: string,
  target: Target,
): void {
  if (key.startsWith(directive.deletion)) {
    if (target === "patch") next.set(key, value);
    else deleteFrom(next, key.slice(directive.deletion.length), listOf(value) ?? []);
    return;
  }
  if (value === null) {
    next.delete(key);
    // Whoever applies the patch has to be told.
    if (target === "patch") next.set(key, null);
    return;
  }
  const current = next.get(key);
  const merge = fieldMerge(model, key);
  if (isRecord(current) && isRecord(value)) {
    next.set(key, merge.isReplaced ? value : merged(current, value, merge.model, target));
  } else if (Array.isArray(current) && Array.isArray(value)) {
    const isMerged = merge.keys.length > 0 || merge.isSet;
    next.set(key, isMerged ? mergedList(current, value, merge, target).list : value);
  } else {
    const plain = withoutDirectives(target === "object" ? withoutNulls(value) : value);
    if (plain === undefined) next.delete(key);
    else next.set(key, plain);
  }
}

function deleteFrom(next: Map<string, unknown>, field: string, items: List): void {
  const list = listOf(next.get(field));
  const deleted = new Set(items);
  const stays = (item: unknown): boolean => !deleted.has(item);
  if (list !== undefined) next.set(field, list.filter(stays));
}

type KeyOf = (item: unknown) => unknown;

function keyOfItems({ keys: [key] }: FieldMerge): KeyOf {
  return (item) => (key !== undefined && isRecord(item) ? item[key] : item);
}

/** Undefined where there is no such list. */
function orderedList(
  current: List | undefined,
  patch: List | undefined,
  merge: FieldMerge,
  target: Target,
  order: List,
): List | undefined {
  const keyOf = keyOfItems(merge);
  if (patch === undefined) return current && inOrder(current, order, current, keyOf);
  if (current === undefined) return inOrder(withoutDirectives(patch) as List, order, [], keyOf);
  const { list, places } = mergedList(current, patch, merge, target);
  return inOrder(list, order, places, keyOf);
}

interface MergedList {
  readonly list: List;
  /** The list that was there, as the merge has left its array: what was added stands where something was deleted. */
  readonly places: List;
}

function mergedList(current: List, patch: List, merge: FieldMerge, target: Target): MergedList {
  const keyOf = keyOfItems(merge);
  if (merge.isSet) {
    const list = [...new Set([...current, ...patch])];
    return { list: inOrder(list, patch, current, keyOf), places: current };
  }
  const deleted = new Set(patch.filter((item) => directiveOf(item) === "delete").map(keyOf));
  const changes = patch.filter((item) => directiveOf(item) === undefined);
  if (patch.some((item) => directiveOf(item) === "replace"))
    return { list: changes, places: current };
  const survivors = current.filter((item) => !deleted.has(keyOf(item)));
  const list = [...survivors];
  const placeOf = firstPlaces(survivors, keyOf);
  for (const change of changes) {
    const at = placeOf.get(keyOf(change)) ?? list.length;
    const known = list[at];
    if (isRecord(known) && isRecord(change)) list[at] = merged(known, change, merge.model, target);
    else {
      if (at === list.length) placeOf.set(keyOf(change), at);
      list.push(change);
    }
  }
  return {
    list: inOrder(list, changes, survivors, keyOf),
    places: list.slice(0, current.length),
  };
}

function directiveOf(item: unknown): unknown {
  return isRecord(item) ? item[directive.patch] : undefined;
}

/**
 * The elements that `order` names in its order; the others as they were, each before the first of these that it stood before in
 * `places`. Upstream: normalizeElementOrder, mergeSortedSlice.
 */
function inOrder(list: List, order: List, places: List, keyOf: KeyOf): List {
  const wanted = firstPlaces(order, keyOf);
  const known = firstPlaces(places, keyOf);
  const placeOf = (item: unknown): number => known.get(keyOf(item)) ?? -1;
  const own = list.filter((item) => wanted.has(keyOf(item))).sort(byPlace(wanted, keyOf));
  const others = list.filter((item) => !wanted.has(keyOf(item))).sort(byPlace(known, keyOf));
  const all: unknown[] = [];
  let next = 0;
  for (const item of own) {
    const place = placeOf(item);
    for (; next < others.length && placeOf(others[next]) < place; next++) all.push(others[next]);
    all.push(item);
  }
  return [...all, ...others.slice(next)];
}

/** Undefined of what is meant for something that is not there. Other directives than `$patch` stay. Upstream: removeDirectives. */
function withoutDirectives(value: unknown): unknown {
  if (Array.isArray(value))
    return value.map(withoutDirectives).filter((item) => item !== undefined);
  if (!isRecord(value)) return value;
  if (directive.patch in value) return undefined;
  const entries = Object.entries(value).map(
    ([key, item]) => [key, withoutDirectives(item)] as const,
  );
  return Object.fromEntries(entries.filter(([, item]) => item !== undefined));
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).filter(([, item]) => item !== null);
  return Object.fromEntries(entries.map(([key, item]) => [key, withoutNulls(item)]));
}
