/** Which charts kustomizations render: their folders are not clusters of their own. */

import { decoded, parentUri } from "../files/uri.ts";
import { chartsInflatedBy, isKustomization, isOfCharts, kustomizationNames } from "../kustomize.ts";
import type { WorkspaceFile } from "../workspace-object.ts";

type Files = ReadonlyMap<string, WorkspaceFile>;

export class InflatedCharts {
  readonly #by = new Map<string, readonly string[]>();
  #folders: ReadonlySet<string> = new Set();

  /** Notes a changed file; returns true if that changes which charts are rendered. */
  fileChanged(uri: string, before: WorkspaceFile | undefined, files: Files): boolean {
    const mayMatter = [before, files.get(uri)].some(
      (file) => file !== undefined && (isKustomization(uri) || isOfCharts(file.manifest)),
    );
    if (!mayMatter) return false;
    // Checks all of them: a kustomization may have its generators in the folder of another.
    const looked = new Set([uri, ...kustomizationsAbove(uri, files)].filter(isKustomization));
    return [...looked].filter((one) => this.#note(one, files)).length > 0;
  }

  #note(kustomization: string, files: Files): boolean {
    const folders = chartsInflatedBy(kustomization, files);
    const before = this.#by.get(kustomization) ?? [];
    if (JSON.stringify(before) === JSON.stringify(folders)) return false;
    if (folders.length === 0) this.#by.delete(kustomization);
    else this.#by.set(kustomization, folders);
    this.#folders = new Set([...this.#by.values()].flat());
    return true;
  }

  /** Decoded. */
  get folders(): ReadonlySet<string> {
    return this.#folders;
  }

  has(folder: string): boolean {
    return this.#folders.size > 0 && this.#folders.has(decoded(folder));
  }
}

/** The kustomizations that may name the file: it is in or below their folder. */
function kustomizationsAbove(uri: string, files: Files): readonly string[] {
  const found: string[] = [];
  for (let folder = parentUri(uri); folder !== ""; folder = parentUri(folder))
    for (const name of kustomizationNames)
      if (files.has(`${folder}/${name}`)) found.push(`${folder}/${name}`);
  return found;
}
