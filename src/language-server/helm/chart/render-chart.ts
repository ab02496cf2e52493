/**
 * What `helm template` renders of a chart, and what an installation would therefore bring into a cluster. Upstream: pkg/action/install.go,
 * action.go renderResources, pkg/engine/engine.go render. Where Helm ends at the first mistake, the rest is rendered all the
 * same. Not modelled: values.schema.json, `lookup` in a cluster.
 */
import { helmFunctions } from "../functions/all.ts";
import { type ExecutionProblem, execute } from "../go-template/execution.ts";
import type { RenderedText } from "../go-template/rendered-text.ts";
import { readTemplates, type Templates } from "../go-template/templates.ts";
import type { GoMap } from "../go-template/values.ts";
import { capabilities, normalizedVersion } from "./capabilities.ts";
import type { Chart, ChartFile, ChartProblem } from "./chart.ts";
import { type ChartTemplates, chartTemplates, isPartial, pathOf } from "./chart-templates.ts";
import { type CoalesceScene, coalesceValues } from "./coalesce.ts";
import { missingDependencies, packedCharts } from "./dependency-problems.ts";
import { enableDependencies } from "./enable-dependencies.ts";
import { givenValues } from "./given-values.ts";
import { importValues } from "./import-values.ts";
import type { Release, RenderedChart } from "./release.ts";
import { chartCountMax, type ReleaseChart, releaseChart } from "./release-charts.ts";
import { RenderMemory } from "./render-memory.ts";
import { type RenderedFile, renderedManifests } from "./rendered-manifests.ts";
import { ValueBudget } from "./value-budget.ts";
import { placesIn, valuePlaces } from "./value-places.ts";
import { fitsRange } from "./version-range.ts";

export function renderChart(
  chart: Chart,
  release: Release,
  memory: RenderMemory = new RenderMemory(),
): RenderedChart {
  const problems = [...chart.problems, ...refusedCharts(chart, release)];
  const missing = missingDependencies(chart);
  const united = uniteValues(chart, release, problems);
  const packed = united === undefined ? [] : packedCharts(united.root);
  problems.push(...missing, ...packed);
  const given = release.values.flatMap((source) => (source.type === "file" ? [source.file] : []));
  const made = united === undefined ? nothing : renderFiles(united, release, memory);
  const isLacking = missing.length > 0 || packed.length > 0;
  problems.push(...made.problems.filter((problem) => !(isLacking && isOfLacking(problem))));
  const read = renderedManifests(made.files);
  problems.push(...read.problems);
  const isWhole = united !== undefined && !isLacking && made.isWhole && read.problems.length === 0;
  return {
    manifests: read.manifests,
    otherHooks: read.otherHooks,
    isWhole,
    problems,
    files: [...filesOf(chart), ...given.map(({ uri }) => uri)],
    placesOf: (values) => valuePlaces(values, made.owners, given),
  };
}

interface United {
  readonly root: ReleaseChart;
  readonly values: GoMap;
}

interface Made {
  readonly files: readonly RenderedFile[];
  readonly problems: readonly ChartProblem[];
  readonly owners: ChartTemplates["owners"];
  readonly isWhole: boolean;
}

const nothing: Made = { files: [], problems: [], owners: new Map(), isWhole: false };

function refusedCharts({ metadata }: Chart, { kubeVersion }: Release): ChartProblem[] {
  const at = (key: string, message: string): ChartProblem[] => [
    { code: "chart", severity: "error", message, ...metadata.placeOf(key) },
  ];
  if (metadata.type === "library") return at("type", "library charts are not installable");
  const version = normalizedVersion(kubeVersion);
  const wanted = metadata.kubeVersion;
  if (wanted === "" || fitsRange(version, wanted)) return [];
  return at(
    "kubeVersion",
    `chart requires kubeVersion: ${wanted} which is incompatible with Kubernetes ${version}`,
  );
}

/** Undefined, and a problem more, where there would be too many. */
function uniteValues(chart: Chart, release: Release, problems: ChartProblem[]): United | undefined {
  const budget = new ValueBudget();
  const count = { count: 0 };
  const mismatches = new Set<string>();
  const scene: CoalesceScene = {
    budget,
    mismatch: (path) => mismatches.add(path.join(".")),
  };
  const given = givenValues(release.values, budget);
  problems.push(...given.problems);
  const root = releaseChart(chart, count);
  if (root !== undefined) {
    enableDependencies(root, given.values, { ...scene, count });
    importValues(root, scene);
    const values = coalesceValues(root, given.values, scene);
    for (const path of mismatches) problems.push(mismatchProblem(chart, release, path));
    if (!budget.isSpent && count.count <= chartCountMax) return { root, values };
  }
  const message = `This chart's values, or its subcharts, multiply to more than is rendered here`;
  problems.push({
    code: "limit",
    severity: "error",
    message,
    ...chart.metadata.placeOf("name"),
  });
  return undefined;
}

function mismatchProblem(
  { metadata, valuesFile }: Chart,
  { values }: Release,
  path: string,
): ChartProblem {
  const given = values.flatMap((source) => (source.type === "file" ? [source.file] : []));
  const files = [...given.toReversed(), ...(valuesFile === undefined ? [] : [valuesFile])];
  const [written] = files.flatMap((file) => placesIn(file, [path.split(".")]));
  const { uri, start, end } = written ?? metadata.placeOf("dependencies");
  const message = `type mismatch on ${path}: the values of a subchart are a table`;
  return { code: "values", severity: "error", message, uri, start, end };
}

