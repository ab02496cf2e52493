/**
 * Sets fields of an object as kustomize's transformers do; a new value's place is in the kustomization. If something else is in
 * the way, the object stays unchanged, which kustomize refuses. Upstream: kustomize v5.8 api/filters/fieldspec fieldspec.go
 * Filter, api/filters/labels, api/filters/annotations and api/filters/replicacount.
 */
import type { Json } from "../../../engine/api/json.ts";
import { scalarSpan } from "../../yaml/locate.ts";
import { isRecord, plainText, valueAt } from "../../yaml/manifest.ts";
import type { FieldSpec, Kinds } from "./field-specs.ts";
import { splitVersion } from "./patch-target.ts";
import {
  fieldsOf,
  itemsOf,
  noteSeen,
  partOf,
  type Written,
  withFields,
  withItems,
} from "./written.ts";

/** Maps the old value, which is empty if the field was just created, to the new one. */
export type Change = (old: Written) => Written;

/** `by` is the part of the kustomization for which fields are created. */
export function changeFields(
  object: Written,
  specs: readonly FieldSpec[],
  by: Written,
  change: Change,
): Written {
  noteSeen(specs.length);
  return specs
    .filter((spec) => isOf(object.value, spec))
    .reduce((at, spec) => changed(at, spec.path, { create: spec.create, by, change }), object);
}

/** Merges the pairs of a mapping in a kustomization into the fields. */
export function setPairs(object: Written, specs: readonly FieldSpec[], pairs: Written): Written {
  return changeFields(object, specs, pairs, (old) => {
    if (old.value !== null && !isRecord(old.value)) return old;
    const fields = new Map(fieldsOf(old));
    for (const [key, { text, path, value }] of fieldsOf(pairs))
      fields.set(key, { text, path, value: value === null ? "" : plainText(value) });
    return withFields(old, fields);
  });
}

/**
 * Turns annotations that are not texts into texts, lists and mappings into empty ones; labels stay as they are. Upstream: kyaml
 * yaml.RNode.SetAnnotations, called for each build.
 */
export function withTextAnnotations(object: Written): Written {
  const metadata = partOf(object, "metadata");
  const annotations = metadata === undefined ? undefined : partOf(metadata, "annotations");
  if (metadata === undefined || !isRecord(annotations?.value)) return object;
  const isOther = (value: Json): boolean => typeof value !== "string";
  const fields = fieldsOf(annotations);
  if (![...fields.values()].some(({ value }) => isOther(value))) return object;
  const now = new Map(
    [...fields].map(([key, field]) => [
      key,
      isOther(field.value)
        ? { text: field.text, path: field.path, value: asWritten(field) }
        : field,
    ]),
  );
  const whole = new Map(fieldsOf(metadata)).set("annotations", withFields(annotations, now));
  return withFields(object, new Map(fieldsOf(object)).set("metadata", withFields(metadata, whole)));
}

/** Keeps the spelling of unchanged values such as `yes` and `1.50`. */
function asWritten({ text: { yaml }, path, value }: Written): string {
  if (typeof value === "object" && value !== null) return "";
  const span = valueAt(yaml.value, path) === value ? scalarSpan(yaml, path) : undefined;
  return span === undefined ? plainText(value) : yaml.text.slice(span.start, span.end);
}

/** Upstream: kyaml resid.Gvk.IsSelected. */
export function isOf(value: Json, { group, version, kind }: Kinds): boolean {
  const apiVersion = valueAt(value, ["apiVersion"]);
  const [ownGroup, ownVersion] = splitVersion(typeof apiVersion === "string" ? apiVersion : "");
  return (
    (kind === undefined || kind === valueAt(value, ["kind"])) &&
    (group === undefined || group === ownGroup) &&
    (version === undefined || version === ownVersion)
  );
}

interface Setting {
  readonly create: boolean;
  readonly by: Written;
  readonly change: Change;
}

/** Returns the same part if there is nothing to change. */
function changed(at: Written, [name, ...path]: readonly string[], setting: Setting): Written {
  if (name === undefined) return setting.change(at);
  if (Array.isArray(at.value)) {
    const items = itemsOf(at);
    const now = items.map((item) => changed(item, [name, ...path], setting));
    return now.every((item, index) => item === items[index]) ? at : withItems(at, now);
  }
  if (!isRecord(at.value)) return at;
  const isList = name.endsWith("[]");
  const field = isList ? name.slice(0, -"[]".length) : name;
  const there = partOf(at, field);
  const { text, path: place } = setting.by;
  const empty = { text, path: place, value: path.length === 0 ? null : {} };
  const old = there ?? (setting.create && !isList ? empty : undefined);
  const now = old === undefined ? undefined : changed(old, path, setting);
  if (now === undefined || now === there) return at;
  return withFields(at, new Map(fieldsOf(at)).set(field, now));
}
