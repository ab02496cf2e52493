/** Upstream: reflect.DeepEqual, which distinguishes lists of different types, and int from float64. */
import { typeName } from "../go-template/type-name.ts";
import {
  type GoList,
  type GoMap,
  type GoValue,
  isGoList,
  isGoMap,
  SizedInteger,
} from "../go-template/values.ts";

/** The values must have been weighed: neither may contain itself. */
export function deepEqual(a: GoValue, b: GoValue): boolean {
  if (a === b) return true;
  if (a instanceof SizedInteger)
    return b instanceof SizedInteger && a.goType === b.goType && a.value === b.value;
  if (isGoMap(a)) return isGoMap(b) && typeName(a) === typeName(b) && equalMaps(a, b);
  if (isGoList(a)) return isGoList(b) && typeName(a) === typeName(b) && equalLists(a, b);
  return false;
}

function equalMaps(a: GoMap, b: GoMap): boolean {
  if (a.size !== b.size) return false;
  for (const [key, value] of a) {
    const other = b.get(key);
    if (other === undefined || !deepEqual(value, other)) return false;
  }
  return true;
}

function equalLists(a: GoList, b: GoList): boolean {
  return a.length === b.length && a.every((item, index) => deepEqual(item, b[index] ?? null));
}
