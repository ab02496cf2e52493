/**
 * Applies a strategic merge patch to an object, or to another patch. Upstream: apimachinery v0.36 strategicpatch mergeMap,
 * mergePatchIntoOriginal, mergeSlice.
 */

import { isRecord } from "../json.ts";
import type { ApiError } from "../meta.ts";
import { type FieldMerge, fieldMerge } from "./field-merge.ts";
import { byPlace, firstPlaces } from "./first-places.ts";
import { directive } from "./strategic-directives.ts";
import {
  badRetainKeys,
  mergedLists,
  noList,
  noMap,
  otherElements,
  otherOrder,
  unknownDirective,
  withoutKey,
} from "./strategic-refusals.ts";

type Fields = Readonly<Record<string, unknown>>;
type List = readonly unknown[];

export type Patched =
  | {
      readonly ok: true;
      readonly fields: Fields;
      /** The patch without the directives that have been obeyed, as the server shows it; undefined if it is not strategic. */
      readonly left: Fields | undefined;
    }
  | { readonly ok: false; readonly error: ApiError };

/** `model` is "" if the fields can only be merged one by one. */
export function patched(object: Fields, patch: Fields, model: string): Patched {
  return new Merge("object").answer(object, patch, model);
}

/** One patch with the effect of the first and then the second. */
export function united(first: Fields, second: Fields, model: string): Patched {
  return new Merge("patch").answer(first, second, model);
}

/** The merged value, and what is left of its patch. */
interface Merged<T> {
  readonly value: T;
  readonly left: T;
}

interface MergedList extends Merged<List> {
  /** The old list as the merge has left its array: added elements are in the places of deleted ones. */
  readonly places: List;
}

class Merge {
  /** Directives that are merged into another patch become part of the result. */
  readonly #target: "object" | "patch";
  #error: ApiError | undefined;

  constructor(target: "object" | "patch") {
    this.#target = target;
  }

  answer(original: Fields, patch: Fields, model: string): Patched {
    const { value, left } = this.#map(original, patch, model);
    if (this.#error !== undefined) return { ok: false, error: this.#error };
    return { ok: true, fields: value, left };
  }

  /** Only the first error counts; the rest of the result is discarded. */
  #refuse(error: ApiError): void {
    this.#error ??= error;
  }

  #map(original: Fields, patch: Fields, model: string): Merged<Fields> {
    if (directive.patch in patch) {
      const { [directive.patch]: wanted, ...rest } = patch;
      if (wanted === "replace") return { value: rest, left: rest };
      if (wanted !== "delete") this.#refuse(unknownDirective(wanted, patch));
      return { value: {}, left: patch };
    }
    const next = new Map(Object.entries(original).filter(([, value]) => value !== undefined));
    const left = new Map(Object.entries(patch));
    this.#retainKeys(next, left);
    for (const [key, order] of left) {
      if (!key.startsWith(directive.order)) continue;
      left.delete(key);
      if (this.#target === "patch") next.set(key, order);
      this.#order(next, left, key.slice(directive.order.length), order, model);
    }
    for (const [key, value] of left) left.set(key, this.#field(next, key, value, model));
    return { value: Object.fromEntries(next), left: Object.fromEntries(left) };
  }

  /** Keeps only what the directive names, and removes the directive from the patch. */
  #retainKeys(next: Map<string, unknown>, left: Map<string, unknown>): void {
    const list = left.get(directive.retainKeys);
    if (list === undefined) return;
    left.delete(directive.retainKeys);
    if (this.#target === "patch") {
      next.set(directive.retainKeys, list);
      return;
    }
    const kept = new Set(listOf(list));
    const isSaid = ([key, value]: readonly [string, unknown]): boolean =>
      value === null ||
      kept.has(key) ||
      key.startsWith(directive.deletion) ||
      key.startsWith(directive.order);
    if (!Array.isArray(list) || ![...left].every(isSaid)) this.#refuse(badRetainKeys);
    for (const key of next.keys()) if (!kept.has(key)) next.delete(key);
  }

