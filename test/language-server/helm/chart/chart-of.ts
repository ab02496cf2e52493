/** Charts for tests, made from the texts of their files. */
import type { Chart } from "../../../../src/language-server/helm/chart/chart.ts";
import { loadChart } from "../../../../src/language-server/helm/chart/load-chart.ts";
import type { FindLocalChart } from "../../../../src/language-server/helm/chart/local-chart.ts";

export function chartOf(
  files: Readonly<Record<string, string>>,
  findLocal?: FindLocalChart,
): Chart {
  const named = Object.entries(files).map(
    ([name, text]) => [name, { uri: `file:///web/${name}`, text }] as const,
  );
  return loadChart("file:///web", new Map(named), findLocal);
}
