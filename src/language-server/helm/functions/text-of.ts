/** The text that functions take a value for. Upstream: sprig strings.go strval, strslice. */
import { sprint } from "../go-template/printf.ts";
import type { GoValue } from "../go-template/values.ts";
import { itemsOf } from "./go-types.ts";

export function textOf(value: GoValue): string {
  return typeof value === "string" ? value : sprint(value);
}

/** Of each item that is not nil, or of the value itself where it is no list. */
export function textsOf(value: GoValue): string[] {
  if (value === null) return [];
  const items = itemsOf(value);
  return items === undefined
    ? [textOf(value)]
    : items.filter((item) => item !== null).map((item) => textOf(item));
}
