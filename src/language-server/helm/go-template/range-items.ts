/** What a loop goes through. Upstream: Go 1.25 text/template/exec.go walkRange. */
import { compareText } from "../../../engine/api/go/text-order.ts";
import { sprint } from "./printf.ts";
import { Failure, type GoValue, isGoList, isGoMap, isGoObject } from "./values.ts";

export type RangeItem = readonly [key: GoValue, item: GoValue];

/** More than any loop comes to the end of. */
const countMax = 2_000_000;

/** Of a map in the order of its keys; none of nil. */
export function rangeItems(value: GoValue): readonly RangeItem[] | Failure {
  const data = isGoObject(value) ? value.data : value;
  if (data === null) return [];
  if (isGoMap(data)) return [...data].sort(([a], [b]) => compareText(a, b));
  if (isGoList(data)) return data.map((item, index) => [BigInt(index), item]);
  if (typeof data !== "bigint") return new Failure(`range can't iterate over ${sprint(value)}`);
  if (data > countMax) return new Failure(`range over ${data} is too long to be rendered here`);
  const count = data > 0n ? Number(data) : 0;
  return Array.from({ length: count }, (_, index) => [BigInt(index), BigInt(index)]);
}
