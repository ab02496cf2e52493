/**
 * What kustomizations do to the manifests beside them: what they make of objects, and which ConfigMaps and Secrets they make
 * of files. Upstream: kustomize v5 api/types/kustomization.go and api/konfig/general.go
 * RecognizedKustomizationFileNames.
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

/** In the order in which kustomize looks for them in a folder. */
export const kustomizationNames: readonly string[] = [
  "kustomization.yaml",
  "kustomization.yml",
  "Kustomization",
];

export function isKustomization(uri: string): boolean {
  return kustomizationNames.includes(baseName(uri));
}

export interface Kustomized {
  /** URIs of the files that are applied as patches, or by generators and transformers: what is in them is in no cluster. */
  readonly patches: ReadonlySet<string>;
  /** URIs of all files of kustomizations that change objects: an edit of one may change what comes of others. */
  readonly sources: ReadonlySet<string>;
  /** URIs of all files that kustomizations apply, changed or not, in an order of their own. */
  readonly resources: ReadonlySet<string>;
  readonly generated: readonly GeneratedObject[];
  readonly problems: readonly KustomizeProblem[];
  /** Those of which one can be judged at a time; none where there is nothing to choose. */
  readonly overlays: readonly Overlay[];
  /** Objects that a kustomization has changed and that the file has written, or a part of them. */
  patchedIn(uri: string): readonly WorkspaceObject[];
  /** What kustomizations make of the object: several, one or none; itself where none changes it. */
  built(entry: WorkspaceObject): readonly WorkspaceObject[];
  /** Which kustomization is judged, where others make something else of the object. */
  overlaysOf(entry: WorkspaceObject): Overlays | undefined;
  /** Whether it is not judged as it stands. */
  isChanged(entry: WorkspaceObject): boolean;
  /** Whether a patch for the object could not be applied, so that it may lack something. */
  lacksPatch(entry: WorkspaceObject): boolean;
}

export interface KustomizedFolder {
  /** URI of the folder that paths are told and chosen from. */
  readonly folder: string;
  readonly files: readonly WorkspaceFile[];
  readonly objectsOf: BuildFiles["objectsOf"];
  readonly inflate: BuildFiles["inflate"];
  /** Path of the kustomization that counts where two make different objects. */
  readonly chosen: string | undefined;
}

/** What all kustomizations and components among the files of a folder do. */
export function kustomizedBy(from: KustomizedFolder): Kustomized {
  const { folder, files, chosen } = from;
  const all = buildFiles(from);
  if (all.kustomizations.size === 0) return nothingKustomized;
  const judged = judge(all, folder, chosen);
  const known = { ...all, uris: files.map(({ uri }) => uri) };
  return { ...judged, problems: judged.problems.map((one) => withMeantPath(one, known)) };
}

type ReadFiles = Pick<KustomizedFolder, "files" | "objectsOf" | "inflate">;

/** What the kustomization in a folder makes, as if there were no other; undefined where the folder has none. */
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

/** Files and folders that a kustomization names, relative to its own. */
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

/** The same of a file that a kustomization names among its generators, relative to the kustomization's folder. */
export function pathsNamedByGenerators(text: string): readonly string[] {
  return isOfCharts({ text }) ? chartsIn(readManifestFile(text)).flatMap(filesOfChart) : [];
}

function filesOfChart(chart: HelmChartEntry): readonly string[] {
  const { folder, valuesFile, additionalValuesFiles } = chart;
  return [`${folder}/${chartFileName}`, valuesFile, ...additionalValuesFiles];
}

/** Those that generators in files of their own name. */
function chartsIn({ documents }: Pick<ManifestFile, "documents">): readonly HelmChartEntry[] {
  return documents.flatMap(({ yaml: { value } }) => chartGenerator(value) ?? []);
}

/** Whether a file has anything to say of which charts are rendered, beside kustomizations. */
export function isOfCharts({ text }: Pick<ManifestFile, "text">): boolean {
  return text.includes(chartGeneratorKind);
}

/** URIs of the folders of charts that a kustomization has rendered. */
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

/** Of a file, or of a folder with a kustomization, as far as that names files; each once. */
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

/** What is built by itself: kustomizations that no other names. The chosen one comes first. */
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

/** Whether a kustomization changes those that name it, and is not built by itself. */
export function isKustomizeComponent(file: WorkspaceFile): boolean {
  return kustomizationOf(file).isComponent;
}

/** Where a kustomization has patches written out. */
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
