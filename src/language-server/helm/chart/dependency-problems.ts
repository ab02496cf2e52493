/** Finds charts that are declared but missing. Upstream: pkg/action/dependency.go CheckDependencies. */
import { type Chart, type ChartProblem, mostPressing } from "./chart.ts";
import { archiveOf } from "./packed-files.ts";

/** Helm requires the chart's own dependencies, whether they are enabled or not. */
export function missingDependencies({
  metadata,
  subcharts,
  unread,
  problems,
}: Chart): readonly ChartProblem[] {
  const isTold = (uri: string, start: number): boolean =>
    problems.some((one) => one.code === "dependency" && one.uri === uri && one.start === start);
  const missing = (metadata.dependencies ?? [])
    .filter(({ name }) => !subcharts.some((subchart) => subchart.metadata.name === name))
    .filter((dependency) => archiveOf(dependency, unread) === undefined)
    .filter(({ place }) => !isTold(place.uri, place.start))
    .map(
      ({ name, place }): ChartProblem => ({
        code: "dependency",
        message: `found in Chart.yaml, but missing in charts/ directory: ${name}. Run \`helm dependency build\` in the chart's folder`,
        severity: "error",
        ...place,
      }),
    );
  return mostPressing(missing);
}

/** True if a part of the chart exists but cannot be read. */
export function hasUnread({ unread, subcharts }: Chart): boolean {
  return unread.length > 0 || subcharts.some(hasUnread);
}