  /** Merges a list and puts it into the order that a directive names. */
  #order(
    next: Map<string, unknown>,
    left: Map<string, unknown>,
    field: string,
    order: unknown,
    model: string,
  ): void {
    const lists = [order, next.get(field), left.get(field)];
    left.delete(field);
    for (const list of lists)
      if (list !== undefined && !Array.isArray(list)) this.#refuse(noList(list));
    const [wanted = [], current, patch] = lists.map(listOf);
    const merge = fieldMerge(model, field);
    const keyOf = keyOfItems(merge);
    if (patch !== undefined) this.#checkOrder(patch, wanted, merge);
    if (patch === undefined) {
      if (current !== undefined) next.set(field, inOrder(current, wanted, current, keyOf));
    } else if (current === undefined)
      next.set(field, inOrder(withoutDirectives(patch) as List, wanted, [], keyOf));
    else {
      const { value, places } = this.#list(current, patch, merge);
      next.set(field, inOrder(value, wanted, places, keyOf));
    }
  }

  /** The order must have all that the patch changes or adds, in its order. Upstream: validatePatchWithSetOrderList. */
  #checkOrder(patch: List, order: List, merge: FieldMerge): void {
    if (order.length === 0) return;
    const keyOf = keyOfItems(merge);
    const [key] = merge.keys;
    let at = 0;
    for (const item of patch) {
      if (directiveOf(item) !== undefined) continue;
      while (at < order.length && this.#haveKey([item, order[at]], key)) {
        if (keyOf(order[at]) === keyOf(item)) break;
        at++;
      }
      if (at === order.length) this.#refuse(otherOrder(patch, order));
      at++;
    }
  }

  #haveKey(items: List, key: string | undefined): boolean {
    for (const item of items) {
      if (key === undefined || (isRecord(item) && key in item)) continue;
      this.#refuse(isRecord(item) ? withoutKey(item, key) : noMap(item));
      return false;
    }
    return true;
  }

  /** Returns what is left of the patch's value. */
  #field(next: Map<string, unknown>, key: string, value: unknown, model: string): unknown {
    if (key.startsWith(directive.deletion)) {
      if (this.#target === "patch") next.set(key, value);
      else deleteFrom(next, key.slice(directive.deletion.length), listOf(value) ?? []);
      return value;
    }
    if (value === null) {
      next.delete(key);
      // Whoever applies the resulting patch needs the null.
      if (this.#target === "patch") next.set(key, null);
      return value;
    }
    const merged = this.#value(next.get(key), value, fieldMerge(model, key));
    if (merged.value === undefined) next.delete(key);
    else next.set(key, merged.value);
    return merged.left;
  }

  #value(current: unknown, value: unknown, merge: FieldMerge): Merged<unknown> {
    if (isRecord(current) && isRecord(value))
      return merge.isReplaced ? { value, left: value } : this.#map(current, value, merge.model);
    if (Array.isArray(current) && Array.isArray(value)) {
      const isMerged = merge.keys.length > 0 || merge.isSet;
      return isMerged ? this.#list(current, value, merge) : { value, left: value };
    }
    const full = this.#target === "object" ? withoutNulls(value) : value;
    const plain = withoutDirectives(full);
    return { value: plain, left: plain ?? full };
  }

  /** Upstream: mergeSliceWithSpecialElements, mergeSliceWithoutSpecialElements. */
  #checkElements(patch: List, { keys: [key] }: FieldMerge): void {
    for (const item of patch) {
      const wanted = directiveOf(item);
      if (!isRecord(item) || wanted === "replace") continue;
      if (wanted === "merge") this.#refuse(mergedLists);
      else if (wanted !== undefined && wanted !== "delete")
        this.#refuse(unknownDirective(wanted, item));
      else this.#haveKey([item], key);
    }
  }

  #list(current: List, patch: List, merge: FieldMerge): MergedList {
    const keyOf = keyOfItems(merge);
    this.#error ??= otherElements(current, patch);
    if (merge.isSet) {
      const list = [...new Set([...current, ...patch])];
      return { value: inOrder(list, patch, current, keyOf), left: patch, places: current };
    }
    this.#checkElements(patch, merge);
    const deleted = new Set(patch.filter((item) => directiveOf(item) === "delete").map(keyOf));
    const changes = patch.filter((item) => directiveOf(item) === undefined);
    if (patch.some((item) => directiveOf(item) === "replace"))
      return { value: changes, left: patch, places: current };
    const survivors = current.filter((item) => !deleted.has(keyOf(item)));
    const list = [...survivors];
    const lefts = new Map<unknown, unknown>();
    const placeOf = firstPlaces(survivors, keyOf);
    for (const change of changes) {
      const at = placeOf.get(keyOf(change)) ?? list.length;
      const known = list[at];
      if (isRecord(known) && isRecord(change)) {
        const merged = this.#map(known, change, merge.model);
        list[at] = merged.value;
        lefts.set(change, merged.left);
      } else {
        if (at === list.length) placeOf.set(keyOf(change), at);
        list.push(change);
      }
    }
    return {
      value: inOrder(list, changes, survivors, keyOf),
      left: patch.map((item) => lefts.get(item) ?? item),
      places: list.slice(0, current.length),
    };
  }
}

function listOf(value: unknown): List | undefined {
  return Array.isArray(value) ? value : undefined;
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

function directiveOf(item: unknown): unknown {
  return isRecord(item) ? item[directive.patch] : undefined;
}

/**
 * The elements that `order` names, in its order. Each other element comes before the first of these that it precedes in
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

/** Undefined for a patch of something that does not exist. Directives other than `$patch` stay. Upstream: removeDirectives. */
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
