/** Sorts a chart's files by their roles, which depend on their paths. Upstream: pkg/chart/v2/loader/load.go LoadFiles. */
import type { ChartFile, NamedFile } from "./chart.ts";

export interface PartedFiles {
  chart: ChartFile | undefined;
  requirements: ChartFile | undefined;
  values: ChartFile | undefined;
  schema: ChartFile | undefined;
  readonly templates: NamedFile[];
  readonly others: NamedFile[];
  /** Files that only count among the others in charts of API version v1. */
  readonly ofV1: NamedFile[];
  /** By their folder in `charts/`, or the name of their archive. */
  readonly subcharts: Map<string, NamedFile[]>;
}

export function partedFiles(files: readonly NamedFile[]): PartedFiles {
  const parted: PartedFiles = {
    chart: undefined,
    requirements: undefined,
    values: undefined,
    schema: undefined,
    templates: [],
    others: [],
    ofV1: [],
    subcharts: new Map(),
  };
  for (const named of files) addTo(parted, named);
  return parted;
}

function addTo(parted: PartedFiles, named: NamedFile): void {
  const { name, file } = named;
  if (name === "Chart.yaml") parted.chart = file;
  else if (name === "values.yaml") parted.values = file;
  else if (name === "values.schema.json") parted.schema = file;
  else if (name === "Chart.lock") return;
  else if (name === "requirements.yaml" || name === "requirements.lock") {
    if (name.endsWith(".yaml")) parted.requirements = file;
    parted.ofV1.push(named);
  } else if (name.startsWith("templates/")) parted.templates.push(named);
  else if (name.startsWith("charts/") && !name.endsWith(".prov")) addToSubchart(parted, named);
  else parted.others.push(named);
}

function addToSubchart({ subcharts }: PartedFiles, { name, file }: NamedFile): void {
  const inCharts = name.slice("charts/".length);
  const [folder = ""] = inCharts.split("/", 1);
  if (/^[_.]/.test(folder)) return;
  const own = subcharts.get(folder) ?? [];
  own.push({ name: inCharts, file });
  subcharts.set(folder, own);
}
