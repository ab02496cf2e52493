/** Which charts kustomizations have Helm render: what is in their folders is no cluster of its own. */
import { decoded } from "../uri.ts";

export class InflatedCharts {
  readonly #by = new Map<string, readonly string[]>();
  #folders: ReadonlySet<string> = new Set();

  /** What a kustomization names now; whether that is something else than before. */
  note(kustomization: string, folders: readonly string[]): boolean {
    const before = this.#by.get(kustomization) ?? [];
    if (JSON.stringify(before) === JSON.stringify(folders)) return false;
    if (folders.length === 0) this.#by.delete(kustomization);
    else this.#by.set(kustomization, folders);
    this.#folders = new Set([...this.#by.values()].flat());
    return true;
  }

  /** Without escapes. */
  get folders(): ReadonlySet<string> {
    return this.#folders;
  }

  has(folder: string): boolean {
    return this.#folders.size > 0 && this.#folders.has(decoded(folder));
  }
}
