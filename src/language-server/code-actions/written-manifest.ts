/** Manifests that are written for others, behind them in their files. */
import { stringify } from "yaml";
import type { Fields } from "../workspace/manifest-fields.ts";
import { isRendered, type WorkspaceObject } from "../workspace/workspace-object.ts";
import type { FileEdit } from "./code-action.ts";

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
