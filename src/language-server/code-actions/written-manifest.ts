/** Manifests that are generated for an object, as new documents after its own. */
import { stringify } from "yaml";
import type { Fields } from "../workspace/manifest-fields.ts";
import { isRendered, type WorkspaceObject } from "../workspace/workspace-object.ts";
import type { FileEdit } from "./code-action.ts";

/** False for an item of a List, for JSON, and for an object that a chart renders: these cannot be followed by new documents. */
export function canFollow(entry: WorkspaceObject): boolean {
  const { object, file } = entry;
  return !isRendered(entry) && object.path.length === 0 && !file.uri.endsWith(".json");
}

/** The objects as new documents after that of the entry. */
export function documentsAfter(entry: WorkspaceObject, objects: readonly Fields[]): FileEdit {
  const { text, slices } = entry.file.manifest;
  const end = slices[entry.documentIndex]?.end ?? text.length;
  const lineEnd = text.slice(0, end).endsWith("\n") ? "" : "\n";
  const written = objects.map((object) => `---\n${stringify(object)}`).join("");
  return { uri: entry.file.uri, start: end, end, text: `${lineEnd}${written}` };
}
