/**
 * Determines the charts of a release, and the values of the outermost chart, which contain those of all others. Upstream:
 * pkg/action/install.go RunWithContext, pkg/chart/common/util/values.go ToRenderValues.
 */
import { sprintf } from "../go-template/printf.ts";
import type { GoMap, GoValue } from "../go-template/values.ts";
import type { Chart, ChartProblem } from "./chart.ts";
import { type CoalesceScene, coalesceValues } from "./coalesce.ts";
import { enableDependencies } from "./enable-dependencies.ts";
import { givenPlaces, givenValues } from "./given-values.ts";
import { importValues } from "./import-values.ts";
import type { Release } from "./release.ts";
import { chartCountMax, type ReleaseChart, releaseChart } from "./release-charts.ts";
import { ValueBudget } from "./value-budget.ts";
import { placesIn } from "./value-places.ts";

export interface United {
  readonly root: ReleaseChart;
  readonly values: GoMap;
}

/** Undefined, with an additional problem, if there would be too many. */
export function uniteValues(
  chart: Chart,
  release: Release,
  problems: ChartProblem[],
): United | undefined {
  const budget = new ValueBudget();
  const count = { count: 0 };
  const mismatches = new Map<string, GoValue>();
  const scene: CoalesceScene = {
    budget,
    mismatch: (path, value) => mismatches.set(path.join("."), value),
  };
  const given = givenValues(release.values, budget);
  problems.push(...given.problems);
  const root = releaseChart(chart, count);
  if (root !== undefined) {
    enableDependencies(root, given.values, { ...scene, count });
    importValues(root, scene);
    const values = coalesceValues(root, given.values, scene);
    for (const mismatch of mismatches) problems.push(mismatchProblem(chart, release, mismatch));
    if (!budget.isSpent && count.count <= chartCountMax) return { root, values };
  }
  const message = "This chart's values, or its subcharts, multiply to more than is rendered here";
  problems.push({
    code: "limit",
    severity: "error",
    message,
    ...chart.metadata.placeOf("name"),
  });
  return undefined;
}

function mismatchProblem(
  { metadata, valuesFile }: Chart,
  { values }: Release,
  [path, value]: readonly [string, GoValue],
): ChartProblem {
  const own = valuesFile === undefined ? [] : [placesIn(valuesFile)];
  const [written] = [...givenPlaces(values).toReversed(), ...own].flatMap((placesOf) =>
    placesOf(path.split(".")),
  );
  const { uri, start, end } = written ?? metadata.placeOf("dependencies");
  const name = path.slice(path.lastIndexOf(".") + 1);
  const message = `type mismatch on ${name}: ${sprintf("%t", [value])}`;
  return { code: "values", severity: "error", message, uri, start, end };
}
