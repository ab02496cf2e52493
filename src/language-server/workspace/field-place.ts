/** Where a field of an object is written: in the object's own document or in a patch. */
import { underline, underlineKey } from "../yaml/locate.ts";
import type { FileDocument } from "../yaml/manifest-file.ts";
import type { Path, Span } from "../yaml/place.ts";
import { documentStart, type FieldPlace, type WorkspaceObject } from "./workspace-object.ts";

/** An empty path stands for the whole object, which is located at its name. */
export function placeOf(
  entry: WorkspaceObject,
  path: Path,
  part: "key" | "value" = "value",
): FieldPlace {
  const { object, document, file, patched } = entry;
  const field = path.length === 0 && object.name !== "" ? ["metadata", "name"] : path;
  if (patched !== undefined) return patched.placeOf(field, part);
  const offset = documentStart(entry);
  const inDocument = [...object.path, ...field];
  const { start, end } =
    part === "key" ? underlineKey(document.yaml, inDocument) : spanIn(document, inDocument);
  return { file, start: offset + start, end: offset + end };
}

/** Where a chart's template produces a field, wherever its value comes from; undefined if no chart makes the object. */
export function templatePlaceOf(
  { object, document, patched }: WorkspaceObject,
  path: Path,
): FieldPlace | undefined {
  const { rendered } = patched ?? {};
  return rendered?.templatePlace(underline(document.yaml, [...object.path, ...path]));
}

/** Cached per document, because finding a place may mean parsing the document again. */
function spanIn(document: FileDocument, path: Path): Span {
  let spans = spansOfDocuments.get(document);
  if (spans === undefined) {
    spans = new Map();
    spansOfDocuments.set(document, spans);
  }
  const key = JSON.stringify(path);
  const known = spans.get(key) ?? underline(document.yaml, path);
  spans.set(key, known);
  return known;
}

const spansOfDocuments = new WeakMap<FileDocument, Map<string, Span>>();
