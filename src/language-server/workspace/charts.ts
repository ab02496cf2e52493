/**
 * What Helm would install of the charts among the files of an environment. Their templates hold no objects of their own: each
 * object is one that a template has made, and finds its fields there.
 */
import { isNamespaced, isServed } from "../../engine/api/meta.ts";
import { type ChartFile, type ChartProblem, isLibrary } from "../helm/chart/chart.ts";
import { loadChart } from "../helm/chart/load-chart.ts";
import type { Release, RenderedChart, RenderedManifest } from "../helm/chart/release.ts";
import { renderChart } from "../helm/chart/render-chart.ts";
import { readYamlText } from "../helm/chart/yaml-text.ts";
import { push } from "../multi-map.ts";
import type { ProjectProblem, ProjectRelease } from "../project/project-file.ts";
import { isRecord, objectsOf } from "../yaml/manifest.ts";
import type { FileDocument } from "../yaml/manifest-file.ts";
import type { YamlDocument } from "../yaml/yaml-document.ts";
import { chartFolders } from "./helm/chart-folders.ts";
import { RenderedObject, type RenderedSources } from "./helm/rendered-object.ts";
import { baseName, decoded, isBelow, resolveUri } from "./uri.ts";
import type { WorkspaceFile, WorkspaceObject } from "./workspace-object.ts";

export interface Charts {
  /** URIs of all files that have a say: an edit of one may change what comes of others. */
  readonly sources: ReadonlySet<string>;
  /** In the order in which they come into the cluster. */
  readonly objects: readonly WorkspaceObject[];
  /** Whether they make all that they would make for Helm. */
  readonly isWhole: boolean;
  readonly problems: readonly RenderProblem[];
  /** What is wrong with the charts that the project file names. */
  readonly projectProblems: readonly ProjectProblem[];
  /** Objects that something in the file has made, or a part of them. */
  renderedIn(uri: string): readonly WorkspaceObject[];
  /** An object of an earlier state as it is made now; undefined where it no longer is. */
  present(entry: WorkspaceObject): WorkspaceObject | undefined;
}

/** Of a chart that nobody has given values, what only its own values lack is no more than an information. */
export interface RenderProblem extends Omit<ChartProblem, "code" | "severity"> {
  readonly severity: "error" | "warning" | "information";
}

export const noCharts: Charts = {
  sources: new Set(),
  objects: [],
  isWhole: true,
  problems: [],
  projectProblems: [],
  renderedIn: () => [],
  present: () => undefined,
};

export interface ChartScene {
  /** URI of the folder that a project file's paths start from. */
  readonly folder: string;
  readonly files: readonly WorkspaceFile[];
  /** Those that the project file names; where absent each chart is installed once, by its own name. */
  readonly releases: readonly ProjectRelease[] | undefined;
  /** `1.36`. */
  readonly version: string;
}

/** Renders the charts of an environment again where something has changed. */
export class ChartRenderer {
  #known = new Map<string, Rendered>();
  #before: Charts = noCharts;

