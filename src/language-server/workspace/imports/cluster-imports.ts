/** Which files contain the objects of a running cluster, and their contents. Each text is read once. */
import type { Ref } from "../../../engine/api/meta.ts";
import { versionNumber } from "../../../engine/api/resource-version.ts";
import type { Manifest } from "../../../engine/scenario.ts";
import type { ProjectFile } from "../../project/project-file.ts";
import { calledOf, objectsOf } from "../../yaml/manifest.ts";
import type { Path } from "../../yaml/place.ts";
import { resolveUri, wellFormed } from "../files/uri.ts";
import { textAt } from "../manifest-fields.ts";
import { type ImportedText, readImportedText } from "./imported-text.ts";

/** In bytes: enough for several thousand pods. */
export const importSizeMax: number = 128 * 1024 * 1024;
export const importTooLarge: string = `It is larger than ${importSizeMax / 1024 / 1024} MiB and is not read`;
export const importIsFolder: string = "It is a folder; name its files, in a list";
export const importOutside: string = "It is outside the folders that are open, and is not read";

export interface ImportedFile {
  readonly uri: string;
  /** The entry's path in the project file; absent if the command line names the file. */
  readonly path?: Path;
  /** Undefined if the file does not exist or is not read. */
  readonly text: ImportedText | undefined;
  /** Why it is not read. */
  readonly skipped?: string;
}

export interface ImportedCluster {
  readonly files: readonly ImportedFile[];
  /** From all files; the same list until one of them changes. */
  readonly objects: readonly Manifest[];
  readonly byRef: ReadonlyMap<Ref, Manifest>;
  /** Kinds with at least one object; other kinds may not have been exported. */
  readonly kinds: ReadonlySet<string>;
  /** True if a file is missing, truncated, or partly unreadable. */
  readonly isPartial: boolean;
}

interface NamedFile {
  readonly uri: string;
  readonly path?: Path;
}

interface Source {
  readonly text: string | undefined;
  readonly skipped: string | undefined;
}

export class ClusterImports {
  #forAll: readonly NamedFile[] = [];
  readonly #byFolder = new Map<string, readonly NamedFile[]>();
  readonly #sources = new Map<string, Source>();
  readonly #read = new Map<string, { readonly text: string; readonly read: ImportedText }>();
  readonly #known = new Map<string, ImportedCluster>();

  setForAll(uris: readonly string[]): void {
    this.#forAll = uris.map((uri) => ({ uri }));
  }

  /** True if the command line named the file, rather than a project file that came with the folder. */
  isForAll(uri: string): boolean {
    return this.#forAll.some((file) => file.uri === uri);
  }

  areOther(folder: string, project: ProjectFile | undefined): boolean {
    const now = namedBy(folder, project);
    return JSON.stringify(now) !== JSON.stringify(this.#byFolder.get(folder) ?? []);
  }

  setOf(folder: string, project: ProjectFile | undefined): void {
    const files = namedBy(folder, project);
    if (files.length === 0) this.#byFolder.delete(folder);
    else this.#byFolder.set(folder, files);
  }

  uris(): readonly string[] {
    const all = [...this.#forAll, ...[...this.#byFolder.values()].flat()];
    return [...new Set(all.map(({ uri }) => uri))];
  }

  has(uri: string): boolean {
    const isNamed = (files: readonly NamedFile[]): boolean => files.some((f) => f.uri === uri);
    return isNamed(this.#forAll) || [...this.#byFolder.values()].some(isNamed);
  }

  setText(uri: string, text: string | undefined, skipped: string | undefined): void {
    this.#sources.set(uri, { text, skipped });
  }

  /** Undefined if the environment starts with an empty cluster. */
  of(environment: string): ImportedCluster | undefined {
    const named = this.#forAll.length > 0 ? this.#forAll : this.#byFolder.get(environment);
    if (named === undefined) return undefined;
    const files = named.map((file) => this.#fileOf(file));
    const known = this.#known.get(environment);
    if (known !== undefined && isSame(known.files, files)) return known;
    const newest = byRef(files.flatMap(({ text }) => text?.objects ?? []));
    const objects = [...newest.values()];
    const kinds = new Set(objects.map(({ kind }) => String(kind)));
    const isPartial = files.some(({ text }) => (text?.problems.length ?? 1) > 0);
    const made = { files, objects, byRef: newest, kinds, isPartial };
    this.#known.set(environment, made);
    return made;
  }

  #fileOf(file: NamedFile): ImportedFile {
    const { text, skipped } = this.#sources.get(file.uri) ?? {};
    if (text === undefined)
      return { ...file, text: undefined, ...(skipped !== undefined && { skipped }) };
    const known = this.#read.get(file.uri);
    const read = known?.text === text ? known.read : readImportedText(text);
    this.#read.set(file.uri, { text, read });
    return { ...file, text: read };
  }
}

function namedBy(folder: string, project: ProjectFile | undefined): readonly NamedFile[] {
  return (project?.imports ?? []).map(({ file, path }) => ({ uri: importUri(folder, file), path }));
}

/** Resolves an import's path as the file system does: it uses slashes and may lead upwards. */
export function importUri(folder: string, file: string): string {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(file) && URL.canParse(file)) return new URL(file).href;
  const path = encodeURI(wellFormed(file)).replace(/[#?]/g, encodeURIComponent);
  const base = `${folder}/`;
  // A half-typed address such as `http://` is not valid.
  return URL.canParse(path, base) ? new URL(path, base).href : resolveUri(folder, file);
}

function isSame(a: readonly ImportedFile[], b: readonly ImportedFile[]): boolean {
  return (
    a.length === b.length &&
    a.every(
      ({ uri, text, skipped }, i) =>
        uri === b[i]?.uri && text === b[i]?.text && skipped === b[i]?.skipped,
    )
  );
}

/** If an object was exported several times, its newest version counts. */
function byRef(objects: readonly Manifest[]): ReadonlyMap<Ref, Manifest> {
  const map = new Map<Ref, Manifest>();
  for (const manifest of objects)
    for (const object of objectsOf(manifest).objects) {
      const ref = calledOf(object);
      const known = map.get(ref);
      if (known === undefined || versionOf(manifest) > versionOf(known)) map.set(ref, manifest);
    }
  return map;
}

function versionOf(manifest: Manifest): bigint {
  const version = versionNumber(textAt(manifest, "metadata", "resourceVersion"));
  return typeof version === "bigint" ? version : 0n;
}
