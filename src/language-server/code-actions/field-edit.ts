/** Changes of an object's fields, as edits of the file it stands in. `path` starts at the object's root. */
import { documentStart, type WorkspaceObject } from "../workspace/workspace.ts";
import { addFields, removeField, setField, type TextEdit } from "../yaml/edits.ts";
import type { Path } from "../yaml/locate.ts";
import type { FileEdit } from "./code-action.ts";

/** Sets a field; null removes it. Undefined where something else stands in the way. */
export function fieldEdit(
  entry: WorkspaceObject,
  path: Path,
  value: string | null,
): FileEdit | undefined {
  const { yaml } = entry.document;
  const inDocument = [...entry.object.path, ...path];
  return inFile(
    entry,
    value === null ? removeField(yaml, inDocument) : setField(yaml, inDocument, value),
  );
}

/** Adds fields to the mapping at a path. Undefined where there is none. */
export function fieldsEdit(
  entry: WorkspaceObject,
  path: Path,
  fields: Readonly<Record<string, unknown>>,
): FileEdit | undefined {
  return inFile(entry, addFields(entry.document.yaml, [...entry.object.path, ...path], fields));
}

function inFile(entry: WorkspaceObject, edit: TextEdit | undefined): FileEdit | undefined {
  if (edit === undefined) return undefined;
  const offset = documentStart(entry);
  return {
    uri: entry.file.uri,
    start: offset + edit.start,
    end: offset + edit.end,
    text: edit.text,
  };
}
