/** The text that functions convert a value to. Upstream: sprig strings.go strval, strslice. */
import { sprint } from "../go-template/printf.ts";
import type { GoValue } from "../go-template/values.ts";
import { itemsOf } from "./go-types.ts";

export function textOf(value: GoValue): string {
  return typeof value === "string" ? value : sprint(value);
}

/** The texts of all items that are not nil, or of the value itself if it is not a list. */
export function textsOf(value: GoValue): string[] {
  if (value === null) return [];
  const items = itemsOf(value);
  return items === undefined
    ? [textOf(value)]
    : items.filter((item) => item !== null).map((item) => textOf(item));
}
