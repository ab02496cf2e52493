/** Finds a value by its path of keys. Upstream: pkg/chart/common/values.go Values.Table, PathValue. */
import { type GoMap, type GoValue, isGoMap } from "../go-template/values.ts";

/** Undefined if the path leads nowhere. */
export function valueBelow(values: GoMap, path: readonly string[]): GoValue | undefined {
  let value: GoValue | undefined = values;
  for (const key of path) value = isGoMap(value) ? value.get(key) : undefined;
  return value;
}
