/** One release of a chart as objects of the workspace. */
import { push } from "../../../engine/api/go/multi-map.ts";
import { isNamespaced, isServed } from "../../../engine/api/meta.ts";
import {
  type Chart,
  type ChartFile,
  type ChartProblem,
  isLibrary,
} from "../../helm/chart/chart.ts";
import type { ValuesSource } from "../../helm/chart/given-values.ts";
import { goMapOf } from "../../helm/chart/go-value-of.ts";
import { loadChart } from "../../helm/chart/load-chart.ts";
import type { FindLocalChart } from "../../helm/chart/local-chart.ts";
import type { Release, RenderedChart, RenderedManifest } from "../../helm/chart/release.ts";
import { properReleaseName, releaseNameComplaint } from "../../helm/chart/release-name.ts";
import { renderChart } from "../../helm/chart/render-chart.ts";
import { RenderMemory } from "../../helm/chart/render-memory.ts";
import { readYamlText } from "../../helm/chart/yaml-text.ts";
import { sameItems } from "../../same-items.ts";
import { isRecord, objectsOf } from "../../yaml/manifest.ts";
import type { FileDocument } from "../../yaml/manifest-file.ts";
import { baseName, decoded, isBelow, resolveUri } from "../files/uri.ts";
import type { WorkspaceFile, WorkspaceObject } from "../workspace-object.ts";
import type { ChartRelease, ChartScene, LocalFolder } from "./chart-releases.ts";
import { RenderedObject, type RenderedSources } from "./rendered-object.ts";

export interface RenderedRelease {
  readonly release: ChartRelease;
  readonly chart: RenderedChart;
  /** In the order in which they reach the cluster. */
  readonly objects: readonly WorkspaceObject[];
  readonly memory: RenderMemory;
  /** What it was made from. */
  readonly from: MadeOf;
}

interface MadeOf extends Pick<ChartScene, "files" | "values" | "version"> {
  /** Folders that dependencies refer to, in this cluster or not; including empty ones, to notice when a chart appears there. */
  readonly local: readonly LocalFolder[];
}

/** Returns `before` if nothing that it was made from has changed. */
export function renderedRelease(
  release: ChartRelease,
  scene: ChartScene,
  before: RenderedRelease | undefined,
): RenderedRelease {
  const { files, values, version } = scene;
  const own = files.filter(
    ({ uri }) =>
      isBelow(uri, release.folder) ||
      release.values.includes(uri) ||
      (release.inflation?.inline !== undefined && uri === release.inflation.by),
  );
  const ownOnly = { files: own, values, version };
  if (before !== undefined && isMadeOfTheSame(before, release, ownOnly, scene)) return before;
  const memory = before?.memory ?? new RenderMemory();
  const local = new Map<string, LocalFolder>();
  const loaded = loadRelease(release, own, (folder) => {
    const found = local.get(folder) ?? scene.localFolder(folder);
    local.set(folder, found);
    return found;
  });
  const from = { ...ownOnly, local: [...local.values()] };
  const chart = rendered(release, loaded, from, memory);
  const made = { release, chart, memory, from };
  return { ...made, objects: objectsIn(made, before) };
}

function isMadeOfTheSame(
  before: RenderedRelease,
  release: ChartRelease,
  { files, values, version }: Omit<MadeOf, "local">,
  { localFolder }: ChartScene,
): boolean {
  return (
    before.from.version === version &&
    before.from.values === values &&
    JSON.stringify(before.release) === JSON.stringify(release) &&
    sameItems(before.from.files, files) &&
    before.from.local.every((known) => {
      const now = localFolder(known.folder);
      return now.isElsewhere === known.isElsewhere && sameItems(now.files, known.files);
    })
  );
}

function loadRelease(
  { folder }: ChartRelease,
  files: readonly WorkspaceFile[],
  localFolder: ChartScene["localFolder"],
): Chart {
  const findLocal: FindLocalChart = (from, repository) => {
    const found = localFolder(localPath(from, repository));
    if (found.files.length === 0) return undefined;
    const { folder: folderUri, isElsewhere } = found;
    return { folderUri, files: filesBelow(folderUri, found.files), isElsewhere };
  };
  return loadChart(folder, filesBelow(folder, files), findLocal);
}

/** Upstream: pkg/downloader/manager.go, internal/resolver/resolver.go GetLocalPath. */
function localPath(from: string, repository: string): string {
  const path = repository.slice("file://".length);
  return resolveUri(
    path.startsWith("/") ? from.replace(/^([^:]*:\/\/[^/]*).*/s, "$1") : from,
    path,
  );
}

function filesBelow(
  folder: string,
  files: readonly WorkspaceFile[],
): ReadonlyMap<string, ChartFile> {
  const inChart = files.filter(({ uri, skipped }) => isBelow(uri, folder) && skipped === undefined);
  return new Map(
    inChart.map((file) => [decoded(file.uri.slice(folder.length + 1)), chartFileOf(file)]),
  );
}

