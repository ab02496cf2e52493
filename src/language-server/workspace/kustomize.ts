/**
 * What kustomizations do to the manifests beside them: what they make of objects, and which ConfigMaps and Secrets they make
 * of files. Their prefixes and namespaces change all names alike, and only when kustomize is run. Upstream: kustomize v5 api/types/kustomization.go and api/konfig/general.go
 * RecognizedKustomizationFileNames.
 */
import { deepEqual } from "../../engine/api/json.ts";
import { type Path, underline } from "../yaml/locate.ts";
import type { ManifestObject } from "../yaml/manifest.ts";
import type { ManifestFile } from "../yaml/manifest-file.ts";
import type { YamlDocument } from "../yaml/yaml-document.ts";
import { type Build, type BuildFiles, type BuiltObject, build } from "./kustomize/build.ts";
import {
  type GeneratedObject,
  type Kustomization,
  type KustomizationEntry,
  readKustomization,
} from "./kustomize/kustomization-file.ts";
import type { KustomizeProblem } from "./kustomize/loaded-patch.ts";
import { patchedEntry } from "./kustomize/patched-object.ts";
import { baseName, compareText, parentUri, resolveUri } from "./uri.ts";
import type { WorkspaceFile, WorkspaceObject } from "./workspace.ts";

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
  /** URIs of all files of kustomizations that change objects: an edit of one may change what comes of others. */
  readonly sources: ReadonlySet<string>;
  readonly generated: readonly GeneratedObject[];
  readonly problems: readonly KustomizeProblem[];
  /** Objects that a kustomization has changed and that the file has written, or a part of them. */
  patchedIn(uri: string): readonly WorkspaceObject[];
  /** The object as its kustomization has made it, itself where none changes it; undefined where a patch removes it. */
  present(entry: WorkspaceObject): WorkspaceObject | undefined;
  /** Whether a patch for the object could not be applied, so that it may lack something. */
  lacksPatch(entry: WorkspaceObject): boolean;
  /** Which namespaces the objects of the file get, whatever they name. */
  namespacesOf(uri: string): readonly string[];
}

interface KustomizedFolder {
  /** URI of the folder that paths are told and chosen from. */
  readonly folder: string;
  readonly files: readonly WorkspaceFile[];
  readonly objectsOf: BuildFiles["objectsOf"];
  /** Path of the kustomization that counts where two make different objects. */
  readonly chosen: string | undefined;
}

/** What all kustomizations and components among the files of a folder do. */
export function kustomizedBy({ folder, files, objectsOf, chosen }: KustomizedFolder): Kustomized {
  const kustomizations = new Map<string, Kustomization>();
  for (const file of files)
    if (isKustomization(file.uri)) kustomizations.set(file.uri, kustomizationOf(file));
  if (kustomizations.size === 0) return nothingKustomized;
  const byUri = new Map(files.map((file) => [file.uri, file]));
  const all: BuildFiles = {
    kustomizations,
    kustomizationAt: (from, path) => {
      const inside = resolveUri(parentUri(from), path);
      return kustomizationNames
        .map((name) => `${inside}/${name}`)
        .find((uri) => kustomizations.has(uri));
    },
    findFile: (uri) => byUri.get(uri),
    objectsOf,
  };
  return { ...patched(all, folder, chosen), ...namesGiven(all) };
}

const nothingKustomized: Kustomized = {
  patches: new Set(),
  sources: new Set(),
  generated: [],
  problems: [],
  patchedIn: () => [],
  present: (entry) => entry,
  lacksPatch: () => false,
  namespacesOf: () => [],
};

function kustomizationOf({ manifest }: WorkspaceFile): Kustomization {
  const read = known.get(manifest) ?? readKustomization(manifest);
  known.set(manifest, read);
  return read;
}

const known = new WeakMap<ManifestFile, Kustomization>();

type ByPatches = Omit<Kustomized, "generated" | "namespacesOf">;

function patched(files: BuildFiles, folder: string, chosen: string | undefined): ByPatches {
  const { kustomizations } = files;
  const patches = new Set<string>();
  for (const [uri, { patches: early, latePatches }] of kustomizations)
    for (const { file } of [...early, ...latePatches])
      if (file !== undefined) patches.add(resolveUri(parentUri(uri), file));
  const builds = rootsOf(files, folder, chosen).map((root) => [root, build(root, files)] as const);
  const problems = new Map<string, KustomizeProblem>();
  const report = (problem: KustomizeProblem): void => {
    problems.set(JSON.stringify([problem.uri, problem.start, problem.message]), problem);
  };
  const made = new Made(files, folder, report);
  const sources = new Set<string>(kustomizations.keys());
  for (const [root, built] of builds) {
    for (const problem of built.problems) report(problem);
    if (built.isChanged) for (const uri of built.files) sources.add(uri);
    made.add(root, built);
  }
  for (const uri of patches) sources.add(uri);
  return {
    patches,
    sources,
    problems: [...problems.values()],
    patchedIn: (uri) => made.byFile.get(uri) ?? [],
    present: (entry) => (made.present.has(entry) ? made.present.get(entry) : entry),
    lacksPatch: (entry) => made.lacking.has(entry.patched?.written ?? entry),
  };
}

/** What is built by itself: kustomizations that no other names. The chosen one comes first. */
function rootsOf(
  { kustomizations, kustomizationAt }: BuildFiles,
  folder: string,
  chosen: string | undefined,
): readonly string[] {
  const inner = new Set(
    [...kustomizations].flatMap(([uri, { resources, components }]) =>
      [...resources, ...components].flatMap((path) => kustomizationAt(uri, path) ?? []),
    ),
  );
  const first = chosen === undefined ? undefined : resolveUri(folder, chosen);
  const rank = (uri: string): number => (uri === first || parentUri(uri) === first ? 0 : 1);
  return [...kustomizations.keys()]
    .filter((uri) => rank(uri) === 0 || !inner.has(uri))
    .sort((a, b) => rank(a) - rank(b) || compareText(a, b));
}

