/**
 * What kustomizations do to the manifests beside them, as far as it decides what can be said of a file by itself: which files are
 * patches and hold parts of objects, which objects a patch completes, and which ConfigMaps and Secrets are made of files. Their
 * prefixes and namespaces change all names alike, and only when kustomize is run. Upstream: kustomize v5 api/types/kustomization.go,
 * selector.go and api/konfig/general.go RecognizedKustomizationFileNames.
 */
import { isRecord, type ManifestObject } from "../yaml/manifest.ts";
import { type ManifestFile, readManifestFile } from "../yaml/manifest-file.ts";
import { readYamlDocument } from "../yaml/yaml-document.ts";
import { baseName, parentUri, resolveUri } from "./uri.ts";
import type { WorkspaceFile } from "./workspace.ts";

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
  /** URIs of the files that are applied as patches. */
  readonly patches: ReadonlySet<string>;
  readonly generated: readonly GeneratedObject[];
  /** Whether a patch is for the object of the file. */
  isPatched(uri: string, object: ManifestObject): boolean;
  /** Whether the object of the file gets labels, and selectors of them. */
  isLabelled(uri: string): boolean;
  /** Which namespaces the objects of the file get, whatever they name. */
  namespacesOf(uri: string): readonly string[];
}

/** A kustomization gives it a longer name, and that name to whatever names it. */
export interface GeneratedObject {
  readonly kind: "ConfigMap" | "Secret";
  readonly namespace: string;
  readonly name: string;
}

/** What all kustomizations and components among the files do. */
export function kustomizedBy(files: readonly WorkspaceFile[]): Kustomized {
  const kustomizations = new Map<string, Kustomization>();
  for (const { uri, manifest } of files) {
    if (!isKustomization(uri)) continue;
    const read = known.get(manifest) ?? readKustomization(manifest);
    known.set(manifest, read);
    kustomizations.set(uri, read);
  }
  if (kustomizations.size === 0) return nothingKustomized;
  const patches = new Set<string>();
  for (const [uri, { patches: own }] of kustomizations)
    for (const { file } of own)
      if (file !== undefined) patches.add(resolveUri(parentUri(uri), file));
  const manifests = new Map(files.map(({ uri, manifest }) => [uri, manifest]));
  let reaching: readonly Reaching[] | undefined;
  const reachingOf = (uri: string): readonly Reaching[] => {
    reaching ??= reachOfAll(kustomizations, manifests);
    return reaching.filter(({ reach }) => reach.has(uri));
  };
  return {
    patches,
    generated: [...kustomizations.values()].flatMap(({ generated }) => generated),
    isPatched: (uri, object) =>
      reachingOf(uri).some(({ targets }) => targets.some((target) => target(object))),
    isLabelled: (uri) => reachingOf(uri).some(({ labelsSelectors }) => labelsSelectors),
    namespacesOf: (uri) => reachingOf(uri).flatMap(({ namespace }) => namespace ?? []),
  };
}

const nothingKustomized: Kustomized = {
  patches: new Set(),
  generated: [],
  isPatched: () => false,
  isLabelled: () => false,
  namespacesOf: () => [],
};

const known = new WeakMap<ManifestFile, Kustomization>();

type Fields = Readonly<Record<string, unknown>>;
type Target = (object: ManifestObject) => boolean;

/** One file by itself; paths are relative to its folder. */
interface Kustomization {
  /** Files and folders. */
  readonly resources: readonly string[];
  readonly components: readonly string[];
  readonly patches: readonly Patch[];
  readonly generated: readonly GeneratedObject[];
  readonly namespace: string | undefined;
  /** It labels pods and what selects them alike. */
  readonly labelsSelectors: boolean;
}

interface Patch {
  readonly file?: string;
  /** Written out in place. */
  readonly text?: string;
  /** Where it says itself what it is for; otherwise it holds the object's kind and name. */
  readonly target?: Target;
}

/** A kustomization with those that it names. */
interface Reaching {
  /** URIs of the files whose objects it has. */
  readonly reach: ReadonlySet<string>;
  /** Of its own patches and those of its components. */
  readonly targets: readonly Target[];
  readonly namespace: string | undefined;
  readonly labelsSelectors: boolean;
}

function readKustomization({ text }: ManifestFile): Kustomization {
  const { value } = readYamlDocument(text);
  const root: Fields = isRecord(value) ? value : {};
  return {
    resources: [...textsOf(root["resources"]), ...textsOf(root["bases"])],
    components: textsOf(root["components"]),
    patches: [
      ...recordsOf(root["patches"]).map(patchOf),
      ...recordsOf(root["patchesJson6902"]).map(patchOf),
      // A file, or the patch itself.
      ...textsOf(root["patchesStrategicMerge"]).map((item) =>
        item.includes("\n") ? { text: item } : { file: item },
      ),
    ],
    generated: [...generatedBy(root, "ConfigMap"), ...generatedBy(root, "Secret")],
    namespace: namespaceOf(root),
    labelsSelectors:
      isRecord(root["commonLabels"]) ||
      recordsOf(root["labels"]).some(({ includeSelectors }) => includeSelectors === true),
  };
}