function rendered(
  release: ChartRelease,
  chart: Chart,
  { files, local, values, version }: MadeOf,
  memory: RenderMemory,
): RenderedChart {
  const { folder, name, namespace } = release;
  // A library chart installs nothing itself; other charts use it.
  if (release.isAssumed && isLibrary(chart)) return nothingRendered;
  const isTemplate = ({ uri }: WorkspaceFile): boolean =>
    isBelow(uri, folder) && /\/templates\//.test(uri.slice(folder.length));
  const others = [
    ...files.filter((file) => !isTemplate(file)),
    ...local.flatMap((one) => one.files),
  ];
  memory.begin([JSON.stringify(release), version, values, ...others]);
  const named = release.values.flatMap((uri) => files.find((file) => file.uri === uri) ?? []);
  const wanted = name || chart.metadata.name || baseName(folder);
  const { kubeVersion = "", apiVersions = [] } = release.inflation ?? {};
  const settings: Release = {
    name: properReleaseName(wanted),
    namespace,
    values: [...valuesOf(named, release), ...values],
    kubeVersion: kubeVersion || `${version}.0`,
    apiVersions: [...servedBesides, ...apiVersions],
    skipsSchemas: release.skipsSchemas,
  };
  const made = renderChart(chart, settings, memory);
  // A name from the project file is checked there.
  const complaint = release.isAssumed || name !== "" ? undefined : releaseNameComplaint(wanted);
  if (complaint === undefined) return made;
  const place = chart.metadata.placeOf("name");
  const problem: ChartProblem = { code: "chart", severity: "error", message: complaint, ...place };
  return { ...made, problems: [...made.problems, problem] };
}

/** APIs that clusters serve but Helm does not know, in the forms that Helm uses: versions, and versions with kinds. */
const servedBesides: readonly string[] = [
  "snapshot.storage.k8s.io/v1",
  ...["VolumeSnapshot", "VolumeSnapshotClass", "VolumeSnapshotContent"].map(
    (kind) => `snapshot.storage.k8s.io/v1/${kind}`,
  ),
];

/** Values written in a kustomization are merged with the first of its files. */
function valuesOf(
  named: readonly WorkspaceFile[],
  { inflation }: ChartRelease,
): readonly ValuesSource[] {
  const files = named.map(chartFileOf);
  const inline = inflation?.inline;
  if (inline === undefined) return files.map((file) => ({ type: "file", file }));
  const { value, merge, placesOf } = inline;
  const [file, ...others] = files;
  const first = {
    type: "merged",
    file,
    inline: { values: goMapOf(value), placesOf },
    merge,
  } as const;
  return [first, ...others.map((other) => ({ type: "file", file: other }) as const)];
}

const nothingRendered: RenderedChart = {
  manifests: [],
  otherHooks: [],
  isWhole: true,
  cost: 0,
  problems: [],
  placesOf: () => [],
};

/** Cached, so that what is known about an unchanged file stays valid. */
function chartFileOf(file: WorkspaceFile): ChartFile {
  const known = chartFiles.get(file) ?? { uri: file.uri, text: file.manifest.text };
  chartFiles.set(file, known);
  return known;
}

const chartFiles = new WeakMap<WorkspaceFile, ChartFile>();

/** Documents with the same text keep their objects, and completely unchanged entries are reused. */
function objectsIn(
  { release, chart, from }: Omit<RenderedRelease, "objects">,
  before: RenderedRelease | undefined,
): readonly WorkspaceObject[] {
  const { isAssumed, inflation } = release;
  // Objects rendered for a kustomization get no namespace from Helm.
  const namespace = inflation === undefined ? release.namespace : "default";
  const all = [...from.local.flatMap(({ files }) => files), ...from.files];
  const byUri = new Map(all.map((file) => [file.uri, file]));
  const sources: RenderedSources = {
    findFile: (uri) => byUri.get(uri),
    placesOf: (read) => chart.placesOf(read),
    isAssumed,
    valuesOf: ({ manifest: { text } }) => readYamlText(text),
  };
  const isAlike =
    before?.release.namespace === release.namespace && before.release.isAssumed === isAssumed;
  const known = new Map<string, FileDocument>();
  const same = new Map<RenderedManifest, WorkspaceObject[]>();
  for (const entry of isAlike ? before.objects : []) {
    known.set(entry.document.yaml.text, entry.document);
    const manifest = before && manifestsOf(before)[entry.documentIndex];
    if (manifest !== undefined) push(same, manifest, entry);
  }
  return manifestsOf({ chart, release }).flatMap((manifest, documentIndex) => {
    const file = byUri.get(manifest.uri);
    if (file === undefined) return [];
    const kept = same.get(manifest) ?? [];
    if (kept.length > 0 && kept.every((entry) => isSame(entry, file, documentIndex))) return kept;
    const document = known.get(manifest.text) ?? documentOf(manifest, namespace);
    return document.objects.map((object): WorkspaceObject => {
      const written = { file, document, documentIndex, object };
      const lacks = lacksFiles(object.kind, manifest);
      return { ...written, patched: new RenderedObject(written, manifest, sources, lacks) };
    });
  });
}

/** `helm template` prints other hooks than those that an installation adds to the cluster. */
function manifestsOf({
  chart,
  release,
}: Pick<RenderedRelease, "chart" | "release">): readonly RenderedManifest[] {
  const { inflation } = release;
  if (inflation === undefined) return chart.manifests;
  const isPrinted = ({ phase, hook }: RenderedManifest): boolean => {
    if (phase === "crd") return inflation.includesDefinitions;
    if (hook === undefined) return true;
    const isSkippedTest = inflation.skipsTests && hook.events.includes("test");
    return !inflation.skipsHooks && !isSkippedTest;
  };
  return [...chart.manifests, ...chart.otherHooks].filter(isPrinted);
}

function isSame(entry: WorkspaceObject, file: WorkspaceFile, documentIndex: number): boolean {
  return entry.file === file && entry.documentIndex === documentIndex;
}

/** True if a ConfigMap or Secret includes contents of files that are not manifests, which are not read. */
function lacksFiles(kind: string, { pieces }: RenderedManifest): boolean {
  if (kind !== "ConfigMap" && kind !== "Secret") return false;
  return pieces.some((piece) => {
    // An archive is read with all its files.
    if (piece.source.standsFor?.endsWith(".tgz") === true) return false;
    const { source, from, to, isLiteral } = piece.original ?? piece;
    return !isLiteral && source.text.slice(from, to).includes(".Files");
  });
}

/** Helm puts objects without a namespace into that of the release. */
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
