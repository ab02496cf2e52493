/**
 * What kustomizations do to the manifests beside them: how they change objects, and which ConfigMaps and Secrets they generate.
 * Upstream: kustomize v5 api/types/kustomization.go and api/konfig/general.go RecognizedKustomizationFileNames.
 */
import { compareText } from "../../engine/api/go/text-order.ts";
import { type ManifestFile, readManifestFile } from "../yaml/manifest-file.ts";
import type { Path } from "../yaml/place.ts";
import type { YamlDocument } from "../yaml/yaml-document.ts";
import { baseName, decoded, parentUri, resolveUri } from "./files/uri.ts";
import { chartFileName } from "./helm/chart-folders.ts";
import { type Build, type BuildFiles, build } from "./kustomize/build.ts";
import type { GeneratedObject } from "./kustomize/generators.ts";
import type { HelmChartEntry } from "./kustomize/helm-charts.ts";
import { JudgedObjects, type Overlay, type Overlays } from "./kustomize/judged-objects.ts";
import { type Kustomization, readKustomization } from "./kustomize/kustomization-file.ts";
import type { KustomizeProblem } from "./kustomize/loaded-patch.ts";
import { withMeantPath } from "./kustomize/near-path.ts";
import { patchedEntry } from "./kustomize/patched-object.ts";
import { chartGenerator, chartGeneratorKind } from "./kustomize/plugins.ts";
import type { WorkspaceFile, WorkspaceObject } from "./workspace-object.ts";

/** In the order in which kustomize looks for them. */
export const kustomizationNames: readonly string[] = [
  "kustomization.yaml",
  "kustomization.yml",
  "Kustomization",
];

export function isKustomization(uri: string): boolean {
  return kustomizationNames.includes(baseName(uri));
}

export interface Kustomized {
  /** URIs of patch files and of configuration files for generators and transformers: their objects do not reach the cluster. */
  readonly patches: ReadonlySet<string>;
  /** URIs of all files in kustomizations that change objects: an edit of one may change what others become. */
  readonly sources: ReadonlySet<string>;
  /** URIs of all files that kustomizations apply, changed or not; not sorted. */
  readonly resources: ReadonlySet<string>;
  readonly generated: readonly GeneratedObject[];
  readonly problems: readonly KustomizeProblem[];
  /** Alternatives of which only one is judged at a time; empty if there is no choice. */
  readonly overlays: readonly Overlay[];
  /** Changed objects of which at least a part is written in the file. */
  patchedIn(uri: string): readonly WorkspaceObject[];
  /** What kustomizations build from the object: several, one or none; the object itself if none changes it. */
  built(entry: WorkspaceObject): readonly WorkspaceObject[];
  /** Which kustomization is judged, if others build something different from the object. */
  overlaysOf(entry: WorkspaceObject): Overlays | undefined;
  /** True if it is not judged as written. */
  isChanged(entry: WorkspaceObject): boolean;
  /** True if a patch for the object could not be applied, so that it may lack something. */
  lacksPatch(entry: WorkspaceObject): boolean;
}

export interface KustomizedFolder {
  /** URI of the folder that messages and choices of paths are relative to. */
  readonly folder: string;
  readonly files: readonly WorkspaceFile[];
  readonly objectsOf: BuildFiles["objectsOf"];
  readonly inflate: BuildFiles["inflate"];
  /** Path of the kustomization that takes precedence if several build different objects. */
  readonly chosen: string | undefined;
}

/** What all kustomizations and components among the files do together. */
export function kustomizedBy(from: KustomizedFolder): Kustomized {
  const { folder, files, chosen } = from;
  const all = buildFiles(from);
  if (all.kustomizations.size === 0) return nothingKustomized;
  const judged = judge(all, folder, chosen);
  const known = { ...all, uris: files.map(({ uri }) => uri) };
  return { ...judged, problems: judged.problems.map((one) => withMeantPath(one, known)) };
}

type ReadFiles = Pick<KustomizedFolder, "files" | "objectsOf" | "inflate">;

