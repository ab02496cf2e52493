/**
 * Applies a strategic merge patch as kustomize does, which differs from the API server: items of the patch come first in a
 * list, `retainKeys` is ignored, and the schema is that of Kubernetes 1.21. Upstream: kustomize v5 kyaml yaml/merge2/merge2.go
 * and yaml/walk, called by api/filters/patchstrategicmerge.
 */

import type { Json } from "../../../engine/api/json.ts";
import { isServed } from "../../../engine/api/meta.ts";
import { mergeModelOf } from "../../../engine/api/patch/field-merge.ts";
import { isRecord, plainText } from "../../yaml/manifest.ts";
import type { PathSegment } from "../../yaml/place.ts";
import { addedList, mergeKeyedLists } from "./merge-lists.ts";
import { mergeOf, unpatched, unpatchedFields } from "./unpatched.ts";
import { fieldsOf, itemsOf, partOf, type Written, withFields, withItems } from "./written.ts";

/**
 * In a patch with a target, labels and annotations become texts, and setting either to null has no effect. Upstream:
 * reswrangler.go ApplySmPatch, resource.go CopyMergeMetaDataFieldsFrom.
 */
export function withTextMetadata(patch: Written): Written {
  const metadata = partOf(patch, "metadata");
  if (metadata === undefined || !isRecord(metadata.value)) return patch;
  const fields = new Map(fieldsOf(metadata));
  for (const name of ["labels", "annotations"]) {
    const field = fields.get(name);
    if (field?.value === null) fields.delete(name);
    if (field === undefined || !isRecord(field.value)) continue;
    const now = new Map<PathSegment, Written>();
    for (const [key, { text, path, value }] of fieldsOf(field))
      now.set(key, { text, path, value: plainText(value) });
    fields.set(name, withFields(field, now));
  }
  return withFields(patch, new Map(fieldsOf(patch)).set("metadata", withFields(metadata, fields)));
}

export interface MergeProblem {
  readonly message: string;
  /** The part of the patch at fault. */
  readonly at: Written;
}

export interface MergeResult {
  /** Undefined if the patch removes the object. */
  readonly merged: Written | undefined;
  readonly problem?: MergeProblem;
}

const directive = "$patch";

/** Fields of the patch that identify the object are not applied. A patch that replaces the whole object has no effect. */
export function mergeStrategically(
  object: Written,
  patch: Written,
  { apiVersion, kind }: Typed,
  keeps: { readonly name: boolean; readonly kind: boolean },
): MergeResult {
  if (partOf(patch, directive)?.value === "replace") return { merged: object };
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
  const model = isKnown(apiVersion, kind) ? mergeModelOf(kind) : "";
  const merged = merge.values(object, withFields(patch, fields), model);
  const { problem } = merge;
  if (problem !== undefined) return { merged: object, problem };
  return { merged: merged === undefined ? undefined : withIdOf(object, merged) };
}

interface Typed {
  readonly apiVersion: string;
  readonly kind: string;
}

/** For other versions kustomize has no schema, and merges field by field. */
function isKnown(apiVersion: string, kind: string): boolean {
  return isServed(apiVersion, kind) || betaVersions.has(`${apiVersion}/${kind}`);
}

const betaVersions: ReadonlySet<string> = new Set(["batch/v1beta1/CronJob"]);

/** Restores name and namespace after the patch has replaced or removed the metadata. */
function withIdOf(object: Written, merged: Written): Written {
  const before = partOf(object, "metadata");
  if (before === undefined || !isRecord(before.value)) return merged;
  const { text, path } = before;
  const metadata = partOf(merged, "metadata") ?? { text, path, value: {} };
  const fields = new Map(fieldsOf(metadata));
  const missing = ["name", "namespace"].filter((name) => !fields.has(name));
  for (const name of missing) {
    const field = partOf(before, name);
    if (field !== undefined) fields.set(name, field);
  }
  if (fields.size === fieldsOf(metadata).size) return merged;
  return withFields(
    merged,
    new Map(fieldsOf(merged)).set("metadata", withFields(metadata, fields)),
  );
}

class Merge {
  problem: MergeProblem | undefined;

