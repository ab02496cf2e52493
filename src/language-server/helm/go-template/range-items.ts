/** What a loop iterates over. Upstream: Go 1.25 text/template/exec.go walkRange. */
import { compareText } from "../../../engine/api/go/text-order.ts";
import { costOfSorting } from "./budget.ts";
import { sprint } from "./printf.ts";
import {
  type Call,
  Failure,
  type GoList,
  type GoValue,
  isGoList,
  isGoMap,
  isGoObject,
  wholeNumber,
} from "./values.ts";

export type RangeItem = readonly [key: GoValue, item: GoValue];

/** More than any loop gets through. */
const countMax = 2_000_000;

/** A map is sorted by its keys, which is charged for; nil has no items. */
export function rangeItems(
  value: GoValue,
  call: Pick<Call, "charge">,
): Iterable<RangeItem> | Failure {
  const data = isGoObject(value) ? value.data : value;
  if (data === null) return [];
  if (isGoMap(data))
    return (
      call.charge(data.size * costOfSorting) ?? [...data].sort(([a], [b]) => compareText(a, b))
    );
  if (isGoList(data)) return itemsOfList(data);
  const end = wholeNumber(value);
  if (end === undefined) return new Failure(`range can't iterate over ${sprint(value)}`);
  if (end > countMax) return new Failure(`range over ${end} is too long to be rendered here`);
  return wholeNumbersBelow(end);
}

/** Lazily, because a loop may end after the first item. */
function* itemsOfList(list: GoList): Iterable<RangeItem> {
  for (const [index, item] of list.entries()) yield [BigInt(index), item];
}

function* wholeNumbersBelow(end: bigint): Iterable<RangeItem> {
  for (let at = 0n; at < end; at++) yield [at, at];
}
