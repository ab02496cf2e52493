/** The values given to a release in addition to its chart's own. Upstream: pkg/cli/values/options.go MergeValues. */
import type { GoMap } from "../go-template/values.ts";
import { isJsonMap, readJson, UnreadJson } from "../schema/json-text.ts";
import type { ChartFile, ChartProblem } from "./chart.ts";
import { copyOf } from "./coalesce.ts";
import { goMapOf } from "./go-value-of.ts";
import { conflictIn, type MergedValues, mergedValues } from "./merged-values.ts";
import { mergeMaps, readValues } from "./read-values.ts";
import { type SetKind, setKinds, setValues } from "./set-values.ts";
import { ValueBudget } from "./value-budget.ts";
import { type PlacesOf, placesIn } from "./value-places.ts";

export type ValuesSource =
  /** As for `--values`; later files override earlier ones. */
  | { readonly type: "file"; readonly file: ChartFile }
  /** As for `--set` and related options, which override files regardless of their order. */
  | { readonly type: Exclude<SetKind, "set-file">; readonly line: string }
  | SetFile
  | MergedValues;

/** As for `--set-file`. */
interface SetFile {
  readonly type: "set-file";
  readonly line: string;
  /** Contents of the files, by the paths in the line. */
  readonly files: ReadonlyMap<string, string>;
}

export interface GivenValues {
  readonly values: GoMap;
  readonly problems: readonly ChartProblem[];
}

export function givenValues(sources: readonly ValuesSource[], budget: ValueBudget): GivenValues {
  const problems: ChartProblem[] = [];
  let united: GoMap = new Map();
  for (const source of sources) {
    const file = source.type === "file" || source.type === "merged" ? source.file : undefined;
    const read = file && readValues(file);
    problems.push(...(read?.problems ?? []));
    if (source.type === "merged") problems.push(...refusedMerge(source));
    if (source.type === "merged") united = mergeMaps(united, mergedValues(source));
    else if (read !== undefined) united = mergeMaps(united, read.values);
  }
  const values = copyOf(united, budget);
  for (const type of setKinds) {
    for (const source of sources) {
      if (source.type !== type) continue;
      const error = type === "set-json" ? setJson(source.line, values) : setLine(source, values);
      if (error !== undefined) problems.push(ofLine(`failed parsing --${type} data${error}`));
    }
  }
  return { values, problems };
}

/** Why kustomize refuses to merge the values, located where the inline ones are written; empty if it does not. */
function refusedMerge(source: MergedValues): readonly ChartProblem[] {
  const conflict = conflictIn(source);
  if (conflict === undefined) return [];
  const [place] = [conflict.path, []].flatMap(source.inline.placesOf);
  const { uri = "", key = { start: 0, end: 0 } } = place ?? {};
  const message = `kustomize refuses the chart: ${conflict.message}`;
  return [{ code: "values", severity: "error", message, uri, ...key }];
}

type SetLine = Exclude<ValuesSource, { readonly type: "file" | "merged" }>;

function setLine(source: SetLine, values: GoMap): string | undefined {
  const readFile = (path: string): string | undefined =>
    source.type === "set-file" ? source.files.get(path) : undefined;
  const error = setValues(source.line, values, source.type, readFile);
  return error && `: ${error}`;
}

/** A JSON object is merged as a whole; otherwise keys are set, as by `--set`. */
function setJson(line: string, values: GoMap): string | undefined {
  if (!line.trim().startsWith("{"))
    return setValues(line, values, "set-json") === undefined ? undefined : ` ${line}`;
  const read = readJson(line);
  if (read instanceof UnreadJson || !isJsonMap(read)) return ` JSON: ${line}`;
  const given = goMapOf(JSON.parse(line));
  for (const [key, value] of mergeMaps(values, given)) values.set(key, value);
  return undefined;
}

/** The values that the command line sets, without files. */
export function valuesOfLines(sources: readonly ValuesSource[]): GoMap {
  const lines = sources.filter(({ type }) => type !== "file" && type !== "merged");
  return givenValues(lines, new ValueBudget()).values;
}

/** Where files set values; later files override earlier ones. */
export function givenPlaces(sources: readonly ValuesSource[]): readonly PlacesOf[] {
  return sources.flatMap((source): readonly PlacesOf[] => {
    if (source.type === "file") return [placesIn(source.file)];
    if (source.type !== "merged") return [];
    const { inline, merge } = source;
    const file = source.file === undefined ? [] : [placesIn(source.file)];
    if (merge === "replace") return [inline.placesOf];
    return merge === "override" ? [...file, inline.placesOf] : [inline.placesOf, ...file];
  });
}

/** A problem of the command line, which has no place in a file. */
function ofLine(message: string): ChartProblem {
  return { code: "values", uri: "", start: 0, end: 0, message, severity: "error" };
}
