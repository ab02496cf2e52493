/** Go's names of the types of values. Upstream: reflect.Type.String. */
import { type GoList, type GoMap, type GoValue, isGoList, isGoMap, isGoObject } from "./values.ts";

/** Types of lists and maps with other elements than `interface {}`. */
const types = new WeakMap<GoList | GoMap, string>();

/** Marks a list or map as having another type than `[]interface {}` or `map[string]interface {}`. */
export function typed<Value extends GoList | GoMap>(value: Value, type: string): Value {
  types.set(value, type);
  return value;
}

/** As printed by `printf "%T"`; `<nil>` for nil. */
export function typeName(value: GoValue): string {
  if (value === null) return "<nil>";
  if (isGoMap(value)) return types.get(value) ?? "map[string]interface {}";
  if (isGoList(value)) return types.get(value) ?? "[]interface {}";
  if (isGoObject(value)) return value.goType;
  switch (typeof value) {
    case "bigint":
      return "int";
    case "number":
      return "float64";
    case "boolean":
      return "bool";
    default:
      return "string";
  }
}