/** What the kustomization in a folder builds on its own; undefined if the folder has none. */
export function buildOf(
  folder: string,
  read: ReadFiles,
): (Pick<Build, "generated" | "problems"> & { objects: readonly WorkspaceObject[] }) | undefined {
  const files = buildFiles(read);
  const [root] = files.kustomizationsIn(folder);
  if (root === undefined) return undefined;
  const { objects, generated, problems } = build(root, files);
  return { objects: objects.flatMap((one) => patchedEntry(one) ?? []), generated, problems };
}

function buildFiles({ files, objectsOf, inflate }: ReadFiles): BuildFiles {
  const kustomizations = new Map<string, Kustomization>();
  for (const file of files)
    if (isKustomization(file.uri)) kustomizations.set(file.uri, kustomizationOf(file));
  const byUri = new Map(
    kustomizations.size === 0 ? [] : files.map((file) => [decoded(file.uri), file]),
  );
  const findFile = (uri: string): WorkspaceFile | undefined => byUri.get(decoded(uri));
  return {
    kustomizations,
    kustomizationAt: (from, path) =>
      kustomizationsIn(resolveUri(parentUri(from), path), findFile)[0],
    kustomizationsIn: (folder) => kustomizationsIn(folder, findFile),
    findFile,
    objectsOf,
    inflate,
  };
}

function kustomizationsIn(folder: string, findFile: BuildFiles["findFile"]): readonly string[] {
  return kustomizationNames.flatMap((name) => findFile(`${folder}/${name}`)?.uri ?? []);
}

const nothingKustomized: Kustomized = {
  patches: new Set(),
  sources: new Set(),
  resources: new Set(),
  generated: [],
  problems: [],
  overlays: [],
  patchedIn: () => [],
  built: (entry) => [entry],
  overlaysOf: () => undefined,
  isChanged: () => false,
  lacksPatch: () => false,
};

/** Files and folders that a kustomization names, relative to its own folder. */
export function pathsNamedBy(text: string): readonly string[] {
  const { resources, components, configurations, ...own } = readKustomization({ text });
  const { generators, transformers, validators, patches, latePatches, replacements } = own;
  const inline = generators.flatMap((entry) => entry.inline?.text ?? []);
  const charts = [...own.helmCharts, ...inline.flatMap((one) => chartsIn(readManifestFile(one)))];
  const entries = [
    ...[resources, components, configurations, generators, transformers, validators],
    ...[patches, latePatches, replacements],
  ];
  return [...entries.flat().flatMap(({ file }) => file ?? []), ...charts.flatMap(filesOfChart)];
}

/** The same for a file with generators, relative to the folder of the kustomization that names it. */
export function pathsNamedByGenerators(text: string): readonly string[] {
  return isOfCharts({ text }) ? chartsIn(readManifestFile(text)).flatMap(filesOfChart) : [];
}

function filesOfChart(chart: HelmChartEntry): readonly string[] {
  const { folder, valuesFile, additionalValuesFiles } = chart;
  return [`${folder}/${chartFileName}`, valuesFile, ...additionalValuesFiles];
}

/** The charts that generators in separate files name. */
function chartsIn({ documents }: Pick<ManifestFile, "documents">): readonly HelmChartEntry[] {
  return documents.flatMap(({ yaml: { value } }) => chartGenerator(value) ?? []);
}

/** True if a file other than a kustomization may say which charts are rendered. */
export function isOfCharts({ text }: Pick<ManifestFile, "text">): boolean {
  return text.includes(chartGeneratorKind);
}

/** URIs of the folders of charts that a kustomization renders, decoded. */
export function chartsInflatedBy(
  uri: string,
  files: ReadonlyMap<string, WorkspaceFile>,
): readonly string[] {
  const file = files.get(uri);
  if (file === undefined) return [];
  const { helmCharts, generators } = kustomizationOf(file);
  const seen = new Set<string>();
  const others = generators.flatMap(({ file: path, inline }) => {
    if (inline !== undefined) return isOfCharts(inline) ? readManifestFile(inline.text) : [];
    return manifestsAt(resolveUri(parentUri(uri), path ?? ""), files, seen);
  });
  return [...helmCharts, ...others.flatMap(chartsIn)].map(({ folder }) =>
    decoded(resolveUri(parentUri(uri), folder)),
  );
}