function renderFiles({ root, values }: United, release: Release, memory: RenderMemory): Made {
  const toYaml = helmFunctions.get("toYaml") ?? (() => "");
  const { templates, owners } = chartTemplates(root, {
    values: memory.valuesAsBefore(values),
    release: releaseMap(release),
    capabilities: capabilities(release.kubeVersion, release.apiVersions ?? []),
    toYaml,
  });
  const sources = templates.map(({ source }) => source);
  const read = readTemplates(sources, helmFunctions);
  const problems: ChartProblem[] = read.problems.map(({ source, start, end, message }) => ({
    ...{ code: "template", severity: "error", uri: source.uri },
    ...{ start, end, message },
  }));
  const made = executeAll(templates, read.templates, memory);
  return {
    files: [...crdsOf([root]), ...made.files],
    problems: [...problems, ...made.problems],
    owners,
    isWhole: problems.length === 0 && made.problems.length === 0,
  };
}

/** Several of the most that one template may cost; the largest charts that are known need a hundredth. */
const costMax = 100_000_000;

function executeAll(
  templates: ChartTemplates["templates"],
  read: Templates,
  memory: RenderMemory,
): Pick<Made, "files" | "problems"> {
  const files: RenderedFile[] = [];
  const problems = new Map<string, ChartProblem>();
  let spent = 0;
  let changesData = false;
  for (const { source, basePath, data } of templates) {
    const { name, uri } = source;
    if (isPartial(name) || !read.has(name)) continue;
    if (spent > costMax) {
      const message = "This chart's templates make too much to be rendered here";
      problems.set("", { code: "limit", severity: "error", message, uri, start: 0, end: 0 });
      break;
    }
    data.set("Template", new Map(Object.entries({ Name: name, BasePath: basePath })));
    const executed = memory.executed(name, read) ?? execute(read, name, data, helmFunctions);
    memory.note(name, executed);
    changesData ||= executed.changesData;
    const { output, problem, cost } = executed;
    spent += cost;
    if (problem !== undefined) {
      // A mistake in what many templates include is one: it is told of the first, as Helm does.
      const key = JSON.stringify([problem.source.uri, problem.start, problem.message]);
      if (!problems.has(key)) problems.set(key, executionProblem(problem, basePath));
    } else if (!name.endsWith("NOTES.txt"))
      files.push({ templateName: name, uri, rendered: output, isCrd: false });
  }
  // What one has changed others have seen.
  if (changesData) memory.forget();
  return { files, problems: [...problems.values()] };
}

/** What a template of a subchart refuses is told where its parent asks for it: the subchart is somebody else's. */
function executionProblem(problem: ExecutionProblem, basePath: string): ChartProblem {
  const { source, calledAt, start, end, message, isDemanded } = problem;
  const charts = basePath.replace(/templates$/, "charts/");
  const isOthers = source.name.startsWith(charts) && calledAt !== undefined;
  const at = isOthers ? calledAt : { source, start, end };
  return {
    ...{ code: "template", severity: "error", uri: at.source.uri },
    ...{ start: at.start, end: at.end, message: message.trim() },
    ...(isDemanded && { isDemanded }),
  };
}

function releaseMap({ name, namespace }: Release): GoMap {
  return new Map(
    Object.entries({
      Name: name,
      Namespace: namespace,
      IsInstall: true,
      IsUpgrade: false,
      Revision: 1n,
      Service: "Helm",
    }),
  );
}

/** Definitions in `crds/` are no templates. Upstream: pkg/chart/v2/chart.go CRDObjects. */
function crdsOf(charts: readonly ReleaseChart[]): readonly RenderedFile[] {
  const own = charts.at(-1);
  if (own === undefined) return [];
  const files = own.chart.files.filter(({ name }) => /^crds\/.*\.(?:ya?ml|json)$/i.test(name));
  return [
    ...files.map(({ name, file }) => ({
      templateName: `${pathOf(charts)}/${name}`,
      uri: file.uri,
      rendered: asItStands(name, file),
      isCrd: true,
    })),
    ...own.subcharts.flatMap((subchart) => crdsOf([...charts, subchart])),
  ];
}

function asItStands(name: string, { uri, text }: ChartFile): RenderedText {
  const source = { name, uri, text };
  const [start, end] = [0, text.length];
  const piece = { start, end, source, from: 0, to: end, isLiteral: true, reads: [] };
  return { text, pieces: [piece] };
}

/** What is missing because a chart is, is told of that chart. */
function isOfLacking({ code, message }: ChartProblem): boolean {
  return code === "template" && /no template "|template "[^"]*" not defined/.test(message);
}

function filesOf(chart: Chart): readonly string[] {
  const { metadata, valuesFile, templates, files, subcharts } = chart;
  return [
    metadata.placeOf("name").uri,
    ...(valuesFile === undefined ? [] : [valuesFile.uri]),
    ...[...templates, ...files].map(({ file }) => file.uri),
    ...subcharts.flatMap(filesOf),
  ];
}
