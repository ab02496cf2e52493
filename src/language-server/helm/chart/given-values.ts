/** The values that a release is given beside its chart's own. Upstream: pkg/cli/values/options.go MergeValues. */
import type { GoMap } from "../go-template/values.ts";
import type { ChartFile, ChartProblem } from "./chart.ts";
import { copyOf } from "./coalesce.ts";
import { mergeMaps, readValues } from "./read-values.ts";
import { setValues } from "./set-values.ts";
import { ValueBudget } from "./value-budget.ts";

export type ValuesSource =
  /** As `--values` takes it; of several the later ones count. */
  | { readonly type: "file"; readonly file: ChartFile }
  /** As `--set` and `--set-string` take them; they count more than files, wherever they stand. */
  | { readonly type: "set" | "set-string"; readonly line: string };

export interface GivenValues {
  readonly values: GoMap;
  readonly problems: readonly ChartProblem[];
}

export function givenValues(sources: readonly ValuesSource[], budget: ValueBudget): GivenValues {
  const problems: ChartProblem[] = [];
  let united: GoMap = new Map();
  for (const source of sources) {
    if (source.type !== "file") continue;
    const read = readValues(source.file);
    problems.push(...read.problems);
    united = mergeMaps(united, read.values);
  }
  const values = copyOf(united, budget);
  for (const type of ["set", "set-string"] as const) {
    for (const source of sources) {
      if (source.type !== type) continue;
      const error = setValues(source.line, values, type === "set-string");
      if (error !== undefined) problems.push(ofLine(`failed parsing --${type} data: ${error}`));
    }
  }
  return { values, problems };
}

/** What the command line sets, without the files. */
export function valuesOfLines(sources: readonly ValuesSource[]): GoMap {
  const lines = sources.filter(({ type }) => type !== "file");
  return givenValues(lines, new ValueBudget()).values;
}

/** It stands in no file. */
function ofLine(message: string): ChartProblem {
  return { code: "values", uri: "", start: 0, end: 0, message, severity: "error" };
}
