/**
 * Merges the values of a chart and its subcharts with those given for them. Upstream: pkg/chart/common/util/coalesce.go. Not
 * modeled: warnings about tables that scalars replace.
 */
import { type GoMap, type GoValue, isGoList, isGoMap } from "../go-template/values.ts";
import type { ValueBudget } from "./value-budget.ts";

/** What coalescing needs to know about a chart. */
export interface ChartValues {
  readonly name: string;
  readonly values: GoMap;
  readonly subcharts: readonly ChartValues[];
}

/** Called where values cannot be merged, with the path of what should be a table, such as a subchart's values. */
export type Mismatch = (path: readonly string[], value: GoValue) => void;

export interface CoalesceScene {
  readonly budget: ValueBudget;
  readonly mismatch: Mismatch;
}

/** A null removes the default. */
export function coalesceValues(chart: ChartValues, given: GoMap, scene: CoalesceScene): GoMap {
  return coalesce(chart, copyOf(given, scene.budget), { ...scene, path: [], isMerge: false });
}

/** Keeps nulls, so that they can remove defaults later. */
export function mergeValues(chart: ChartValues, given: GoMap, scene: CoalesceScene): GoMap {
  return coalesce(chart, copyOf(given, scene.budget), { ...scene, path: [], isMerge: true });
}

interface At extends CoalesceScene {
  /** Names of the charts down to this one, without the outermost. */
  readonly path: readonly string[];
  readonly isMerge: boolean;
}

function coalesce(chart: ChartValues, values: GoMap, at: At): GoMap {
  addDefaults(chart, values, at);
  for (const subchart of chart.subcharts) {
    if (at.budget.isSpent) break;
    const path = [...at.path, subchart.name];
    let own = values.get(subchart.name);
    if (!isGoMap(own)) {
      if (own !== undefined) at.mismatch(path, own);
      own = new Map();
      values.set(subchart.name, own);
    }
    coalesceGlobals(own, values, at);
    coalesce(subchart, own, { ...at, path });
  }
  return values;
}

/** Copies global values down into subcharts; those from above win. */
function coalesceGlobals(target: GoMap, source: GoMap, at: At): void {
  const own = target.has("global") ? target.get("global") : new Map();
  const above = source.has("global") ? source.get("global") : new Map();
  if (!isGoMap(own) || !isGoMap(above)) return;
  for (const [key, value] of above) {
    const before = own.get(key);
    if (!isGoMap(value)) {
      if (!isGoMap(before)) own.set(key, value);
      continue;
    }
    const copy = new Map(value);
    at.budget.spend(copy.size);
    if (!own.has(key)) own.set(key, copy);
    else if (isGoMap(before)) {
      coalesceTables(copy, before, true);
      own.set(key, copy);
    }
  }
  target.set("global", own);
}

function addDefaults(chart: ChartValues, values: GoMap, at: At): void {
  for (const [key, preset] of copyOf(chart.values, at.budget)) {
    const value = values.get(key);
    if (!values.has(key)) values.set(key, preset);
    else if (value === null && !at.isMerge) values.delete(key);
    else if (isGoMap(value) && isGoMap(preset)) {
      const isMerge = at.isMerge || chart.subcharts.some(({ name }) => name === key);
      coalesceTables(value, preset, isMerge);
    }
  }
}

/** Merges into the first, whose values win. Changes both. */
export function coalesceTables(target: GoMap, source: GoMap, isMerge: boolean): GoMap {
  const set = new Set([...source].filter(([, value]) => value !== null).map(([key]) => key));
  for (const [key, value] of target) if (value === null) source.set(key, null);
  for (const [key, value] of source) {
    const own = target.get(key);
    if (!target.has(key)) target.set(key, value);
    else if (!isMerge && own === null && set.has(key)) target.delete(key);
    else if (isGoMap(value) && isGoMap(own)) coalesceTables(own, value, isMerge);
  }
  return target;
}

/** Lists are shared, because they are never changed; their maps are not. */
export function copyOf(values: GoMap, budget: ValueBudget): GoMap {
  if (!budget.spend(values.size)) return new Map();
  const copy: GoMap = new Map();
  for (const [key, value] of values) copy.set(key, copyOfValue(value, budget));
  return copy;
}

function copyOfValue(value: GoValue, budget: ValueBudget): GoValue {
  if (isGoMap(value)) return copyOf(value, budget);
  if (!isGoList(value)) return value;
  return budget.spend(value.length) ? value.map((item) => copyOfValue(item, budget)) : [];
}
