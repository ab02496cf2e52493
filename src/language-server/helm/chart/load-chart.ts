/**
 * Loads a chart from the files below its folder, with its subcharts: those in `charts/`, unpacked or packed, and those in other
 * folders that only `helm dependency build` would pack. Upstream: pkg/chart/v2/loader/load.go LoadFiles.
 */
import type { Failed } from "../archive/packed-chart.ts";
import {
  type Chart,
  type ChartFile,
  type ChartMetadata,
  type ChartProblem,
  chartDepthMax,
  chartFileCountMax,
  type Dependency,
  type NamedFile,
  type StandIn,
} from "./chart.ts";
import type { FindLocalChart } from "./local-chart.ts";
import { archiveOf, packedFiles } from "./packed-files.ts";
import { type PartedFiles, partedFiles } from "./parted-files.ts";
import { readFolder } from "./read-folder.ts";
import { readMetadata, refusedApiVersion } from "./read-metadata.ts";
import { readValues } from "./read-values.ts";
import type { ChartCount } from "./release-charts.ts";
import { fitsRange, rangeProblem } from "./version-range.ts";

/** `files` are keyed by their paths below the folder (`templates/claim.yaml`). */
export function loadChart(
  folderUri: string,
  files: ReadonlyMap<string, ChartFile>,
  findLocal: FindLocalChart = () => undefined,
): Chart {
  const { named, problems } = readFolder(files);
  const source = { folderUri, files: named, withoutChart: folderUri };
  const loaded = loadFiles(source, { findLocal, trail: [folderUri], count: { count: 0 } });
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

interface ChartSource {
  readonly folderUri: string;
  readonly files: readonly NamedFile[];
  /** Where a missing Chart.yaml is reported. */
  readonly withoutChart: string;
}

interface LoadScene {
  readonly findLocal: FindLocalChart;
  /** Folders of the chart and of those that contain it. */
  readonly trail: readonly string[];
  /** Counts charts in other folders. */
  readonly count: ChartCount;
}

function loadFiles(source: ChartSource, scene: LoadScene): Chart {
  const kinds = partedFiles(source.files);
  const { metadata, problems } = readMetadata(kinds.chart, kinds.requirements, source.withoutChart);
  const read = kinds.values === undefined ? undefined : readValues(kinds.values);
  const ofValues = (read?.problems ?? []).map(
    (problem): ChartProblem => ({
      ...problem,
      message: `cannot load values.yaml: ${problem.message}`,
    }),
  );
  const parent: ParentChart = { folderUri: source.folderUri, metadata, kinds };
  const inCharts = scene.trail.length > chartDepthMax ? none : subchartsIn(parent, scene);
  const subcharts = [...inCharts.subcharts];
  const refused = [...inCharts.problems];
  for (const dependency of metadata.dependencies ?? []) {
    const isThere = subcharts.some((subchart) => subchart.metadata.name === dependency.name);
    if (isThere || archiveOf(dependency, inCharts.unread) !== undefined) continue;
    const found = localChart(parent, dependency, scene);
    if (found === undefined) continue;
    if ("message" in found) refused.push(found);
    else subcharts.push(found);
  }
  return {
    folderUri: source.folderUri,
    metadata,
    values: read?.values ?? new Map(),
    valuesFile: kinds.values,
    schemaFile: kinds.schema,
    templates: kinds.templates,
    files: metadata.apiVersion === "v1" ? [...kinds.others, ...kinds.ofV1] : kinds.others,
    subcharts,
    unread: inCharts.unread,
    problems: [
      ...[...problems, ...ofValues, ...refused],
      ...subcharts.flatMap((subchart) => subchart.problems),
    ],
  };
}

interface ParentChart {
  readonly folderUri: string;
  readonly metadata: ChartMetadata;
  readonly kinds: PartedFiles;
}

interface Subcharts {
  readonly subcharts: readonly Chart[];
  /** Names of archives. */
  readonly unread: readonly string[];
  readonly problems: readonly ChartProblem[];
}

const none: Subcharts = { subcharts: [], unread: [], problems: [] };

function subchartsIn(parent: ParentChart, scene: LoadScene): Subcharts {
  const subcharts: Chart[] = [];
  const unread: string[] = [];
  const problems: ChartProblem[] = [];
  for (const [name, ownFiles] of parent.kinds.subcharts) {
    if (!name.endsWith(".tgz")) {
      subcharts.push(unpackedChart(parent, name, ownFiles, scene));
      continue;
    }
    const read = packedChart(parent, name, ownFiles, scene);
    if ("failed" in read) {
      const message = `error unpacking subchart ${name} in ${parent.metadata.name}: ${read.failed}`;
      const { place } = standInOf(parent, name, undefined);
      problems.push({ code: "chart", severity: "error", message, ...place });
      unread.push(name);
    } else subcharts.push(read);
  }
  return { subcharts, unread, problems };
}

function unpackedChart(
  { folderUri }: ParentChart,
  name: string,
  files: readonly NamedFile[],
  scene: LoadScene,
): Chart {
  const uri = `${folderUri}/charts/${encodeURIComponent(name)}`;
  const inFolder = files.flatMap(withoutFolder);
  const source = { folderUri: uri, files: inFolder, withoutChart: files[0]?.file.uri ?? uri };
  return loadFiles(source, { ...scene, trail: [...scene.trail, uri] });
}

/** Local dependencies of a packed chart cannot be found. */
function packedChart(
  parent: ParentChart,
  name: string,
  files: readonly NamedFile[],
  { trail, count }: LoadScene,
): Chart | Failed {
  const archive = files.find((named) => named.name === name)?.file;
  if (archive === undefined) return { failed: `${name} is a folder` };
  const packed = packedFiles(archive);
  if ("failed" in packed) return packed;
  const { uri } = archive;
  const source = { folderUri: uri, files: packed, withoutChart: uri };
  const loaded = loadFiles(source, {
    ...{ findLocal: () => undefined, count },
    trail: [...trail, uri],
  });
  return { ...loaded, standIn: standInOf(parent, name, loaded.metadata.name) };
}

/** Limited, because each may have as many files as its parent. */
const localCountMax = 200;

/**
 * Loads a chart as `helm dependency build` would pack it. Upstream: pkg/downloader/manager.go tarFromLocalDir,
 * internal/resolver/resolver.go.
 */
function localChart(
  parent: ParentChart,
  dependency: Dependency,
  scene: LoadScene,
): Chart | ChartProblem | undefined {
  const { name, repository, version, place } = dependency;
  if (!repository.startsWith("file://") || scene.trail.length > chartDepthMax) return undefined;
  const found = scene.findLocal(parent.folderUri, repository);
  if (found === undefined || scene.trail.includes(found.folderUri)) return undefined;
  scene.count.count++;
  if (scene.count.count > localCountMax) return undefined;
  const { named, problems } = readFolder(found.files);
  const { folderUri } = found;
  const source = { folderUri, files: named, withoutChart: folderUri };
  const loaded = loadFiles(source, { ...scene, trail: [...scene.trail, folderUri] });
  if (!fitsRange(loaded.metadata.version, version)) {
    const message = refusal(dependency);
    return { code: "dependency", severity: "error", message, ...place };
  }
  const chart = { ...loaded, problems: [...problems, ...loaded.problems] };
  if (!found.isElsewhere) return chart;
  return { ...chart, standIn: standInOf(parent, repository, name) };
}

/** Helm's message for a chart whose version does not match. */
function refusal({ name, repository, version }: Dependency): string {
  const improper = rangeProblem(version);
  if (improper !== undefined)
    return `dependency "${name}" has an invalid version/constraint format: ${improper}`;
  return `can't get a valid version for 1 subchart(s): "${name}" (repository "${repository}", version "${version}"). Make sure a matching chart version exists in the repo, or change the version constraint in Chart.yaml`;
}

/** Located at the dependency if it is declared, else at the chart's name. */
function standInOf(
  { metadata, kinds }: ParentChart,
  from: string,
  name: string | undefined,
): StandIn {
  const declared = (metadata.dependencies ?? []).find(
    (dependency) => dependency.name === name || archiveOf(dependency, [from]) !== undefined,
  );
  const place = declared?.place ?? metadata.placeOf("name");
  const files = [kinds.chart, kinds.requirements].flatMap((file) => file ?? []);
  const file = files.find(({ uri }) => uri === place.uri) ?? { uri: place.uri, text: "" };
  return { from, place, file };
}

/** Empty for a file directly in `charts/`. */
function withoutFolder({ name, file }: NamedFile): readonly NamedFile[] {
  const slash = name.indexOf("/");
  return slash < 0 ? [] : [{ name: name.slice(slash + 1), file }];
}
