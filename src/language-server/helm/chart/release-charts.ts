/** The charts of a release: under their aliases, without disabled ones. */
import type { GoMap } from "../go-template/values.ts";
import type { Chart, Dependency } from "./chart.ts";

/** A chart while it is being prepared for one release. */
export interface ReleaseChart {
  readonly chart: Chart;
  /** Its alias, or its own name. */
  readonly name: string;
  /** Defaults; after import-values also those of subcharts. */
  values: GoMap;
  /** Once it is known which are enabled: only those, under their aliases. */
  dependencies: readonly Dependency[] | undefined;
  subcharts: readonly ReleaseChart[];
}

/** Far more than anybody has; aliases of charts with aliases multiply. */
export const chartCountMax = 1000;

export interface ChartCount {
  count: number;
}

/** Undefined if there are too many. */
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
