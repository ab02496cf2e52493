/**
 * Merges the values of a file with others as kustomize does: a null in one removes the other's value, so that the chart's
 * default applies. Upstream: kustomize v5.7 HelmChartInflationGenerator.go replaceValuesInline, kyaml merge2.
 */
import { type GoMap, type GoValue, isGoList, isGoMap } from "../go-template/values.ts";
import type { ChartFile } from "./chart.ts";
import { readValues } from "./read-values.ts";
import type { PlacesOf } from "./value-places.ts";

export interface MergedValues {
  readonly type: "merged";
  readonly file: ChartFile | undefined;
  readonly inline: {
    readonly values: GoMap;
    readonly placesOf: PlacesOf;
  };
  readonly merge: "override" | "merge" | "replace";
}

export function mergedValues({ file, inline, merge }: MergedValues): GoMap {
  const ofFile: GoMap = file === undefined ? new Map() : readValues(file).values;
  if (merge === "replace") return inline.values;
  return merge === "override" ? laidOver(inline.values, ofFile) : laidOver(ofFile, inline.values);
}

/** Returns a new map; values in `over` win. */
function laidOver(over: GoMap, under: GoMap): GoMap {
  const merged = new Map(under);
  for (const [key, value] of over) {
    const below = merged.get(key);
    if (value === null) merged.delete(key);
    else if (isGoMap(value)) merged.set(key, laidOver(value, isGoMap(below) ? below : new Map()));
    else merged.set(key, value);
  }
  return merged;
}

export interface Conflict {
  readonly path: readonly string[];
  readonly message: string;
}

/** Where one has a map or list and the other something else, which kustomize refuses. Upstream: kyaml walk.go Walker.Walk. */
export function conflictIn({ file, inline, merge }: MergedValues): Conflict | undefined {
  if (file === undefined || merge === "replace") return undefined;
  const ofFile = readValues(file).values;
  return merge === "override"
    ? conflictBetween(ofFile, inline.values)
    : conflictBetween(inline.values, ofFile);
}

function conflictBetween(under: GoMap, over: GoMap): Conflict | undefined {
  for (const [key, value] of over) {
    const below = under.get(key) ?? null;
    if (value === null || below === null) continue;
    const [wanted, found] = [nodeKind(below), nodeKind(value)];
    if (wanted !== found) {
      const message = `could not merge values: wrong node kind: expected ${wanted} but got ${found}`;
      return { path: [key], message };
    }
    const inside = isGoMap(value) && isGoMap(below) ? conflictBetween(below, value) : undefined;
    if (inside !== undefined) return { ...inside, path: [key, ...inside.path] };
  }
  return undefined;
}

function nodeKind(value: GoValue): string {
  if (isGoMap(value)) return "MappingNode";
  return isGoList(value) ? "SequenceNode" : "ScalarNode";
}
