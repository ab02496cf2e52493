/**
 * What kustomizations do to the manifests beside them: what they make of objects, and which ConfigMaps and Secrets they make
 * of files. Upstream: kustomize v5 api/types/kustomization.go and api/konfig/general.go
 * RecognizedKustomizationFileNames.
 */
import { deepEqual } from "../../engine/api/json.ts";
import { type Path, underline } from "../yaml/locate.ts";
import { type ManifestObject, valueAt } from "../yaml/manifest.ts";
import type { ManifestFile } from "../yaml/manifest-file.ts";
import type { YamlDocument } from "../yaml/yaml-document.ts";
import { type BuildFiles, type BuiltObject, build } from "./kustomize/build.ts";
import {
  type GeneratedObject,
  type Kustomization,
  type KustomizationEntry,
  readKustomization,
} from "./kustomize/kustomization-file.ts";
import type { KustomizeProblem } from "./kustomize/loaded-patch.ts";
import { patchedEntry } from "./kustomize/patched-object.ts";
import type { Written } from "./kustomize/written.ts";
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
  /** What kustomizations make of the object: several, one or none; itself where none changes it. */
  built(entry: WorkspaceObject): readonly WorkspaceObject[];
  /** The first of them. */
  present(entry: WorkspaceObject): WorkspaceObject | undefined;
  /** Whether it is not judged as it stands. */
  isChanged(entry: WorkspaceObject): boolean;
  /** Whether a patch for the object could not be applied, so that it may lack something. */
  lacksPatch(entry: WorkspaceObject): boolean;
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
  return built(all, folder, chosen);
}

const nothingKustomized: Kustomized = {
  patches: new Set(),
  sources: new Set(),
  generated: [],
  problems: [],
  patchedIn: () => [],
  built: (entry) => [entry],
  present: (entry) => entry,
  isChanged: () => false,
  lacksPatch: () => false,
};

function kustomizationOf({ manifest }: WorkspaceFile): Kustomization {
  const read = known.get(manifest) ?? readKustomization(manifest);
  known.set(manifest, read);
  return read;
}

const known = new WeakMap<ManifestFile, Kustomization>();

function built(files: BuildFiles, folder: string, chosen: string | undefined): Kustomized {
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
  for (const [root, { problems: found, files: uris, isChanged, objects }] of builds) {
    for (const problem of found) report(problem);
    if (isChanged) for (const uri of uris) sources.add(uri);
    made.add(root, objects);
  }
  for (const uri of patches) sources.add(uri);
  return {
    patches,
    sources,
    generated: builds.flatMap(([, { generated }]) => generated),
    problems: [...problems.values()],
    patchedIn: (uri) => made.byFile.get(uri) ?? [],
    built: (entry) => made.of(entry),
    present: (entry) => made.of(entry)[0],
    isChanged: (entry) => made.changed.has(entry),
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
  readonly changed = new Map<WorkspaceObject, readonly WorkspaceObject[]>();
  /** Those that only kustomizations have that give others another name: the names that they know are nowhere. */
  readonly aside = new Set<WorkspaceObject>();
  readonly byFile = new Map<string, WorkspaceObject[]>();
  readonly lacking = new Set<WorkspaceObject>();
  readonly #first = new Map<WorkspaceObject, First>();
  readonly #files: BuildFiles;
  readonly #folder: string;
  readonly #report: (problem: KustomizeProblem) => void;

  constructor(files: BuildFiles, folder: string, report: (problem: KustomizeProblem) => void) {
    this.#files = files;
    this.#folder = folder;
    this.#report = report;
  }

  add(root: string, objects: readonly BuiltObject[]): void {
    const others = new Map<KustomizationEntry, Other>();
    const added: WorkspaceObject[] = [];
    let hasOtherNames = false;
    for (const [entry, by] of byEntry(objects)) {
      const first = this.#first.get(entry);
      if (first === undefined) {
        this.#addFirst(entry, { root, by });
        added.push(entry);
        continue;
      }
      if (isSameMade(first.by, by)) continue;
      hasOtherNames ||= namesOf(first.by) !== namesOf(by);
      const changes = new Set(by.flatMap(({ changedBy }) => changedBy));
      for (const { kustomization, entry: part } of changes) {
        if (kustomization.uri !== root) continue;
        const other = others.get(part) ?? { first: first.root, objects: [] };
        other.objects.push(entry.object);
        others.set(part, other);
      }
    }
    if (hasOtherNames) for (const entry of added) this.aside.add(entry);
    for (const [part, other] of others) this.#tellOther(root, part, other);
  }

  of(entry: WorkspaceObject): readonly WorkspaceObject[] {
    return this.aside.has(entry) ? [] : (this.changed.get(entry) ?? [entry]);
  }

  #addFirst(entry: WorkspaceObject, first: First): void {
    const { by } = first;
    this.#first.set(entry, first);
    if (by.some(({ lacksPatch }) => lacksPatch)) this.lacking.add(entry);
    if (by.length === 1 && by[0]?.written?.value === entry.object.value) return;
    const now = by.flatMap((one) => sameBuilt(one) ?? []);
    this.changed.set(entry, now);
    for (const uri of new Set(now.flatMap(({ patched }) => patched?.uris ?? []))) {
      const there = this.byFile.get(uri);
      if (there === undefined) this.byFile.set(uri, [...now]);
      else there.push(...now);
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

interface First {
  readonly root: string;
  /** Several where the kustomization has the object by several ways. */
  readonly by: readonly BuiltObject[];
}

/** Of two that kustomize would make alike it makes none; one is judged. */
function byEntry(
  objects: readonly BuiltObject[],
): ReadonlyMap<WorkspaceObject, readonly BuiltObject[]> {
  const found = new Map<WorkspaceObject, BuiltObject[]>();
  for (const object of objects) {
    const there = found.get(object.entry);
    if (there === undefined) found.set(object.entry, [object]);
    else if (there.every((other) => namesOf([other]) !== namesOf([object]))) there.push(object);
  }
  return found;
}

function isSameMade(a: readonly BuiltObject[], b: readonly BuiltObject[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ written }, index) => deepEqual(written?.value, b[index]?.written?.value))
  );
}

function namesOf(objects: readonly BuiltObject[]): string {
  const names = objects.map(({ written }) =>
    ["name", "namespace"].map((field) => valueAt(written?.value, ["metadata", field])),
  );
  return JSON.stringify(names);
}

/** What another kustomization has made something of first. */
interface Other {
  readonly first: string;
  readonly objects: ManifestObject[];
}

/** The one of before where the same changes were made to the same object: what is known of it then holds. */
function sameBuilt(by: BuiltObject): WorkspaceObject | undefined {
  const { written } = by;
  if (written === undefined) return undefined;
  const before = lastBuilt.get(written);
  if (before !== undefined && isSameBuild(before.by, by)) return before.now;
  const now = patchedEntry(by);
  lastBuilt.set(written, { by, now });
  return now;
}

function isSameBuild(a: BuiltObject, b: BuiltObject): boolean {
  const [{ changedBy }, { changedBy: others }] = [a, b];
  return (
    a.entry === b.entry &&
    a.lacksPatch === b.lacksPatch &&
    changedBy.length === others.length &&
    changedBy.every(({ file }, index) => file === others[index]?.file)
  );
}

const lastBuilt = new WeakMap<
  Written,
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
