/**
 * The API server's errors for a strategic merge patch whose parts contradict each other. Upstream: apimachinery v0.36
 * strategicpatch/patch.go, mergepatch/errors.go; apiserver handlers/patch.go interpretStrategicMergePatchError.
 */
import { goPrint } from "../go/text.ts";
import { isRecord } from "../json.ts";
import type { ApiError } from "../meta.ts";
import { directive } from "./strategic-directives.ts";

type Fields = Readonly<Record<string, unknown>>;
type List = readonly unknown[];

/** A Go error that is not an API error: the server treats it as a failure of its own. */
function failure(message: string): ApiError {
  return { code: 500, reason: "", message };
}

export const badRetainKeys: ApiError = {
  code: 400,
  reason: "BadRequest",
  message: "invalid patch format of retainKeys",
};

export const mergedLists: ApiError = failure("merging lists cannot yet be specified in the patch");

const listsOfLists: ApiError = {
  code: 422,
  reason: "",
  message: "lists of lists are not supported",
};

export function unknownDirective(wanted: unknown, map: Fields): ApiError {
  return failure(`unknown patch type: ${goPrint(wanted)} in map: ${goPrint(map)}`);
}

export function withoutKey(element: Fields, key: string): ApiError {
  return failure(`map: ${goPrint(element)} does not contain declared merge key: ${key}`);
}

export function noMap(value: unknown): ApiError {
  return failure(`expected a map[string]interface {}, but received a ${typeName(value)}`);
}

export function noList(value: unknown): ApiError {
  return failure(`expected a []interface {}, but received a ${typeName(value)}`);
}

export function otherOrder(patch: List, order: List): ApiError {
  const name = directive.order.slice(0, -1);
  return failure(
    `The order in patch list:\n${goPrint(patch)}\n doesn't match ${name} list:\n${goPrint(order)}\n`,
  );
}

/** The error for lists whose elements are not all of one type, or are lists. Upstream: sliceElementType. */
export function otherElements(current: List, patch: List): ApiError | undefined {
  const types = new Set([...current, ...patch].map(typeName));
  if (types.size > 1)
    return failure(`list element types are not identical: ${goPrint([current, patch])}`);
  return types.has("[]interface {}") ? listsOfLists : undefined;
}

/** The Go type of a value read from JSON. */
function typeName(value: unknown): string {
  if (Array.isArray(value)) return "[]interface {}";
  if (isRecord(value)) return "map[string]interface {}";
  if (typeof value === "number") return Number.isInteger(value) ? "int64" : "float64";
  if (typeof value === "boolean") return "bool";
  return typeof value === "string" ? "string" : "%!s(<nil>)";
}