/** Of each object what the first kustomization makes that has it. */
class Made {
  readonly present = new Map<WorkspaceObject, WorkspaceObject | undefined>();
  readonly byFile = new Map<string, WorkspaceObject[]>();
  readonly lacking = new Set<WorkspaceObject>();
  readonly #first = new Map<WorkspaceObject, { readonly root: string; readonly by: BuiltObject }>();
  readonly #files: BuildFiles;
  readonly #folder: string;
  readonly #report: (problem: KustomizeProblem) => void;

  constructor(files: BuildFiles, folder: string, report: (problem: KustomizeProblem) => void) {
    this.#files = files;
    this.#folder = folder;
    this.#report = report;
  }

  add(root: string, { objects }: Build): void {
    const others = new Map<KustomizationEntry, Other>();
    for (const object of objects) {
      const before = this.#first.get(object.entry);
      if (before === undefined) this.#addFirst(root, object);
      else if (!deepEqual(before.by.written?.value, object.written?.value))
        for (const { kustomization, entry } of object.changedBy) {
          if (kustomization.uri !== root) continue;
          const other = others.get(entry) ?? { first: before.root, objects: [] };
          other.objects.push(object.entry.object);
          others.set(entry, other);
        }
    }
    for (const [entry, other] of others) this.#tellOther(root, entry, other);
  }

  #addFirst(root: string, by: BuiltObject): void {
    const { entry, written, lacksPatch } = by;
    this.#first.set(entry, { root, by });
    if (lacksPatch) this.lacking.add(entry);
    if (written?.value === entry.object.value) return;
    const now = sameBuilt(by);
    this.present.set(entry, now);
    if (now === undefined) return;
    for (const uri of now.patched?.uris ?? []) {
      const there = this.byFile.get(uri);
      if (there === undefined) this.byFile.set(uri, [now]);
      else there.push(now);
    }
  }

  /** Objects of one name cannot be in a cluster twice. */
  #tellOther(root: string, entry: KustomizationEntry, { first, objects }: Other): void {
    const yaml = this.#files.kustomizations.get(root)?.yaml;
    const [object] = objects;
    if (yaml === undefined || object === undefined) return;
    const [own, other] = [root, first].map((uri) => this.#printFolder(uri));
    const more = objects.length > 1 ? ` and of ${objects.length - 1} more` : "";
    const message = `Not judged: ${other} makes something else of ${object.kind} ${object.name}${more}, and one of the two can be judged at a time. \`kustomization: ${own}\` in claimcheck.yaml chooses this one`;
    const span = underline(yaml, entry.path);
    this.#report({ uri: root, ...span, message, severity: "information" });
  }

  #printFolder(kustomization: string): string {
    const folder = parentUri(kustomization);
    return folder === this.#folder ? "." : decodeURI(folder.slice(this.#folder.length + 1));
  }
}

/** What another kustomization has made of first. */
interface Other {
  readonly first: string;
  readonly objects: ManifestObject[];
}

/** The one of before where the same changes were made to the same object: what is known of it then holds. */
function sameBuilt(by: BuiltObject): WorkspaceObject | undefined {
  const before = lastBuilt.get(by.entry);
  if (before !== undefined && isSameBuild(before.by, by)) return before.now;
  const now = patchedEntry(by);
  lastBuilt.set(by.entry, { by, now });
  return now;
}

function isSameBuild(a: BuiltObject, b: BuiltObject): boolean {
  const [{ changedBy }, { changedBy: others }] = [a, b];
  return (
    a.written === b.written &&
    a.lacksPatch === b.lacksPatch &&
    changedBy.length === others.length &&
    changedBy.every(({ file }, index) => file === others[index]?.file)
  );
}

const lastBuilt = new WeakMap<
  WorkspaceObject,
  { readonly by: BuiltObject; readonly now: WorkspaceObject | undefined }
>();

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

/** A kustomization with those that it names. */
interface Reaching {
  /** URIs of the files whose objects it has. */
  readonly reach: ReadonlySet<string>;
  readonly namespace: string | undefined;
}

function namesGiven(files: BuildFiles): Pick<Kustomized, "generated" | "namespacesOf"> {
  let reaching: readonly Reaching[] | undefined;
  const reachingOf = (uri: string): readonly Reaching[] => {
    reaching ??= reachOfAll(files);
    return reaching.filter(({ reach }) => reach.has(uri));
  };
  return {
    generated: [...files.kustomizations.values()].flatMap(({ generated }) => generated),
    namespacesOf: (uri) => reachingOf(uri).flatMap(({ namespace }) => namespace ?? []),
  };
}

function reachOfAll({ kustomizations, kustomizationAt }: BuildFiles): readonly Reaching[] {
  const collect = (uri: string, reach: Set<string>): void => {
    if (reach.has(uri)) return;
    reach.add(uri);
    const kustomization = kustomizations.get(uri);
    if (kustomization === undefined) return;
    for (const path of [...kustomization.resources, ...kustomization.components])
      collect(kustomizationAt(uri, path) ?? resolveUri(parentUri(uri), path), reach);
  };
  return [...kustomizations].map(([uri, { namespace }]) => {
    const reach = new Set<string>();
    collect(uri, reach);
    return { reach, namespace };
  });
}
