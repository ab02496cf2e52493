/** Collects files whose findings may have changed, until they are taken. */
import type { CodedReport } from "../diagnostics/rule.ts";
import { byFileOf } from "./reports-in-files.ts";

export class NotedFiles {
  readonly #all = new Set<string>();
  readonly #ofPreviews = new Set<string>();

  add(uri: string): void {
    this.#all.add(uri);
  }

  /** Notes a file whose findings a preview has changed. */
  addOfPreview(uri: string): void {
    this.#all.add(uri);
    this.#ofPreviews.add(uri);
  }

  /** Notes the files that the reports are in. */
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
