/**
 * Applies a list of operations (RFC 6902) to an object, with the messages of the library that kustomize uses. Upstream:
 * github.com/evanphx/json-patch v4.13, patch.go.
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
  /** Unchanged if there is a problem: either all operations apply, or none. */
  readonly patched: Written;
  readonly problem?: MergeProblem;
}

const tooManyChanges = "these operations change too much to be applied here";

/** The result of an operation, or why it does not apply. */
type Answer = Written | string;

/** `isNoted`: kustomize keeps notes of its own in the object's annotations at that point, so that these exist. */
export function applyJsonPatch(
  object: Written,
  operations: Written,
  isNoted: boolean,
): JsonPatchResult {
  let patched = isNoted ? withAnnotations(object) : object;
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

/** Upstream: PatchTransformer.go transformJson6902, StorePreviousId. */
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
  const { op, path } = operation.value;
  if (op === "move" || op === "copy") return moved(whole, op, operation);
  if (typeof path !== "string") return pathMissing(op);
  // A missing value is null.
  const value = partOf(operation, "value") ?? { ...operation, value: null };
  switch (op) {
    case "add":
      return added(whole, path, value, {
        missing: `add operation does not apply: doc is missing path: "${path}"`,
        failed: `error in add for path: '${path}'`,
      });
    case "remove":
      return removed(whole, path, partOf(operation, "path") ?? operation, {
        missing: `remove operation does not apply: doc is missing path: "${path}"`,
        failed: `error in remove for path: '${path}'`,
      });
    case "replace":
      return replaced(whole, path, value);
    case "test":
      return tested(whole, path, value.value);
    default:
      return `Unexpected kind: ${typeof op === "string" ? op : "unknown"}`;
  }
}

function pathMissing(op: Json | undefined): string {
  const isTold = op === "replace" || op === "test" ? "operation missing path field: " : "";
  return `${op} operation failed to decode path: ${isTold}missing value`;
}

/** Messages for a path whose parent does not exist, and for a parent that refuses the key. */
interface Words {
  readonly missing: string;
  readonly failed: string;
}

function added(whole: Written, path: string, value: Written, { missing, failed }: Words): Answer {
  return (
    inParent(whole, path, (parent, key) => {
      if (isRecord(parent.value))
        return withFields(parent, new Map(fieldsOf(parent)).set(key, value));
      const items = [...itemsOf(parent)];
      const index = key === "-" ? items.length : indexIn(key, items.length + 1);
      if (typeof index === "string") {
        const what = isNumber(key) ? "" : `value was not a proper array index: '${key}': `;
        return `${failed}: ${what}${index}`;
      }
      items.splice(index, 0, value);
      return withItems(value, items);
    }) ?? `${missing}: missing value`
  );
}

function removed(whole: Written, path: string, by: Written, { missing, failed }: Words): Answer {
  return (
    inParent(whole, path, (parent, key) => {
      if (isRecord(parent.value)) {
        const fields = new Map(fieldsOf(parent));
        return fields.delete(key)
          ? withFields(parent, fields)
          : `${failed}: Unable to remove nonexistent key: ${key}: missing value`;
      }
      const items = [...itemsOf(parent)];
      const index = indexIn(key, items.length);
      if (typeof index === "string") return `${failed}: ${index}`;
      items.splice(index, 1);
      return withItems(by, items);
    }) ?? `${missing}: missing value`
  );
}

/** A mapping's field need not exist: this library does not check. Replacing the whole by a scalar changes nothing. */
function replaced(whole: Written, path: string, value: Written): Answer {
  if (path === "") return isRecord(value.value) || Array.isArray(value.value) ? value : whole;
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

/** Moves or copies. A key that a mapping lacks is copied as null. */
function moved(whole: Written, op: "move" | "copy", operation: Written): Answer {
  const by = partOf(operation, "path") ?? operation;
  const from = partOf(operation, "from")?.value;
  const path = partOf(operation, "path")?.value;
  if (typeof from !== "string")
    return `${op} operation failed to decode from: operation, missing from field: missing value`;
  const last = keysOf(from).at(-1) ?? "";
  const failed =
    op === "move" ? `error in move for path: '${last}'` : `error in copy for from: '${from}'`;
  const found = partAt(whole, from);
  if (found === undefined)
    return `${op} operation does not apply: doc is missing from path: ${from}: missing value`;
  if (typeof found === "string") return `${failed}: ${found}`;
  const rest = op === "move" ? removed(whole, from, by, { missing: "", failed }) : whole;
  if (typeof rest === "string") return rest;
  if (typeof path !== "string") {
    const isTold = op === "move" ? "operation missing path field: " : "";
    return `${op} operation failed to decode path: ${isTold}missing value`;
  }
  return added(rest, path, found.part ?? { ...by, value: null }, {
    missing: `${op} operation does not apply: doc is missing destination path: ${path}`,
    failed:
      op === "move" ? `error in move for path: '${path}'` : "error while adding value during copy",
  });
}

function tested(whole: Written, path: string, wanted: Json): Answer {
  const found = path === "" ? { part: whole } : partAt(whole, path);
  if (found === undefined)
    return `test operation does not apply: is missing path: ${path}: missing value`;
  if (typeof found === "string") return `error in test for path: '${path}': ${found}`;
  return deepEqual(found.part?.value ?? null, wanted)
    ? whole
    : `testing value ${path} failed: test failed`;
}

/** Undefined if the parent of the last key does not exist; a text says why a list lacks the index. */
function partAt(
  whole: Written,
  path: string,
): { readonly part?: Written | undefined } | string | undefined {
  const keys = keysOf(path);
  const last = keys.pop();
  let at: Written | undefined = whole;
  for (const key of keys) at = at === undefined ? undefined : partOf(at, segmentIn(at, key));
  if (last === undefined || at === undefined) return undefined;
  if (isRecord(at.value)) return { part: partOf(at, last) };
  if (!Array.isArray(at.value)) return undefined;
  const index = indexIn(last, at.value.length);
  return typeof index === "string" ? index : { part: partOf(at, index) };
}

/** Changes the parent of a path's last key; undefined if there is no such mapping or list. */
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

function segmentIn({ value }: Written, key: string): PathSegment {
  if (!Array.isArray(value)) return key;
  const index = indexIn(key, value.length);
  return typeof index === "string" ? -1 : index;
}

function isNumber(key: string): boolean {
  return /^[-+]?\d+$/.test(key);
}

/** Negative indices count from the end; returns a text if the index is invalid. */
function indexIn(key: string, length: number): number | string {
  if (!isNumber(key)) return `strconv.Atoi: parsing "${key}": invalid syntax`;
  const index = Number(key);
  const known = index < 0 ? index + length : index;
  return known >= 0 && known < length
    ? known
    : `Unable to access invalid index: ${index}: invalid index referenced`;
}
