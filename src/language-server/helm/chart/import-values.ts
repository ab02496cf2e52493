/** Copies values from subcharts that a chart imports. Upstream: pkg/chart/v2/util/dependencies.go processImportValues. */
import { type GoMap, isGoMap } from "../go-template/values.ts";
import { type CoalesceScene, coalesceTables, copyOf, mergeValues } from "./coalesce.ts";
import type { ReleaseChart } from "./release-charts.ts";
import { valueBelow } from "./value-below.ts";

/** Changes the values of the chart and of those below it. */
export function importValues(chart: ReleaseChart, scene: CoalesceScene): void {
  for (const subchart of chart.subcharts) importValues(subchart, scene);
  const { dependencies } = chart;
  if (dependencies === undefined || scene.budget.isSpent) return;
  const values = mergeValues(chart, new Map(), scene);
  const imported: GoMap = new Map();
  for (const { name, importValues: imports } of dependencies) {
    for (const { child, parent } of imports) {
      const path = `${name}.${child}`.split(".");
      const table = valueBelow(values, path);
      if (isGoMap(table)) coalesceTables(imported, under(parent, table), true);
    }
  }
  chart.values = coalesceTables(copyOf(values, scene.budget), imported, true);
}

function under(path: string, table: GoMap): GoMap {
  if (path === ".") return table;
  return path.split(".").reduceRight((value: GoMap, key) => new Map([[key, value]]), table);
}