  chartsOf(scene: ChartScene): Charts {
    const roots = chartFolders(scene.files.map(({ uri }) => uri));
    if (roots.length === 0 && scene.releases === undefined) return noCharts;
    const known = new Map<string, Rendered>();
    const rendered = releasesOf(scene, roots).map((release) => {
      const key = JSON.stringify([release.folder, release.name, release.namespace]);
      const made = renderedAgain(this.#known.get(key), release, scene);
      known.set(key, made);
      return made;
    });
    this.#known = known;
    const isSame =
      this.#before !== noCharts &&
      rendered.length === this.#rendered.length &&
      rendered.every((made, index) => made === this.#rendered[index]);
    this.#rendered = rendered;
    if (!isSame) this.#before = united(rendered, scene, roots);
    return this.#before;
  }

  #rendered: readonly Rendered[] = [];
}

interface ChartRelease {
  readonly folder: string;
  readonly name: string;
  readonly namespace: string;
  readonly values: readonly string[];
  /** Nobody has said how it is installed. */
  readonly isAssumed: boolean;
}

interface Rendered {
  readonly release: ChartRelease;
  readonly version: string;
  readonly files: readonly WorkspaceFile[];
  readonly chart: RenderedChart;
  readonly objects: readonly WorkspaceObject[];
}

function releasesOf(
  { folder, releases }: ChartScene,
  roots: readonly string[],
): readonly ChartRelease[] {
  if (releases === undefined) return roots.map((folder) => ({ folder, ...ownRelease }));
  return releases.flatMap(({ chart, name, namespace, values }) => {
    const at = decoded(resolveUri(folder, chart));
    const root = roots.find((one) => decoded(one) === at);
    if (root === undefined) return [];
    return [
      {
        ...{ folder: root, name, namespace, isAssumed: false },
        values: values.map((file) => resolveUri(folder, file)),
      },
    ];
  });
}

/** Folders that hold no chart, and values that are nowhere. */
function wrongReleases(
  { folder, files, releases = [] }: ChartScene,
  roots: readonly string[],
): readonly ProjectProblem[] {
  const [charts, uris] = [roots, files.map(({ uri }) => uri)].map(
    (all) => new Set(all.map(decoded)),
  );
  const isIn = (known: ReadonlySet<string> | undefined, path: string): boolean =>
    known?.has(decoded(resolveUri(folder, path))) === true;
  return releases.flatMap(({ chart, values, path }) => [
    ...(isIn(charts, chart)
      ? []
      : [
          {
            path: [...path, "chart"],
            message: `“${chart}” is no folder with a Chart.yaml in this cluster`,
          },
        ]),
    ...values
      .filter((file) => !isIn(uris, file))
      .map((file) => ({
        path: [...path, "values"],
        message: `“${file}” is not among the files of this cluster`,
      })),
  ]);
}

/** Of a chart that no project file names. */
const ownRelease = { name: "", namespace: "default", values: [], isAssumed: true };

/** The same as before where nothing has changed that it is made of. */
function renderedAgain(
  before: Rendered | undefined,
  release: ChartRelease,
  { files, version }: ChartScene,
): Rendered {
  const given = release.values.map(decoded);
  const own = files.filter(
    ({ uri }) => isBelow(uri, release.folder) || given.includes(decoded(uri)),
  );
  if (
    before !== undefined &&
    before.version === version &&
    JSON.stringify(before.release) === JSON.stringify(release) &&
    before.files.length === own.length &&
    before.files.every((file, index) => file === own[index])
  )
    return before;
  const inChart = new Map(
    own.flatMap((file) =>
      isBelow(file.uri, release.folder) && file.skipped === undefined
        ? [[decoded(file.uri.slice(release.folder.length + 1)), chartFileOf(file)] as const]
        : [],
    ),
  );
  const loaded = loadChart(release.folder, inChart);
  const values = given.flatMap((uri) => own.find((file) => decoded(file.uri) === uri) ?? []);
  const settings: Release = {
    name: release.name === "" ? nameOf(loaded.metadata.name, release.folder) : release.name,
    namespace: release.namespace,
    values: values.map((file) => ({ type: "file", file: chartFileOf(file) })),
    kubeVersion: `${version}.0`,
    apiVersions: ["snapshot.storage.k8s.io/v1"],
  };
  // Others take from it what they need.
  const isUnused = release.isAssumed && isLibrary(loaded);
  const chart = isUnused ? nothingRendered : renderChart(loaded, settings);
  const made = { release, version, files: own, chart };
  return { ...made, objects: objectsIn(made, before) };
}

const nothingRendered: RenderedChart = {
  manifests: [],
  otherHooks: [],
  isWhole: true,
  problems: [],
  files: [],
  placesOf: () => [],
};

function nameOf(chart: string, folder: string): string {
  return chart === "" ? baseName(folder) : chart;
}

/** What is known of a file holds as long as it does not change. */
function chartFileOf(file: WorkspaceFile): ChartFile {
  const known = chartFiles.get(file) ?? { uri: file.uri, text: file.manifest.text };
  chartFiles.set(file, known);
  return known;
}

const chartFiles = new WeakMap<WorkspaceFile, ChartFile>();

/** Documents that read as before keep their objects, wherever they stand. */
function objectsIn(
  { release, files, chart }: Omit<Rendered, "objects">,
  before: Rendered | undefined,
): readonly WorkspaceObject[] {
  const byUri = new Map(files.map((file) => [file.uri, file]));
  const sources: RenderedSources = {
    findFile: (uri) => byUri.get(uri),
    placesOf: (read) => chart.placesOf(read),
    valuesOf,
  };
  const isSameNamespace = before?.release.namespace === release.namespace;
  const known = new Map(
    isSameNamespace ? before.objects.map(({ document }) => [document.yaml.text, document]) : [],
  );
  return chart.manifests.flatMap((manifest, documentIndex) => {
    const file = byUri.get(manifest.uri);
    if (file === undefined) return [];
    const document = known.get(manifest.text) ?? documentOf(manifest, release.namespace);
    return document.objects.map((object): WorkspaceObject => {
      const written = { file, document, documentIndex, object };
      const lacks = lacksFiles(object.kind, manifest);
      return { ...written, patched: new RenderedObject(written, manifest, sources, lacks) };
    });
  });
}

/** What a ConfigMap has of files that are no manifests nobody has read. */
function lacksFiles(kind: string, { pieces }: RenderedManifest): boolean {
  if (kind !== "ConfigMap" && kind !== "Secret") return false;
  return pieces.some(
    ({ source, from, to, isLiteral }) =>
      !isLiteral && source.text.slice(from, to).includes(".Files"),
  );
}

/** Helm puts what names no namespace into that of the release. */
function documentOf({ text }: RenderedManifest, namespace: string): FileDocument {
  const yaml = readYamlText(text);
  return { yaml, ...objectsOf(inNamespace(yaml.value, namespace)) };
}

function inNamespace(value: unknown, namespace: string): unknown {
  if (namespace === "default" || !isRecord(value)) return value;
  const { apiVersion, kind, metadata, items } = value;
  if (Array.isArray(items))
    return { ...value, items: items.map((item) => inNamespace(item, namespace)) };
  if (typeof apiVersion !== "string" || typeof kind !== "string" || !isRecord(metadata))
    return value;
  const isWithout = metadata["namespace"] === undefined || metadata["namespace"] === "";
  if (!isWithout || !isServed(apiVersion, kind) || !isNamespaced(kind)) return value;
  return { ...value, metadata: { ...metadata, namespace } };
}

function valuesOf({ manifest: { text } }: WorkspaceFile): YamlDocument {
  return readYamlText(text);
}

function united(
  rendered: readonly Rendered[],
  scene: ChartScene,
  roots: readonly string[],
): Charts {
  const { files } = scene;
  const objects = rendered.flatMap((made) => made.objects);
  const inRoots = files.filter(({ uri }) => roots.some((root) => isBelow(uri, root)));
  const byFile = new Map<string, WorkspaceObject[]>();
  for (const entry of objects)
    for (const uri of entry.patched?.uris ?? []) push(byFile, uri, entry);
  const byName = new Map<string, WorkspaceObject>();
  for (const entry of objects) byName.set(calledIn(entry), entry);
  return {
    sources: new Set([
      ...inRoots.map(({ uri }) => uri),
      ...rendered.flatMap(({ chart }) => chart.files),
    ]),
    objects,
    isWhole: rendered.every(({ chart }) => chart.isWhole),
    problems: rendered.flatMap(({ chart, release }) =>
      chart.problems.map((problem) => asJudged(problem, release)),
    ),
    projectProblems: wrongReleases(scene, roots),
    renderedIn: (uri) => byFile.get(uri) ?? [],
    present: (entry) => byName.get(calledIn(entry)),
  };
}

function asJudged(
  { code, severity, isDemanded, ...problem }: ChartProblem,
  { isAssumed }: ChartRelease,
): RenderProblem {
  if (!isAssumed) return { ...problem, severity };
  if (code === "dependency") return { ...problem, severity: "information" };
  if (isDemanded !== true) return { ...problem, severity };
  const message = `${problem.message}. With the chart's own values; \`charts\` in claimcheck.yaml names files of others`;
  return { ...problem, message, severity: "information" };
}

function calledIn({ file, object }: WorkspaceObject): string {
  const { kind, namespace, name } = object;
  return [file.uri, kind, namespace, name].join("\0");
}
