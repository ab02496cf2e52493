/** The charts of a release: under their aliases, without those that are disabled. */
import type { GoMap } from "../go-template/values.ts";
import type { Chart, Dependency } from "./chart.ts";

/** A chart as it is being made ready for one release. */
export interface ReleaseChart {
  readonly chart: Chart;
  /** Its alias, or else its own name. */
  readonly name: string;
  /** Defaults; with import-values those of subcharts, too. */
  values: GoMap;
  /** Once it is known which are enabled: those alone, under their aliases. */
  dependencies: readonly Dependency[] | undefined;
  subcharts: readonly ReleaseChart[];
}

/** So many nobody has; aliases of charts with aliases multiply. */
export const chartCountMax = 1000;

export interface ChartCount {
  count: number;
}

/** Undefined where there are too many. */
export function releaseChart(
  chart: Chart,
  count: ChartCount,
  name: string = chart.metadata.name,
): ReleaseChart | undefined {
  count.count++;
  if (count.count > chartCountMax) return undefined;
  return {
    chart,
    name,
    values: chart.values,
    dependencies: chart.metadata.dependencies,
    subcharts: chart.subcharts.flatMap((subchart) => releaseChart(subchart, count) ?? []),
  };
}
