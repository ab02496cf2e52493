/**
 * A list of operations applied to an object (RFC 6902), with the messages of the library that kustomize has it done by.
 * Upstream: github.com/evanphx/json-patch v4.13, patch.go.
 */
import { deepEqual, type Json } from "../../../engine/api/json.ts";
import { isRecord, valueAt as valueAtPath } from "../../yaml/manifest.ts";
import type { PathSegment } from "../../yaml/place.ts";
import { isTooLarge, tooLarge } from "./object-size.ts";
import type { MergeProblem } from "./strategic-merge.ts";
import {
  fieldsOf,
  itemsOf,
  partOf,
  partsSeen,
  partsSeenMax,
  type Written,
  withFields,
  withItems,
} from "./written.ts";

export interface JsonPatchResult {
  /** As it was where there is a problem: all operations are applied, or none. */
  readonly patched: Written;
  readonly problem?: MergeProblem;
}

const tooManyChanges = "these operations change too much to be applied here";

/** What an operation leaves, or why it does not apply. */
type Answer = Written | string;

export function applyJsonPatch(object: Written, operations: Written): JsonPatchResult {
  let patched = withAnnotations(object);
  const seenBefore = partsSeen();
  for (const operation of itemsOf(operations)) {
    const isTooMuch = partsSeen() - seenBefore > partsSeenMax;
    const answer = isTooMuch ? tooManyChanges : applied(patched, operation);
    if (typeof answer === "string") {
      const at = partOf(operation, "path") ?? operation;
      return { patched: object, problem: { message: answer, at } };
    }
    patched = answer;
  }
  const problem = problemOf(patched.value);
  if (problem === undefined) return { patched: withoutEmptyAnnotations(patched) };
  return { patched: object, problem: { message: problem, at: operations } };
}

/** Kustomize keeps notes of its own there while it patches. Upstream: PatchTransformer.go transformJson6902, StorePreviousId. */
function withAnnotations(object: Written): Written {
  const metadata = partOf(object, "metadata");
  if (metadata === undefined || !isRecord(metadata.value)) return object;
  if (isRecord(partOf(metadata, "annotations")?.value)) return object;
  const { text, path } = metadata;
  const fields = new Map(fieldsOf(metadata)).set("annotations", { text, path, value: {} });
  return withFields(
    object,
    new Map(fieldsOf(object)).set("metadata", withFields(metadata, fields)),
  );
}

function withoutEmptyAnnotations(object: Written): Written {
  const metadata = partOf(object, "metadata");
  const annotations = metadata === undefined ? undefined : partOf(metadata, "annotations")?.value;
  if (metadata === undefined || !isRecord(annotations) || Object.keys(annotations).length > 0)
    return object;
  const fields = new Map(fieldsOf(metadata));
  fields.delete("annotations");
  return withFields(
    object,
    new Map(fieldsOf(object)).set("metadata", withFields(metadata, fields)),
  );
}

function problemOf(value: Json): string | undefined {
  const [kind, name] = [["kind"], ["metadata", "name"]].map((path) => valueAtPath(value, path));
  if (kind === undefined || kind === null || kind === "") return "missing kind in object";
  if (name === undefined || name === null || name === "") return "missing metadata.name in object";
  return isTooLarge(value) ? tooLarge : undefined;
}

function applied(whole: Written, operation: Written): Answer {
  if (!isRecord(operation.value)) return "error decoding patch: an operation is a mapping";
  const { op, path, from } = operation.value;
  if (typeof path !== "string") return "operation missing path field: missing value";
  // A value that is missing is null.
  const value = partOf(operation, "value") ?? { ...operation, value: null };
  switch (op) {
    case "add":
      return added(whole, path, value);
    case "remove":
      return removed(whole, path, "remove", partOf(operation, "path") ?? operation);
    case "replace":
      return replaced(whole, path, value);
    case "move":
    case "copy":
      return typeof from === "string"
        ? moved(whole, from, path, op, partOf(operation, "path") ?? operation)
        : `error in ${op} for path: '${path}': operation missing from field: missing value`;
    case "test":
      return tested(whole, path, value.value);
    default:
      return `Unexpected kind: ${typeof op === "string" ? op : "unknown"}`;
  }
}

function added(whole: Written, path: string, value: Written): Answer {
  const fail = (why: string): string => `error in add for path: '${path}': ${why}`;
  return (
    inParent(whole, path, (parent, key) => {
      if (isRecord(parent.value))
        return withFields(parent, new Map(fieldsOf(parent)).set(key, value));
      const items = [...itemsOf(parent)];
      const index = key === "-" ? items.length : indexIn(key, items.length + 1);
      if (typeof index === "string") return fail(index);
      items.splice(index, 0, value);
      return withItems(value, items);
    }) ?? `add operation does not apply: doc is missing path: "${path}": missing value`
  );
}

