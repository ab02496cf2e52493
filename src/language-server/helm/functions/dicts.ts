/** Functions on maps. Upstream: sprig v3 dict.go. Go iterates maps in random order; here keys are sorted. */
import { compareText } from "../../../engine/api/go/text-order.ts";
import { costOfSorting } from "../go-template/budget.ts";
import { typed, typeName } from "../go-template/type-name.ts";
import {
  type Call,
  Failure,
  type GoMap,
  type GoValue,
  isGoList,
  isGoMap,
} from "../go-template/values.ts";
import { stringList } from "./go-types.ts";
import { merged } from "./merge.ts";
import { define, defineVariadic, type Named } from "./signature.ts";
import { textOf } from "./text-of.ts";
import { weighAll } from "./weigh.ts";

export const dictFunctions: readonly Named[] = [
  defineVariadic("dict", [], "any", (_none, call, values) => dict(values, call)),
  define("get", ["map", "string"], ([map, key]) => map.get(key) ?? (map.has(key) ? null : "")),
  define(
    "set",
    ["map", "string", "any"],
    ([map, key, value], call) => call.charge(key.length + 1) ?? map.set(key, value),
  ),
  define("unset", ["map", "string"], ([map, key]) => {
    map.delete(key);
    return map;
  }),
  define("hasKey", ["map", "string"], ([map, key]) => map.has(key)),
  defineVariadic("pluck", ["string"], "map", ([key], _call, maps) =>
    maps.filter((map) => map.has(key)).map((map) => map.get(key) ?? null),
  ),
  defineVariadic(
    "keys",
    [],
    "map",
    (_none, call, maps) =>
      chargeMaps(maps, call) ?? stringList(maps.flatMap((map) => sorted(map).map(([key]) => key))),
  ),
  define(
    "values",
    ["map"],
    ([map], call) => chargeMaps([map], call) ?? sorted(map).map(([, value]) => value),
  ),
  defineVariadic(
    "pick",
    ["map"],
    "string",
    ([map], _call, keys) =>
      new Map(keys.filter((key) => map.has(key)).map((key) => [key, map.get(key) ?? null])),
  ),
  defineVariadic("omit", ["map"], "string", ([map], call, keys) => {
    const omitted = new Set(keys);
    return chargeMaps([map], call) ?? new Map([...map].filter(([key]) => !omitted.has(key)));
  }),
  ...["merge", "mustMerge"].map((name) => merging(name, false)),
  ...["mergeOverwrite", "mustMergeOverwrite"].map((name) => merging(name, true)),
  defineVariadic("dig", [], "any", (_none, _call, values) => dig(values)),
  ...["deepCopy", "mustDeepCopy"].map((name) =>
    define(name, ["any"], ([value], call) =>
      value === null
        ? new Failure("reflect: call of reflect.Value.Type on zero Value")
        : (weighAll([value], call) ?? copied(value)),
    ),
  ),
];

/** A key without a value gets an empty text. */
function dict(values: readonly GoValue[], call: Call): GoValue | Failure {
  const map: GoMap = new Map();
  for (let index = 0; index < values.length; index += 2) {
    const key = values[index] ?? null;
    const refused = weighAll([key], call);
    if (refused !== undefined) return refused;
    const value = index + 1 < values.length ? values[index + 1] : "";
    map.set(textOf(key), value ?? null);
  }
  return map;
}

function chargeMaps(maps: readonly GoMap[], call: Call): Failure | undefined {
  return call.charge(maps.reduce((count, { size }) => count + size * costOfSorting, 1));
}

function sorted(map: GoMap): readonly (readonly [string, GoValue])[] {
  return [...map].sort(([a], [b]) => compareText(a, b));
}

function merging(name: string, overwrites: boolean): Named {
  return defineVariadic(
    name,
    ["map"],
    "map",
    ([target], call, sources) =>
      weighAll([target, ...sources], call) ?? merged(target, sources, overwrites),
  );
}

/** Arguments: the keys, then the value for a missing key, then the map. */
function dig(values: readonly GoValue[]): GoValue | Failure {
  if (values.length < 3) return new Failure("dig needs at least three arguments");
  const keys = values.slice(0, -2);
  const fallback = values.at(-2) ?? null;
  let step = values.at(-1) ?? null;
  // `.Values` itself is not of this type, only its AsMap is.
  if (!isGoMap(step) || typeName(step) !== anyMap) return new Failure(conversion(step, anyMap));
  for (const key of keys)
    if (typeof key !== "string") return new Failure(conversion(key, "string"));
  for (const key of keys) {
    if (!isGoMap(step) || typeName(step) !== anyMap) return new Failure(conversion(step, anyMap));
    if (!step.has(String(key))) return fallback;
    step = step.get(String(key)) ?? null;
  }
  return step;
}

const anyMap = "map[string]interface {}";

function conversion(value: GoValue, wanted: string): string {
  const found = value === null ? "nil" : typeName(value);
  return `interface conversion: interface {} is ${found}, not ${wanted}`;
}

function copied(value: GoValue): GoValue {
  if (isGoMap(value)) {
    const copy: GoMap = new Map();
    for (const [key, item] of value) copy.set(key, copied(item));
    return typed(copy, typeName(value));
  }
  if (!isGoList(value)) return value;
  const copy: GoValue[] = [];
  for (const item of value) copy.push(copied(item));
  return typed(copy, typeName(value));
}
