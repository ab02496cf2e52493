/**
 * Renders what `helm template` would, which is what an installation brings into a cluster. Upstream: pkg/action/install.go,
 * action.go renderResources, pkg/engine/engine.go render. Helm stops at the first mistake; here the rest is rendered as well.
 * Not modeled: `lookup` in a cluster.
 */
import { helmFunctions } from "../functions/all.ts";
import type { RenderedText } from "../go-template/rendered-text.ts";
import { readTemplates } from "../go-template/templates.ts";
import type { GoMap } from "../go-template/values.ts";
import { capabilities, normalizedVersion } from "./capabilities.ts";
import { type Chart, type ChartFile, type ChartProblem, mostPressing } from "./chart.ts";
import { type ChartTemplates, chartTemplates, pathOf } from "./chart-templates.ts";
import { hasUnread, missingDependencies } from "./dependency-problems.ts";
import { executeTemplates } from "./execute-templates.ts";
import { givenPlaces, valuesOfLines } from "./given-values.ts";
import type { Release, RenderedChart, RenderedManifest } from "./release.ts";
import type { ReleaseChart } from "./release-charts.ts";
import { RenderMemory } from "./render-memory.ts";
import { type RenderedFile, renderedManifests } from "./rendered-manifests.ts";
import { schemaProblems } from "./schema-problems.ts";
import { manifestAtStandIn, problemAtStandIn, standInsOf } from "./stand-ins.ts";
import { type United, uniteValues } from "./unite-values.ts";
import { unreadValues } from "./unread-values.ts";
import { valuePlaces } from "./value-places.ts";
import { fitsRange } from "./version-range.ts";

export function renderChart(
  chart: Chart,
  release: Release,
  memory: RenderMemory = new RenderMemory(),
): RenderedChart {
  const problems = [...chart.problems, ...refusedCharts(chart, release)];
  const missing = missingDependencies(chart);
  const united = uniteValues(chart, release, problems);
  problems.push(...missing);
  const given = {
    files: givenPlaces(release.values),
    set: valuesOfLines(release.values),
  };
  if (united !== undefined && !release.skipsSchemas)
    problems.push(...schemaProblems(united, given));
  const standIns = standInsOf(chart);
  // Nobody intends what would be rendered without the broken values.
  const lacksValues = problems.some(({ code }) => code === "values");
  const made = united === undefined || lacksValues ? nothing : renderFiles(united, release, memory);
  const isLacking =
    missing.length > 0 ||
    hasUnread(chart) ||
    chart.problems.some(({ code }) => code === "dependency");
  // Missing charts may read the values; and values inside archives cannot be fixed here.
  if (united !== undefined && !isLacking)
    problems.push(...unreadValues(united, given).filter(({ uri }) => !standIns.has(uri)));
  problems.push(...made.problems.filter((problem) => !(isLacking && isOfLacking(problem))));
  const read = renderedManifests(made.files);
  problems.push(...read.problems);
  const isWhole = !isLacking && made.isWhole && read.problems.length === 0;
  const placed = (manifest: RenderedManifest): RenderedManifest =>
    manifestAtStandIn(manifest, standIns);
  return {
    manifests: read.manifests.map(placed),
    otherHooks: read.otherHooks.map(placed),
    isWhole,
    cost: made.cost,
    problems: problems.map((problem) => problemAtStandIn(problem, standIns)),
    placesOf: (values) =>
      valuePlaces(values, made.owners, given).filter(({ uri }) => !standIns.has(uri)),
  };
}

interface Made {
  readonly files: readonly RenderedFile[];
  readonly problems: readonly ChartProblem[];
  readonly owners: ChartTemplates["owners"];
  readonly isWhole: boolean;
  readonly cost: number;
}

const nothing: Made = { files: [], problems: [], owners: new Map(), isWhole: false, cost: 0 };

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
  const made = executeTemplates(templates, read.templates, memory);
  return {
    files: [...crdsOf([root]), ...made.files],
    problems: [...mostPressing(problems), ...made.problems],
    owners,
    isWhole: problems.length === 0 && made.problems.length === 0,
    cost: made.cost,
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

/** CRDs in `crds/` are not templates. Upstream: pkg/chart/v2/chart.go CRDObjects. */
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

/** Returns the same object for the same file, because parsed manifests are cached by it. */
function asItStands(name: string, file: ChartFile): RenderedText {
  const known = standing.get(file);
  if (known !== undefined) return known;
  const { uri, text } = file;
  const [start, end] = [0, text.length];
  const source = { name, uri, text };
  const piece = { start, end, source, from: 0, to: end, isLiteral: true, reads: [] };
  const rendered = { text, pieces: [piece] };
  standing.set(file, rendered);
  return rendered;
}

const standing = new WeakMap<ChartFile, RenderedText>();

/** True for errors caused by a missing chart, which is reported itself. */
function isOfLacking({ code, message }: ChartProblem): boolean {
  return code === "template" && /no template "|template "[^"]*" not defined/.test(message);
}