function removed(whole: Written, path: string, verb: string, by: Written): Answer {
  const fail = (why: string): string => `error in ${verb} for path: '${path}': ${why}`;
  return (
    inParent(whole, path, (parent, key) => {
      if (isRecord(parent.value)) {
        const fields = new Map(fieldsOf(parent));
        return fields.delete(key)
          ? withFields(parent, fields)
          : fail(`Unable to remove nonexistent key: ${key}: missing value`);
      }
      const items = [...itemsOf(parent)];
      const index = indexIn(key, items.length);
      if (typeof index === "string") return fail(index);
      items.splice(index, 1);
      return withItems(by, items);
    }) ?? `${verb} operation does not apply: doc is missing path: "${path}": missing value`
  );
}

/** A field of a mapping need not be there: this library does not look. */
function replaced(whole: Written, path: string, value: Written): Answer {
  if (path === "") return value;
  return (
    inParent(whole, path, (parent, key) => {
      if (isRecord(parent.value))
        return withFields(parent, new Map(fieldsOf(parent)).set(key, value));
      const items = [...itemsOf(parent)];
      const index = indexIn(key, items.length);
      if (typeof index === "string")
        return `replace operation does not apply: doc is missing key: ${path}: missing value`;
      items[index] = value;
      return withItems(value, items);
    }) ?? `replace operation does not apply: doc is missing path: ${path}: missing value`
  );
}

function moved(
  whole: Written,
  from: string,
  path: string,
  verb: "move" | "copy",
  by: Written,
): Answer {
  const found = valueAt(whole, from);
  const isCopied = verb === "copy" && found === undefined && isInMapping(whole, from);
  const value = isCopied ? { ...by, value: null } : found;
  if (value === undefined)
    return `${verb} operation does not apply: doc is missing from path: ${from}: missing value`;
  const rest = verb === "move" ? removed(whole, from, verb, by) : whole;
  return typeof rest === "string" ? rest : added(rest, path, value);
}

function tested(whole: Written, path: string, wanted: Json): Answer {
  const found = valueAt(whole, path)?.value ?? null;
  return deepEqual(found, wanted) ? whole : `testing value ${path} failed: test failed`;
}

function valueAt(whole: Written, path: string): Written | undefined {
  let at: Written | undefined = whole;
  for (const key of keysOf(path))
    at = at === undefined ? undefined : partOf(at, segmentIn(at, key));
  return at;
}

/** Changes what holds the last key of a path; undefined where there is no such mapping or list. */
function inParent(
  whole: Written,
  path: string,
  change: (parent: Written, key: string) => Answer,
): Answer | undefined {
  const keys = keysOf(path);
  const last = keys.pop();
  return last === undefined ? undefined : changed(whole, keys, (parent) => change(parent, last));
}

function changed(
  at: Written,
  [key, ...keys]: readonly string[],
  change: (parent: Written) => Answer,
): Answer | undefined {
  const isList = Array.isArray(at.value);
  if (!isList && !isRecord(at.value)) return undefined;
  if (key === undefined) return change(at);
  const segment = segmentIn(at, key);
  const part = partOf(at, segment);
  const answer = part === undefined ? undefined : changed(part, keys, change);
  if (answer === undefined || typeof answer === "string") return answer;
  if (!isList) return withFields(at, new Map(fieldsOf(at)).set(segment, answer));
  return withItems(
    at,
    itemsOf(at).map((item, index) => (index === segment ? answer : item)),
  );
}

function keysOf(path: string): string[] {
  return path
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Whether the last key of the path may be any: what a mapping lacks is null to this library. */
function isInMapping(whole: Written, path: string): boolean {
  const parent = path.slice(0, Math.max(0, path.lastIndexOf("/")));
  return isRecord(valueAt(whole, parent)?.value);
}

function segmentIn({ value }: Written, key: string): PathSegment {
  if (!Array.isArray(value)) return key;
  const index = indexIn(key, value.length);
  return typeof index === "string" ? -1 : index;
}

/** Counted from the end where it is negative; a text says what is wrong with it. */
function indexIn(key: string, length: number): number | string {
  if (!/^[-+]?\d+$/.test(key)) return `strconv.Atoi: parsing "${key}": invalid syntax`;
  const index = Number(key);
  const known = index < 0 ? index + length : index;
  return known >= 0 && known < length
    ? known
    : `Unable to access invalid index: ${index}: invalid index referenced`;
}
