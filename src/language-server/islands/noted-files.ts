/** Files of which something may now be said, or no longer, that was not before; noted until they are taken. */
import type { CodedReport } from "../diagnostics/rule.ts";
import { byFileOf } from "./reports-in-files.ts";

export class NotedFiles {
  readonly #all = new Set<string>();
  readonly #ofPreviews = new Set<string>();

  add(uri: string): void {
    this.#all.add(uri);
  }

  /** Because a preview says so. */
  addOfPreview(uri: string): void {
    this.#all.add(uri);
    this.#ofPreviews.add(uri);
  }

  /** The files that these speak of. */
  addSpokenOf(...lists: readonly (readonly CodedReport[] | undefined)[]): void {
    for (const reports of lists)
      if (reports !== undefined) for (const uri of byFileOf(reports).keys()) this.add(uri);
  }

  take(): readonly string[] {
    return taken(this.#all);
  }

  takeOfPreviews(): readonly string[] {
    return taken(this.#ofPreviews);
  }
}

function taken(uris: Set<string>): readonly string[] {
  const list = [...uris];
  uris.clear();
  return list;
}
