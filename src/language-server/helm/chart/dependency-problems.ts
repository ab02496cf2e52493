/** Charts that are declared and cannot be rendered. Upstream: pkg/action/dependency.go CheckDependencies. */
import type { Chart, ChartProblem, Dependency } from "./chart.ts";
import { nameOf } from "./enable-dependencies.ts";
import type { ReleaseChart } from "./release-charts.ts";

/** Helm looks for those of the chart itself, whether they are enabled or not. */
export function missingDependencies({ metadata, subcharts, packed }: Chart): ChartProblem[] {
  return (metadata.dependencies ?? [])
    .filter(({ name }) => !subcharts.some((subchart) => subchart.metadata.name === name))
    .filter((dependency) => archiveOf(dependency, packed) === undefined)
    .map(({ name, place }) => ({
      code: "dependency",
      message: `found in Chart.yaml, but missing in charts/ directory: ${name}`,
      severity: "error",
      ...place,
    }));
}

/** Helm reads them; here they have to be unpacked. Told where the release would have them. */
export function packedCharts(own: ReleaseChart): ChartProblem[] {
  const { chart, subcharts } = own;
  const problems = chart.packed.flatMap((archive): ChartProblem[] => {
    const declared = (chart.metadata.dependencies ?? []).filter(
      (dependency) => archiveOf(dependency, [archive]) !== undefined,
    );
    if (declared.length > 0 && !declared.some((each) => isLacking(own, nameOf(each)))) return [];
    const message = `charts/${archive} is not read: unpack it (tar -xzf) to have its templates judged`;
    const place = declared[0]?.place ?? chart.metadata.placeOf("name");
    return [{ code: "dependency", message, severity: "warning", ...place }];
  });
  return [...problems, ...subcharts.flatMap(packedCharts)];
}

/** Whether it is enabled, and there only as an archive. */
function isLacking({ dependencies, subcharts }: ReleaseChart, wanted: string): boolean {
  const isEnabled = (dependencies ?? []).some(({ name }) => name === wanted);
  return isEnabled && !subcharts.some(({ name }) => name === wanted);
}

/** `name-1.2.3.tgz`. */
function archiveOf({ name }: Dependency, packed: readonly string[]): string | undefined {
  return packed.find(
    (archive) => archive.startsWith(`${name}-`) && /^v?\d/.test(archive.slice(name.length + 1)),
  );
}
