/**
 * A strategic merge patch laid over an object, as kustomize does it, which is not quite what the API server does: items of
 * the patch come first in a list, and `retainKeys` is not heeded. Upstream: kustomize kyaml yaml/merge2/merge2.go and
 * yaml/walk, called by api/filters/patchstrategicmerge.
 */
import { fieldMerge, mergeModelOf } from "../../../engine/api/field-merge.ts";
import type { Json } from "../../../engine/api/json.ts";
import { isRecord } from "../../yaml/manifest.ts";
import type { PathSegment } from "../../yaml/place.ts";
import { fieldsOf, itemsOf, partOf, type Written, withFields, withItems } from "./written.ts";

export interface MergeProblem {
  readonly message: string;
  /** In the patch. */
  readonly at: Written;
}

export interface MergeResult {
  /** Undefined where the patch removes the object. */
  readonly merged: Written | undefined;
  readonly problem?: MergeProblem;
}

const directive = "$patch";

/** Without the fields that say which object is meant: those stay what they are. */
export function mergeStrategically(
  object: Written,
  patch: Written,
  kind: string,
  keeps: { readonly name: boolean; readonly kind: boolean },
): MergeResult {
  const merge = new Merge();
  const fields = new Map(fieldsOf(patch));
  fields.delete("apiVersion");
  if (keeps.kind) fields.delete("kind");
  const metadata = fields.get("metadata");
  if (metadata !== undefined && isRecord(metadata.value)) {
    const rest = new Map(fieldsOf(metadata));
    rest.delete("namespace");
    if (keeps.name) rest.delete("name");
    fields.set("metadata", withFields(metadata, rest));
  }
  const merged = merge.values(object, withFields(patch, fields), mergeModelOf(kind));
  const { problem } = merge;
  return problem === undefined ? { merged } : { merged: object, problem };
}

class Merge {
  problem: MergeProblem | undefined;

  /** Undefined where nothing is left. */
  values(old: Written | undefined, patch: Written, model: string): Written | undefined {
    if (patch.value === null) return undefined;
    if (!isRecord(patch.value)) return patch;
    const said = partOf(patch, directive)?.value;
    if (said === "delete") return undefined;
    if (old === undefined || old.value === null || said === "replace") return plain(patch);
    if (!isRecord(old.value)) return this.#fail(old, patch);
    return this.#mappings(old, patch, model);
  }

  #mappings(old: Written, patch: Written, model: string): Written {
    const fields = new Map(fieldsOf(old));
    for (const [name, field] of fieldsOf(patch)) {
      if (name === directive) continue;
      const merged = this.#field(fields.get(name), field, model, String(name));
      if (merged === undefined) fields.delete(name);
      else fields.set(name, merged);
    }
    return withFields(old, fields);
  }

  #field(
    old: Written | undefined,
    patch: Written,
    model: string,
    name: string,
  ): Written | undefined {
    const { model: own, keys, isSet } = fieldMerge(model, name);
    if (!Array.isArray(patch.value)) {
      if (old !== undefined && Array.isArray(old.value) && patch.value !== null)
        return this.#fail(old, patch);
      return this.values(old, patch, own);
    }
    if (old === undefined || old.value === null) return plain(patch);
    if (!Array.isArray(old.value)) return this.#fail(old, patch);
    if (isSet) return withItems(patch, union(itemsOf(patch), itemsOf(old)));
    return keys.length === 0 ? patch : this.#lists(old, patch, own, keys);
  }

  /** Lists whose items are told apart by a field. */
  #lists(
    old: Written,
    patch: Written,
    model: string,
    keys: readonly string[],
  ): Written | undefined {
    const said = itemsOf(patch).find(isDirective);
    const items = itemsOf(patch).filter((item) => !isDirective(item));
    const of = said === undefined ? undefined : partOf(said, directive)?.value;
    if (of === "delete") return undefined;
    if (of === "replace") return withItems(patch, items);
    const left = [...itemsOf(old)];
    let hasOthers = false;
    const first = items.flatMap((item) => {
      const index = left.findIndex((other) => isSameItem(other, item, keys));
      const [known] = index < 0 ? [] : left.splice(index, 1);
      const merged = this.values(known, item, model);
      if (merged === undefined || known === undefined) hasOthers = true;
      return merged ?? [];
    });
    return withItems(hasOthers ? patch : old, [...first, ...left]);
  }

  #fail(old: Written, patch: Written): Written {
    const field = patch.path.filter((segment) => typeof segment === "string").join(".");
    this.problem ??= {
      message: `wrong Node Kind for ${field} expected: ${kindOf(old.value)} was ${kindOf(patch.value)}`,
      at: patch,
    };
    return old;
  }
}

/** What a patch brings that was not there: without what it would remove, and without directives. */
function plain(patch: Written): Written {
  if (Array.isArray(patch.value)) {
    const items = itemsOf(patch);
    const kept = items.filter((item) => item.value !== null && !isDirective(item)).map(plain);
    return kept.every((item, index) => item === items[index]) && kept.length === items.length
      ? patch
      : withItems(patch, kept);
  }
  if (!isRecord(patch.value)) return patch;
  const fields = fieldsOf(patch);
  const kept = new Map<PathSegment, Written>();
  for (const [name, field] of fields)
    if (name !== directive && field.value !== null) kept.set(name, plain(field));
  return withFields(patch, kept);
}

function union(first: readonly Written[], others: readonly Written[]): readonly Written[] {
  const said = new Set(first.map(({ value }) => value));
  return [...first, ...others.filter(({ value }) => !said.has(value))];
}

/** An item that says what becomes of the list. */
function isDirective({ value }: Written): boolean {
  return isRecord(value) && directive in value && Object.keys(value).length === 1;
}

/** By the first key; by the others as far as both say them. */
function isSameItem(a: Written, b: Written, [key = "", ...others]: readonly string[]): boolean {
  const [x, y] = [a.value, b.value];
  if (!isRecord(x) || !isRecord(y) || x[key] === undefined || x[key] !== y[key]) return false;
  return others.every(
    (other) => x[other] === undefined || y[other] === undefined || x[other] === y[other],
  );
}

function kindOf(value: Json): string {
  if (Array.isArray(value)) return "SequenceNode";
  return isRecord(value) ? "MappingNode" : "ScalarNode";
}
