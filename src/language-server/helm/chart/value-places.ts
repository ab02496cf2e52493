/** In which files a value of a release is written. Not modeled: `import-values`. */
import { locate } from "../../yaml/locate.ts";
import type { YamlDocument } from "../../yaml/yaml-document.ts";
import type { ValuesRead } from "../go-template/rendered-text.ts";
import { type GoList, type GoMap, type GoValue, isGoList, isGoMap } from "../go-template/values.ts";
import type { ChartFile } from "./chart.ts";
import { readValues } from "./read-values.ts";
import type { ReleaseChart } from "./release-charts.ts";

export interface FilePlace {
  readonly uri: string;
  /** Offsets of the value. */
  readonly start: number;
  readonly end: number;
  /** Offsets of its key; absent for an item of a list. */
  readonly key?: { readonly start: number; readonly end: number };
}

/** For each `.Values` map, the charts from the outermost down to the one that it belongs to. */
export type ValuesOwners = ReadonlyMap<GoMap | GoList, readonly ReleaseChart[]>;

type Path = ValuesRead["path"];

/** Returns where a value is written in one file, or in a part of one. */
export type PlacesOf = (path: Path) => readonly FilePlace[];

export interface Given {
  /** Later files override earlier ones. */
  readonly files: readonly PlacesOf[];
  /** Values from the command line, which override all files. */
  readonly set: GoMap;
}

export function valuePlaces(
  { root, path }: ValuesRead,
  owners: ValuesOwners,
  given: Given,
): readonly FilePlace[] {
  return placesOfValue(owners.get(root) ?? [], path, given);
}

/** The places of a value of the last of the charts. */
export function placesOfValue(
  charts: readonly ReleaseChart[],
  path: Path,
  { files, set }: Given,
): readonly FilePlace[] {
  if (isSetByLine(charts, path, { files, set })) return [];
  const names = namesOf(charts);
  const below = pathsFrom(names, path);
  const inGiven = files.toReversed().flatMap((placesOf) => below.flatMap(placesOf));
  const inCharts = charts.flatMap(({ chart: { valuesFile } }, depth) =>
    valuesFile === undefined
      ? []
      : pathsFrom(names.slice(depth), path).flatMap(placesIn(valuesFile)),
  );
  return [...inGiven, ...inCharts];
}

/** True if the command line sets the value, so that no file does. */
export function isSetByLine(charts: readonly ReleaseChart[], path: Path, { set }: Given): boolean {
  return pathsFrom(namesOf(charts), path).some((whole) => isSet(set, whole));
}

/** Without the outermost chart, whose values are at the top level. */
function namesOf(charts: readonly ReleaseChart[]): readonly string[] {
  return charts.slice(1).map(({ name }) => name);
}

/** A map may get further keys from files, and a list is padded with nil. */
function isSet(set: GoMap, path: Path): boolean {
  let value: GoValue | undefined = set;
  for (const segment of path)
    if (isGoMap(value)) value = value.get(String(segment));
    else value = isGoList(value) ? value[Number(segment)] : undefined;
  return value !== undefined && value !== null && !isGoMap(value);
}

/** Paths from the outermost chart: below the subcharts' names, and also at the top level for a global value. */
function pathsFrom(names: readonly string[], path: Path): readonly Path[] {
  const below = [...names, ...path];
  return names.length > 0 && path[0] === "global" ? [path, below] : [below];
}

export function placesIn(file: ChartFile): PlacesOf {
  const documents = readValues(file).documents.toReversed();
  return (path) => documents.flatMap(({ start, yaml }) => placeIn(yaml, path, file.uri, start));
}

function placeIn(yaml: YamlDocument, path: Path, uri: string, by: number): readonly FilePlace[] {
  const { depth, value, key } = locate(yaml, path);
  if (depth < path.length || path.length === 0) return [];
  const at = { uri, start: by + value.start, end: by + value.end };
  if (key === undefined) return [at];
  return [{ ...at, key: { start: by + key.start, end: by + key.end } }];
}
