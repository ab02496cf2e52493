/**
 * What a strategic merge patch does to parts of an object that it does not mention: kustomize walks through these as well, and
 * of list items with the same key the last one stays. Upstream: kustomize v5.8 kyaml yaml/walk walk.go and
 * associative_sequence.go.
 */
import { type FieldMerge, fieldMerge } from "../../../engine/api/patch/field-merge.ts";
import { isRecord } from "../../yaml/manifest.ts";
import type { PathSegment } from "../../yaml/place.ts";
import { mergeKeyedLists } from "./merge-lists.ts";
import { fieldsOf, itemsOf, type Written, withFields, withItems } from "./written.ts";

/** Lists that Kubernetes 1.21 did not have or did not merge, so that kustomize replaces them. */
const replacedLists: ReadonlySet<string> = new Set([
  "PodSpec.resourceClaims",
  "PodSpec.schedulingGates",
  "ServiceAccount.imagePullSecrets",
]);

/** How kustomize merges a field. */
export function mergeOf(model: string, name: PathSegment): FieldMerge {
  const merge = fieldMerge(model, String(name));
  return replacedLists.has(`${model}.${name}`) ? { ...merge, keys: [] } : merge;
}

/** Removes duplicates from a field; returns the same field if there are none. */
export function unpatched(field: Written, { model, keys, isSet }: FieldMerge): Written {
  if (!Array.isArray(field.value)) return unpatchedFields(field, model);
  if (isSet) {
    const all = itemsOf(field);
    const distinct = new Map(all.map((item) => [item.value, item]));
    return distinct.size === all.length ? field : withItems(field, [...distinct.values()]);
  }
  if (keys.length === 0) return field;
  const old = itemsOf(field);
  const list = { old, patch: [], keys, isReplacement: () => false, merge: () => undefined };
  const now = mergeKeyedLists(list).map((item) => unpatchedFields(item, model));
  const isSame = now.length === old.length && now.every((item, index) => item === old[index]);
  return isSame ? field : withItems(field, now);
}

/** The same for the fields of a mapping; anything else is returned unchanged. */
export function unpatchedFields(whole: Written, model: string): Written {
  if (!isRecord(whole.value)) return whole;
  const fields = fieldsOf(whole);
  const now = new Map(
    [...fields].map(([name, field]) => {
      const isScalar = typeof field.value !== "object" || field.value === null;
      return [name, isScalar ? field : unpatched(field, mergeOf(model, name))] as const;
    }),
  );
  return [...fields].every(([name, field]) => now.get(name) === field)
    ? whole
    : withFields(whole, now);
}
