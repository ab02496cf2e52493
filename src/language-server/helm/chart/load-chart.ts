/** A chart from the files below its folder, with its unpacked subcharts. Upstream: pkg/chart/v2/loader/load.go LoadFiles. */
import { compareText } from "../../../engine/api/go/text-order.ts";
import {
  type Chart,
  type ChartFile,
  type ChartProblem,
  chartDepthMax,
  chartFileCountMax,
  type NamedFile,
} from "./chart.ts";
import { helmIgnore } from "./helm-ignore.ts";
import { readMetadata, refusedApiVersion } from "./read-metadata.ts";
import { readValues } from "./read-values.ts";

/** The files by their paths from the folder (`templates/claim.yaml`). */
export function loadChart(folderUri: string, files: ReadonlyMap<string, ChartFile>): Chart {
  const { isIgnored, problems } = helmIgnore(files.get(".helmignore"));
  const named = [...files]
    .filter(([name]) => !isIgnored(name))
    .slice(0, chartFileCountMax)
    .map(([name, file]): NamedFile => ({ name, file: withoutMark(name, file) }))
    .sort((a, b) => compareText(a.name, b.name));
  const loaded = loadFiles(folderUri, named, folderUri, 0);
  const chart = {
    ...loaded,
    problems: [...problems, ...refusedApiVersion(loaded.metadata), ...loaded.problems],
  };
  if (files.size <= chartFileCountMax) return chart;
  const message = `This chart has more than ${chartFileCountMax} files; the others are not read`;
  const limit: ChartProblem = {
    code: "limit",
    message,
    severity: "error",
    ...chart.metadata.placeOf("name"),
  };
  return { ...chart, problems: [...chart.problems, limit] };
}

const marked = new WeakMap<ChartFile, ChartFile>();

/** What is no part of `.Files`, which templates see without the mark. */
const ownFiles = /^(?:charts\/[^/]+\/)*(?:templates\/|crds\/|(?:Chart|values|requirements)\.yaml$)/;

/** Places are those of the file with its mark: an empty line takes as much room, and means nothing. */
function withoutMark(name: string, file: ChartFile): ChartFile {
  if (!file.text.startsWith("\ufeff") || !ownFiles.test(name)) return file;
  const known = marked.get(file) ?? { uri: file.uri, text: `\n${file.text.slice(1)}` };
  marked.set(file, known);
  return known;
}

function loadFiles(
  folderUri: string,
  files: readonly NamedFile[],
  standIn: string,
  depth: number,
): Chart {
  const kinds = partedFiles(files);
  const { metadata, problems } = readMetadata(kinds.chart, kinds.requirements, standIn);
  const read = kinds.values === undefined ? undefined : readValues(kinds.values);
  const ofValues = (read?.problems ?? []).map(
    (problem): ChartProblem => ({
      ...problem,
      message: `cannot load values.yaml: ${problem.message}`,
    }),
  );
  const subcharts: Chart[] = [];
  const packed: string[] = [];
  for (const [name, ownFiles] of kinds.subcharts) {
    if (name.endsWith(".tgz")) packed.push(name);
    else if (depth < chartDepthMax) {
      const [first] = ownFiles;
      const inFolder = ownFiles.flatMap(withoutFolder);
      const uri = `${folderUri}/charts/${encodeURIComponent(name)}`;
      subcharts.push(loadFiles(uri, inFolder, first?.file.uri ?? uri, depth + 1));
    }
  }
  return {
    folderUri,
    metadata,
    values: read?.values ?? new Map(),
    valuesFile: kinds.values,
    templates: kinds.templates,
    files: metadata.apiVersion === "v1" ? [...kinds.others, ...kinds.ofV1] : kinds.others,
    subcharts,
    packed,
    problems: [...problems, ...ofValues, ...subcharts.flatMap((subchart) => subchart.problems)],
  };
}

interface PartedFiles {
  chart: ChartFile | undefined;
  requirements: ChartFile | undefined;
  values: ChartFile | undefined;
  readonly templates: NamedFile[];
  readonly others: NamedFile[];
  /** What only a chart of v1 has among its others. */
  readonly ofV1: NamedFile[];
  readonly subcharts: Map<string, NamedFile[]>;
}

function partedFiles(files: readonly NamedFile[]): PartedFiles {
  const parted: PartedFiles = {
    chart: undefined,
    requirements: undefined,
    values: undefined,
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
  else if (name === "Chart.lock" || name === "values.schema.json") return;
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

/** None of a file that stands in `charts/` itself. */
function withoutFolder({ name, file }: NamedFile): readonly NamedFile[] {
  const slash = name.indexOf("/");
  return slash < 0 ? [] : [{ name: name.slice(slash + 1), file }];
}
