/**
 * The types that Go has for values. Upstream: reflect.Type.String, reflect.Kind.String. Not modelled: of whole numbers int, which
 * templates write, and int64, which arithmetic makes, are one.
 */
import {
  type GoList,
  type GoMap,
  type GoValue,
  isGoList,
  isGoMap,
  isGoObject,
} from "../go-template/values.ts";

/** Lists and maps that do not hold just anything. */
const types = new WeakMap<GoList | GoMap, string>();

/** The same list or map, of another type than `[]interface {}` or `map[string]interface {}`. */
export function typed<Value extends GoList | GoMap>(value: Value, type: string): Value {
  types.set(value, type);
  return value;
}

export function stringList(items: readonly string[]): GoList {
  return typed([...items], "[]string");
}

/** Lists that nobody has made: empty ones, but null in JSON. */
const nilLists = new WeakSet<GoList>();

export function nilList(type: string): GoList {
  const list: GoList = [];
  nilLists.add(list);
  return typed(list, type);
}

export function isNilList(list: GoList): boolean {
  return nilLists.has(list);
}

/** As the verb %T prints it. */
export function typeOf(value: GoValue): string {
  if (value === null) return "<nil>";
  if (isGoMap(value)) return types.get(value) ?? "map[string]interface {}";
  if (isGoList(value)) return types.get(value) ?? "[]interface {}";
  if (isGoObject(value)) return value.goType;
  return scalarType(value);
}

/** Upstream: reflect.ValueOf(value).Kind().String(). */
export function kindOf(value: GoValue): string {
  if (value === null) return "invalid";
  if (isGoMap(value)) return "map";
  if (isGoList(value)) return "slice";
  if (!isGoObject(value)) return scalarType(value);
  if (value.data !== undefined) return kindOf(value.data);
  return value.goType.startsWith("*") ? "ptr" : "struct";
}

function scalarType(value: string | number | bigint | boolean): string {
  if (typeof value === "bigint") return "int";
  if (typeof value === "number") return "float64";
  return typeof value === "boolean" ? "bool" : "string";
}

/** The items of a list, or of what is one beneath. */
export function itemsOf(value: GoValue): GoList | undefined {
  if (isGoList(value)) return value;
  return isGoObject(value) && isGoList(value.data) ? value.data : undefined;
}

/** What `default` and its like take for not given. Upstream: sprig defaults.go empty. */
export function isEmpty(value: GoValue): boolean {
  if (value === null) return true;
  if (isGoMap(value)) return value.size === 0;
  if (isGoList(value) || typeof value === "string") return value.length === 0;
  if (isGoObject(value)) return value.data !== undefined && isEmpty(value.data);
  if (typeof value === "boolean") return !value;
  return typeof value === "bigint" ? value === 0n : value === 0;
}

/** What Go says where a function asks for the type of nil. */
export const nilPointer = "runtime error: invalid memory address or nil pointer dereference";