/** The manifests of a file, or of a folder's kustomization as far as it names files; each file once. */
function manifestsAt(
  uri: string,
  files: ReadonlyMap<string, WorkspaceFile>,
  seen: Set<string>,
): readonly ManifestFile[] {
  if (seen.size === seen.add(uri).size) return [];
  const file = files.get(uri);
  if (file !== undefined) return [file.manifest];
  const [inside] = kustomizationNames.flatMap((name) => files.get(`${uri}/${name}`) ?? []);
  const resources = inside === undefined ? [] : kustomizationOf(inside).resources;
  return resources.flatMap(({ file: path }) => manifestsAt(resolveUri(uri, path), files, seen));
}

function kustomizationOf({ manifest }: WorkspaceFile): Kustomization {
  const read = known.get(manifest) ?? readKustomization(manifest);
  known.set(manifest, read);
  return read;
}

const known = new WeakMap<ManifestFile, Kustomization>();

function judge(files: BuildFiles, folder: string, chosen: string | undefined): Kustomized {
  const { kustomizations, findFile } = files;
  const patches = new Set<string>();
  for (const [uri, { patches: early, latePatches }] of kustomizations)
    for (const { file } of [...early, ...latePatches])
      if (file !== undefined) {
        const named = resolveUri(parentUri(uri), file);
        patches.add(findFile(named)?.uri ?? named);
      }
  const builds = rootsOf(files, folder, chosen).map((root) => [root, build(root, files)] as const);
  const problems = new Map<string, KustomizeProblem>();
  const report = (problem: KustomizeProblem): void => {
    problems.set(JSON.stringify([problem.uri, problem.start, problem.message]), problem);
  };
  const judged = new JudgedObjects(folder, report);
  const sources = new Set<string>(kustomizations.keys());
  for (const [root, { problems: found, files: uris, patches: own, isChanged, objects }] of builds) {
    for (const uri of own) patches.add(uri);
    for (const problem of found) report(problem);
    if (isChanged) for (const uri of uris) sources.add(uri);
    judged.add(root, objects);
  }
  for (const uri of patches) sources.add(uri);
  return {
    patches,
    sources,
    resources: new Set(builds.flatMap(([, { files: uris }]) => [...uris])),
    generated: builds.flatMap(([, { generated }]) => generated),
    problems: [...problems.values()],
    overlays: judged.overlays(),
    patchedIn: (uri) => judged.changedIn(uri),
    built: (entry) => judged.of(entry),
    overlaysOf: (entry) => judged.overlaysOf(entry.patched?.written ?? entry),
    isChanged: (entry) => judged.isChanged(entry),
    lacksPatch: (entry) => judged.lacksPatch(entry.patched?.written ?? entry),
  };
}

/** The kustomizations that are built by themselves, because no other names them. The chosen one comes first. */
function rootsOf(
  { kustomizations, kustomizationAt }: BuildFiles,
  folder: string,
  chosen: string | undefined,
): readonly string[] {
  const inner = new Set(
    [...kustomizations].flatMap(([uri, { resources, components, ...plugins }]) => {
      const { generators, transformers, validators } = plugins;
      const entries = [resources, components, generators, transformers, validators].flat();
      return entries.flatMap(
        ({ file }) => (file === undefined ? undefined : kustomizationAt(uri, file)) ?? [],
      );
    }),
  );
  const first = chosen === undefined ? undefined : decoded(resolveUri(folder, chosen));
  const rank = (uri: string): number =>
    [uri, parentUri(uri)].some((one) => decoded(one) === first) ? 0 : 1;
  return [...kustomizations.keys()]
    .filter((uri) => rank(uri) === 0 || !inner.has(uri))
    .sort((a, b) => rank(a) - rank(b) || compareText(a, b));
}

/** True if it is a component, which changes the kustomizations that name it and is not built by itself. */
export function isKustomizeComponent(file: WorkspaceFile): boolean {
  return kustomizationOf(file).isComponent;
}

/** The paths at which a kustomization contains patches inline. */
export function inlinePatches(file: WorkspaceFile): {
  readonly yaml: YamlDocument;
  readonly paths: readonly Path[];
} {
  const { yaml, patches, latePatches } = kustomizationOf(file);
  return {
    yaml,
    paths: [...patches, ...latePatches].flatMap(({ inline }) =>
      inline === undefined ? [] : [inline.path],
    ),
  };
}
