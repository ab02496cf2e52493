/** Go's kinds of values, and lists of other element types. Upstream: reflect.Kind.String. */
import { typed, typeName } from "../go-template/type-name.ts";
import {
  type GoList,
  type GoValue,
  isGoList,
  isGoMap,
  isGoObject,
  isTrue,
  SizedInteger,
} from "../go-template/values.ts";

export function stringList(items: readonly string[]): GoList {
  return typed([...items], "[]string");
}

/** Nil slices: empty lists that are null in JSON. */
const nilLists = new WeakSet<GoList>();

export function nilList(type: string): GoList {
  const list: GoList = [];
  nilLists.add(list);
  return typed(list, type);
}

export function isNilList(list: GoList): boolean {
  return nilLists.has(list);
}

/** Upstream: reflect.ValueOf(value).Kind().String(). */
export function kindOf(value: GoValue): string {
  if (value === null) return "invalid";
  if (isGoMap(value)) return "map";
  if (isGoList(value)) return "slice";
  if (!isGoObject(value) || value instanceof SizedInteger) return typeName(value);
  if (value.data !== undefined) return kindOf(value.data);
  return value.goType.startsWith("*") ? "ptr" : "struct";
}

/** The items of a list, or of an object that is a list underneath. */
export function itemsOf(value: GoValue): GoList | undefined {
  if (isGoList(value)) return value;
  return isGoObject(value) && isGoList(value.data) ? value.data : undefined;
}

/** What `default` and related functions treat as not given. Upstream: sprig defaults.go empty. */
export function isEmpty(value: GoValue): boolean {
  return !isTrue(value);
}

/** Go's error when a function asks for the type of nil. */
export const nilPointer = "runtime error: invalid memory address or nil pointer dereference";
