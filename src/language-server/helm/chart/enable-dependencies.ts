/**
 * Decides which subcharts a release has, by conditions and tags, and under which names. Upstream:
 * pkg/chart/v2/util/dependencies.go processDependencyEnabled. A chart without a list of dependencies keeps all subcharts, and
 * theirs, as they are.
 */
import { type GoMap, isGoMap } from "../go-template/values.ts";
import type { Dependency } from "./chart.ts";
import { type CoalesceScene, coalesceValues } from "./coalesce.ts";
import { type ChartCount, type ReleaseChart, releaseChart } from "./release-charts.ts";
import { valueBelow } from "./value-below.ts";
import { fitsRange } from "./version-range.ts";

export interface DependencyScene extends CoalesceScene {
  readonly count: ChartCount;
}

/** Changes the chart and those below it. */
export function enableDependencies(
  chart: ReleaseChart,
  given: GoMap,
  scene: DependencyScene,
  path: readonly string[] = [],
): void {
  const { dependencies } = chart;
  if (dependencies === undefined || scene.budget.isSpent) return;
  chart.subcharts = [
    ...chart.subcharts.filter((each) => !dependencies.some((one) => isMeant(each, one))),
    ...dependencies.flatMap((one) => underAlias(chart.subcharts, one, scene.count) ?? []),
  ];
  const values = coalesceValues(chart, given, scene);
  const named = dependencies.map((one) => ({ ...one, name: nameOf(one) }));
  const disabled = new Set(
    named.filter((one) => !isEnabled(one, values, path)).map(({ name }) => name),
  );
  chart.subcharts = chart.subcharts.filter(({ name }) => !disabled.has(name));
  const enabled = named.filter(({ name }) => !disabled.has(name));
  chart.dependencies = enabled.length > 0 ? enabled : undefined;
  for (const subchart of chart.subcharts)
    enableDependencies(subchart, values, scene, [...path, subchart.name]);
}

export function nameOf(dependency: Dependency): string {
  return dependency.alias || dependency.name;
}

function isMeant({ chart, name }: ReleaseChart, dependency: Dependency): boolean {
  return name === dependency.name && fitsRange(chart.metadata.version, dependency.version);
}

function underAlias(
  charts: readonly ReleaseChart[],
  dependency: Dependency,
  count: ChartCount,
): ReleaseChart | undefined {
  const found = charts.find((each) => isMeant(each, dependency));
  return found && releaseChart(found.chart, count, nameOf(dependency));
}

/** The first condition with a boolean value decides, else the tags. */
function isEnabled(dependency: Dependency, values: GoMap, path: readonly string[]): boolean {
  for (const condition of dependency.condition.trim().split(",")) {
    if (condition === "") continue;
    const answer = valueBelow(values, [...path, ...condition.split(".")]);
    if (typeof answer === "boolean") return answer;
  }
  const tags = values.get("tags");
  const answers = isGoMap(tags) ? dependency.tags.map((tag) => tags.get(tag)) : [];
  return answers.includes(true) || !answers.includes(false);
}
