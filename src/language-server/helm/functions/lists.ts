/** Functions on lists. Upstream: sprig v3 list.go; those prefixed with `must` do the same. */
import { compareText } from "../../../engine/api/go/text-order.ts";
import { costOfSorting } from "../go-template/budget.ts";
import { typed, typeName } from "../go-template/type-name.ts";
import { type Call, Failure, type GoList, type GoValue } from "../go-template/values.ts";
import { toInt64 } from "./cast.ts";
import { deepEqual } from "./deep-equal.ts";
import { isEmpty, itemsOf, kindOf, nilList, nilPointer, stringList } from "./go-types.ts";
import { define, defineVariadic, mustName, type Named } from "./signature.ts";
import { textOf, textsOf } from "./text-of.ts";
import { weighAll } from "./weigh.ts";

export const listFunctions: readonly Named[] = [
  defineVariadic("list", [], "any", (_none, _call, items) => [...items]),
  defineVariadic("tuple", [], "any", (_none, _call, items) => [...items]),
  ...both(["append", "push"], (name) =>
    define(name, ["any", "any"], ([list, item], call) =>
      withItems(list, "Cannot push on type", call, (items) => [...items, item]),
    ),
  ),
  ...both(["prepend"], (name) =>
    define(name, ["any", "any"], ([list, item], call) =>
      withItems(list, "Cannot prepend on type", call, (items) => [item, ...items]),
    ),
  ),
  ...ofOneList("first", "Cannot find first on type", (items) => items[0] ?? null),
  ...ofOneList("last", "Cannot find last on type", (items) => items.at(-1) ?? null),
  ...ofOneList("rest", "Cannot find rest on type", (items) =>
    items.length === 0 ? nilList(anyList) : items.slice(1),
  ),
  ...ofOneList("initial", "Cannot find initial on type", (items) =>
    items.length === 0 ? nilList(anyList) : items.slice(0, -1),
  ),
  ...ofOneList("reverse", "Cannot find reverse on type", (items) => [...items].reverse()),
  ...ofOneList("compact", "Cannot compact on type", (items) =>
    items.filter((item) => !isEmpty(item)),
  ),
  ...ofOneList("uniq", "Cannot find uniq on type", unique),
  ...both(["without"], (name) =>
    defineVariadic(name, ["any"], "any", ([list], call, omitted) =>
      withItems(list, "Cannot find without on type", call, (items) =>
        without(items, omitted, call),
      ),
    ),
  ),
  ...both(["has"], (name) =>
    define(name, ["any", "any"], ([needle, list], call) => has(needle, list, call)),
  ),
  ...both(["slice"], (name) =>
    defineVariadic(name, ["any"], "any", ([list], call, indices) =>
      withItems(list, "list should be type of slice or array but", call, (items) =>
        slice(items, typeName(list), indices),
      ),
    ),
  ),
  ...both(["chunk"], (name) =>
    define(name, ["int", "any"], ([size, list], call) =>
      withItems(list, "Cannot chunk type", call, (items) => chunks(items, Number(size))),
    ),
  ),
  defineVariadic("concat", [], "any", (_none, call, lists) => concat(lists, call)),
  define(
    "sortAlpha",
    ["any"],
    ([list], call) =>
      weighAll([list], call) ??
      call.charge((itemsOf(list)?.length ?? 0) * costOfSorting) ??
      stringList(itemsOf(list) === undefined ? [textOf(list)] : textsOf(list).sort(compareText)),
  ),
];

const anyList = "[]interface {}";

/** Each of the names, and each with `must` before it. */
function both(names: readonly string[], definition: (name: string) => Named): readonly Named[] {
  return names.flatMap((name) => [definition(name), definition(mustName(name))]);
}

function ofOneList(
  name: string,
  complaint: string,
  take: (items: GoList, call: Call) => GoValue | Failure,
): readonly Named[] {
  return both([name], (either) =>
    define(either, ["any"], ([list], call) => withItems(list, complaint, call, take)),
  );
}

/** Every result is charged for like a copy of the list. */
function withItems(
  list: GoValue,
  complaint: string,
  call: Call,
  take: (items: GoList, call: Call) => GoValue | Failure,
): GoValue | Failure {
  if (list === null) return new Failure(nilPointer);
  const items = itemsOf(list);
  if (items === undefined) return new Failure(`${complaint} ${kindOf(list)}`);
  return call.charge(items.length + 1) ?? take(items, call);
}

/** Texts and numbers are looked up; other comparisons are charged for. */
function unique(items: GoList, call: Call): GoValue | Failure {
  const seen = new Set<GoValue>();
  const kept: GoValue[] = [];
  const compound: GoValue[] = [];
  for (const item of items) {
    if (typeof item === "object" && item !== null) {
      const isKnown = isAmong(compound, item, call);
      if (isKnown instanceof Failure) return isKnown;
      if (isKnown) continue;
      compound.push(item);
    } else if (seen.has(item)) {
      continue;
    }
    seen.add(item);
    kept.push(item);
  }
  return kept;
}

function without(items: GoList, omitted: GoList, call: Call): GoValue | Failure {
  const kept: GoValue[] = [];
  for (const item of items) {
    const isOmitted = isAmong(omitted, item, call);
    if (isOmitted instanceof Failure) return isOmitted;
    if (!isOmitted) kept.push(item);
  }
  return kept;
}

function isAmong(haystack: GoList, needle: GoValue, call: Call): boolean | Failure {
  if (typeof needle !== "object" || needle === null)
    return call.charge(haystack.length) ?? haystack.includes(needle);
  for (const item of haystack) {
    const refused = weighAll([item, needle], call);
    if (refused !== undefined) return refused;
    if (deepEqual(item, needle)) return true;
  }
  return false;
}

function has(needle: GoValue, list: GoValue, call: Call): boolean | Failure {
  if (list === null) return false;
  const items = itemsOf(list);
  if (items === undefined) return new Failure(`Cannot find has on type ${kindOf(list)}`);
  return isAmong(items, needle, call);
}

function slice(items: GoList, type: string, indices: GoList): GoValue | Failure {
  if (items.length === 0) return null;
  const [from = 0n, to = BigInt(items.length)] = indices.map(toInt64);
  const [start, end] = [Number(from), Number(to)];
  if (start < 0 || end < start || end > items.length)
    return new Failure("reflect.Value.Slice: slice index out of bounds");
  return typed(items.slice(start, end), type);
}

function chunks(items: GoList, size: number): GoValue | Failure {
  if (size === 0 && items.length > 0)
    return new Failure("runtime error: makeslice: len out of range");
  if (size < 0) return new Failure("runtime error: makeslice: len out of range");
  const parts: GoList[] = [];
  for (let start = 0; start < items.length; start += size)
    parts.push(items.slice(start, start + size));
  return typed(parts, "[][]interface {}");
}

function concat(lists: GoList, call: Call): GoValue | Failure {
  const all: GoValue[] = [];
  for (const list of lists) {
    const items = withItems(list, "Cannot concat type", call, (found) => found);
    if (items instanceof Failure)
      return new Failure(
        items.message.startsWith("Cannot") ? `${items.message} as list` : items.message,
      );
    for (const item of itemsOf(items) ?? []) all.push(item);
  }
  return all.length === 0 ? nilList(anyList) : all;
}
