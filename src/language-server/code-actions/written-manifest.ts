/** Manifests that are written for others, behind them in their files. */
import { stringify } from "yaml";
import type { Diagnostic } from "../diagnostics/rule.ts";
import type { Fields } from "../workspace/manifest-fields.ts";
import { isRendered, type WorkspaceObject } from "../workspace/workspace-object.ts";
import type { CodeAction, FileEdit } from "./code-action.ts";

/** What mends a finding is offered with the fixes. */
export function mending(action: CodeAction, diagnostic: Diagnostic | undefined): CodeAction {
  return diagnostic === undefined ? action : { ...action, kind: "quickfix", diagnostic };
}

export function rewrite(title: string, ...edits: readonly (FileEdit | undefined)[]): CodeAction {
  const made = edits.filter((edit) => edit !== undefined);
  return { title, kind: "refactor.rewrite", edits: made };
}

/** Whether new documents can: a List or a JSON file has no room for them, and a chart's template may make none of them. */
export function canFollow(entry: WorkspaceObject): boolean {
  const { object, file } = entry;
  return !isRendered(entry) && object.path.length === 0 && !file.uri.endsWith(".json");
}

/** New documents behind the one of an object. */
export function documentsAfter(entry: WorkspaceObject, objects: readonly Fields[]): FileEdit {
  const { text, slices } = entry.file.manifest;
  const end = slices[entry.documentIndex]?.end ?? text.length;
  const lineEnd = text.slice(0, end).endsWith("\n") ? "" : "\n";
  const written = objects.map((object) => `---\n${stringify(object)}`).join("");
  return { uri: entry.file.uri, start: end, end, text: `${lineEnd}${written}` };
}
