/** Changes of an object's fields, as edits of the file in which they are written. Paths start at the object's root. */
import type { FieldFix } from "../diagnostics/rule.ts";
import {
  documentStart,
  isRendered,
  type WorkspaceFile,
  type WorkspaceObject,
} from "../workspace/workspace-object.ts";
import {
  addFields,
  addItem,
  removeAt,
  renameKey,
  replaceField,
  type Scalar,
  setField,
  type TextEdit,
} from "../yaml/edits.ts";
import type { Path } from "../yaml/place.ts";
import type { YamlDocument } from "../yaml/yaml-document.ts";
import type { FileEdit } from "./code-action.ts";

/** Sets a field; null removes it. Undefined if that is impossible, such as when a scalar stands where a mapping is needed. */
export function fieldEdit(
  entry: WorkspaceObject,
  path: Path,
  value: Scalar | null,
): FileEdit | undefined {
  // The line of a template may write more than this field.
  if (value === null && isRendered(entry)) return undefined;
  return whereWritten(entry, path, (yaml, at) => changeField(yaml, at, value));
}

/** The edit for the fix of a finding, in the document that the finding is about. */
export function fixEdit(yaml: YamlDocument, fix: FieldFix): TextEdit | undefined {
  return "key" in fix ? renameKey(yaml, fix.path, fix.key) : changeField(yaml, fix.path, fix.value);
}

/** Null removes the field, or the list item. */
function changeField(yaml: YamlDocument, path: Path, value: Scalar | null): TextEdit | undefined {
  return value === null ? removeAt(yaml, path) : setField(yaml, path, value);
}

/** Replaces the field at the path with other fields. Undefined if it is not there. */
export function replacementEdit(
  entry: WorkspaceObject,
  path: Path,
  fields: Readonly<Record<string, unknown>>,
): FileEdit | undefined {
  if (isRendered(entry)) return undefined;
  return whereWritten(entry, path, (yaml, at) => replaceField(yaml, at, fields));
}

/** Makes the change in the object's document, or in the patch that has written the field. */
function whereWritten(
  entry: WorkspaceObject,
  path: Path,
  change: (yaml: YamlDocument, path: Path) => TextEdit | undefined,
): FileEdit | undefined {
  const { patched } = entry;
  if (patched === undefined)
    return inFile(entry, change(entry.document.yaml, [...entry.object.path, ...path]));
  const at = patched.writable(path);
  const edit = at === undefined ? undefined : change(at.text.yaml, at.path);
  if (at === undefined || edit === undefined) return undefined;
  return { uri: at.text.file.uri, ...at.text.inFile(edit), text: edit.text };
}

/** Adds fields to the mapping at the path. Undefined if there is none. */
export function fieldsEdit(
  entry: WorkspaceObject,
  path: Path,
  fields: Readonly<Record<string, unknown>>,
): FileEdit | undefined {
  return inFile(entry, addFields(entry.document.yaml, [...entry.object.path, ...path], fields));
}

/** Appends an item to the list at the path. Undefined if there is no list with items. */
export function itemEdit(
  entry: WorkspaceObject,
  path: Path,
  item: Readonly<Record<string, unknown>> | Scalar,
): FileEdit | undefined {
  return inFile(entry, addItem(entry.document.yaml, [...entry.object.path, ...path], item));
}

function inFile(entry: WorkspaceObject, edit: TextEdit | undefined): FileEdit | undefined {
  return edit && editOf(entry, edit);
}

/**
 * Turns an edit of the object's document into one of its file. Undefined for an object of a chart, whose document is in no
 * file.
 */
export function editOf(entry: WorkspaceObject, edit: TextEdit): FileEdit | undefined {
  return isRendered(entry) ? undefined : editFrom(entry.file, documentStart(entry), edit);
}

/** Turns an edit of a document that begins at `offset` into one of its file. */
export function editFrom(
  { uri }: WorkspaceFile,
  offset: number,
  { start, end, text }: TextEdit,
): FileEdit {
  return { uri, start: offset + start, end: offset + end, text };
}