  /** Undefined if nothing is left. */
  values(old: Written | undefined, patch: Written, model: string): Written | undefined {
    if (patch.value === null) return undefined;
    if (!isRecord(patch.value))
      return isRecord(old?.value) ? this.#refuse(old as Written, patch) : patch;
    const said = partOf(patch, directive)?.value;
    if (said === "delete") return undefined;
    if (said !== undefined && said !== "replace" && said !== "merge")
      return this.#fail(patch, partOf(patch, directive) ?? patch, unknownStrategy(said));
    if (old === undefined || old.value === null || said === "replace")
      return this.#added(patch, model);
    if (!isRecord(old.value)) return this.#refuse(old, patch);
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
    const said = isRecord(patch.value) ? patch.value : {};
    for (const [name, field] of fieldsOf(old))
      if (!Object.hasOwn(said, name)) fields.set(name, unpatched(field, mergeOf(model, name)));
    return withFields(old, fields);
  }

  /** A value that only the patch has: without the parts that it would remove, and without directives. */
  #added(patch: Written, model: string): Written {
    const now = new Map<PathSegment, Written>();
    for (const [name, field] of fieldsOf(patch)) {
      const added =
        name === directive ? undefined : this.#field(undefined, field, model, `${name}`);
      if (added !== undefined) now.set(name, added);
    }
    return withFields(patch, now);
  }

  #field(
    old: Written | undefined,
    patch: Written,
    model: string,
    name: string,
  ): Written | undefined {
    const { model: own, keys, isSet } = mergeOf(model, name);
    if (!Array.isArray(patch.value)) {
      if (old !== undefined && Array.isArray(old.value) && patch.value !== null)
        return this.#refuse(old, patch);
      return this.values(old, patch, own);
    }
    const isThere = old !== undefined && old.value !== null;
    if (isThere && !Array.isArray(old.value)) return this.#refuse(old, patch);
    if (isSet && !itemsOf(patch).some(isDirective))
      return isThere ? withItems(patch, union(itemsOf(patch), itemsOf(old))) : patch;
    if (keys.length === 0 && !isSet) return patch;
    return this.#lists(isThere ? old : undefined, patch, own, keys);
  }

  /** Merges lists whose items are identified by fields. */
  #lists(
    old: Written | undefined,
    patch: Written,
    model: string,
    keys: readonly string[],
  ): Written | undefined {
    const added = old === undefined ? addedList(itemsOf(patch), keys) : undefined;
    if (added !== undefined) return withItems(patch, added);
    const said = itemsOf(patch).find(isDirective);
    const items = itemsOf(patch).filter((item) => !isDirective(item));
    const of = said === undefined ? undefined : partOf(said, directive)?.value;
    if (of === "delete") return undefined;
    if (said !== undefined && of !== "merge" && of !== "replace")
      return this.#fail(old ?? patch, said, unknownStrategy(of));
    if (keys.length === 0) return withItems(patch, items);
    let hasOthers = old === undefined || of === "replace";
    const there = old === undefined || of === "replace" ? [] : itemsOf(old);
    const now = mergeKeyedLists({
      old: there,
      patch: items,
      keys,
      isReplacement: (item) => partOf(item, directive)?.value === "replace",
      merge: (known, item) => {
        const merged = this.values(known, item, model);
        if (merged === undefined || known === undefined) hasOthers = true;
        return merged;
      },
    });
    const left = new Set(there);
    return withItems(
      hasOthers || old === undefined ? patch : old,
      now.map((item) => (left.has(item) ? unpatchedFields(item, model) : item)),
    );
  }

  #refuse(old: Written, patch: Written): Written {
    const kinds = `expected ${kindOf(old.value)} but got ${kindOf(patch.value)}`;
    return this.#fail(old, patch, `wrong node kind: ${kinds}`);
  }

  #fail(old: Written, at: Written, message: string): Written {
    this.problem ??= { message, at };
    return old;
  }
}

function unknownStrategy(said: Json | undefined): string {
  return `unknown patch strategy '${plainText(said)}'`;
}

function union(first: readonly Written[], others: readonly Written[]): readonly Written[] {
  const said = new Set(first.map(({ value }) => value));
  return [...first, ...others.filter(({ value }) => !said.has(value))];
}

/** True for an item that only contains a directive for the whole list. */
function isDirective({ value }: Written): boolean {
  return isRecord(value) && directive in value && Object.keys(value).length === 1;
}

function kindOf(value: Json): string {
  if (Array.isArray(value)) return "SequenceNode";
  return isRecord(value) ? "MappingNode" : "ScalarNode";
}