function namespaceOf({ namespace }: Fields): string | undefined {
  return typeof namespace === "string" && namespace !== "" ? namespace : undefined;
}

function patchOf({ path, patch, target }: Fields): Patch {
  return {
    ...(typeof path === "string" && { file: path }),
    ...(typeof patch === "string" && { text: patch }),
    ...(isRecord(target) && { target: selects(target) }),
  };
}

function generatedBy(root: Fields, kind: GeneratedObject["kind"]): readonly GeneratedObject[] {
  const list = root[kind === "ConfigMap" ? "configMapGenerator" : "secretGenerator"];
  return recordsOf(list).flatMap(({ name, namespace }) => {
    if (typeof name !== "string" || name === "") return [];
    const all = namespaceOf(root);
    const own = { kind, namespace: typeof namespace === "string" ? namespace : "default", name };
    return all === undefined ? [own] : [own, { ...own, namespace: all }];
  });
}

/** Kind and name are patterns for the whole text. */
function selects({ kind, name, labelSelector }: Fields): Target {
  const [kinds, names] = [patternOf(kind), patternOf(name)];
  return (object) =>
    kinds.test(object.kind) && names.test(object.name) && hasLabels(object, labelSelector);
}

function patternOf(text: unknown): RegExp {
  if (typeof text !== "string" || text === "") return anything;
  try {
    return new RegExp(`^(?:${text})$`);
  } catch {
    return anything;
  }
}

const anything = /^/;

/** Of a selector the equalities; what else it says may be so. */
function hasLabels({ value }: ManifestObject, selector: unknown): boolean {
  if (typeof selector !== "string") return true;
  const { metadata } = value as { readonly metadata?: unknown };
  const labels = isRecord(metadata) && isRecord(metadata["labels"]) ? metadata["labels"] : {};
  return selector.split(",").every((term) => {
    const [, key = "", wanted] = /^\s*([\w./-]+)\s*==?\s*([\w.-]*)\s*$/.exec(term) ?? [];
    return wanted === undefined || labels[key] === wanted;
  });
}

/** A component's patches are for what the kustomization has that names the component. */
function reachOfAll(
  kustomizations: ReadonlyMap<string, Kustomization>,
  manifests: ReadonlyMap<string, ManifestFile>,
): readonly Reaching[] {
  const namedBy = (uri: string, paths: readonly string[]): readonly string[] =>
    paths.map((path) => {
      const target = resolveUri(parentUri(uri), path);
      const inFolder = kustomizationNames.map((name) => `${target}/${name}`);
      return inFolder.find((candidate) => kustomizations.has(candidate)) ?? target;
    });
  const collect = (uri: string, reach: Set<string>, patching: Set<string>, own: boolean): void => {
    if (reach.has(uri)) return;
    reach.add(uri);
    const kustomization = kustomizations.get(uri);
    if (kustomization === undefined) return;
    if (own) patching.add(uri);
    for (const part of namedBy(uri, kustomization.resources)) collect(part, reach, patching, false);
    for (const part of namedBy(uri, kustomization.components)) collect(part, reach, patching, own);
  };
  return [...kustomizations].map(([uri, { namespace, labelsSelectors }]) => {
    const reach = new Set<string>();
    const patching = new Set<string>();
    collect(uri, reach, patching, true);
    const targets = [...patching].flatMap((from) =>
      (kustomizations.get(from)?.patches ?? []).flatMap((patch) =>
        targetsOfPatch(patch, parentUri(from), manifests),
      ),
    );
    return { reach, targets, namespace, labelsSelectors };
  });
}

function targetsOfPatch(
  { file, text, target }: Patch,
  folder: string,
  manifests: ReadonlyMap<string, ManifestFile>,
): readonly Target[] {
  if (target !== undefined) return [target];
  const manifest =
    file === undefined ? readManifestFile(text ?? "") : manifests.get(resolveUri(folder, file));
  const parts = (manifest?.documents ?? []).flatMap(({ objects }) => objects);
  return parts.map(
    ({ kind, name }) =>
      (object): boolean =>
        object.kind === kind && object.name === name,
  );
}

function recordsOf(list: unknown): readonly Fields[] {
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

function textsOf(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.filter((item) => typeof item === "string") : [];
}
