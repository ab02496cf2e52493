/** The objects written in a file. */
import type { ManifestObject } from "../yaml/manifest.ts";
import type { FileDocument, ManifestFile } from "../yaml/manifest-file.ts";
import type { Path, Span } from "../yaml/place.ts";
import type { YamlDocument } from "../yaml/yaml-document.ts";

export interface WorkspaceFile {
  readonly uri: string;
  readonly manifest: ManifestFile;
  /** Why the file is not read; its manifest is then empty. */
  readonly skipped?: string;
  /** For a link, the file that it leads to. */
  readonly linkTo?: string;
}

/** One object and its place. */
export interface WorkspaceObject {
  readonly file: WorkspaceFile;
  readonly document: FileDocument;
  readonly documentIndex: number;
  readonly object: ManifestObject;
  /** Set if a kustomization has changed the object or a chart has made it, so that it differs from its file. */
  readonly patched?: PatchedObject;
}

/** An object as built by kustomizations or charts; locates its fields where they are written. */
export interface PatchedObject {
  /** Set if a chart's template has made it, so that no file contains it as it is. */
  readonly rendered?: RenderedFields;
  /** True if what is at this offset of the file contributes to the object, as far as that is known. */
  isMadeAt(uri: string, offset: number): boolean;
  /** The object as written in its own file. */
  readonly written: WorkspaceObject;
  /** True if another patch for it could not be applied, so that it may lack something. */
  readonly lacksPatch: boolean;
  /** URIs of all files that may contain a part of it, its own first. */
  readonly uris: readonly string[];
  /** As kustomize would print it, for rules that look at a document. */
  readonly document: FileDocument;
  /**
   * Where a field or its key is written; a missing field is located at its nearest existing parent. Paths start at the object's
   * root.
   */
  placeOf(path: Path, part?: "key" | "value"): FieldPlace;
  /** Where something is written that a rule has found in `document`, or its key. */
  placeInDocument(span: Span, isOfKey?: boolean): FieldPlace;
  /**
   * Where a field can be written: in its place, or in the document with its nearest parent, if that document contains objects.
   * Mappings in between may have to be created.
   */
  writable(path: Path): WrittenPlace | undefined;
  /** The path of a field in the document that contains `near`; undefined if it would be written elsewhere. */
  pathBeside(near: Path, path: Path): Path | undefined;
}

/** Maps places in a template or values file to the object that is rendered from it, and back. */
export interface RenderedFields {
  /** True if nobody has said with which values the chart is installed. */
  readonly isAssumed: boolean;
  /** Offset in the object's document that corresponds to an offset in a file; undefined if nothing there contributes to it. */
  offsetOf(uri: string, offset: number): number | undefined;
  /** What produces a part of the document in the template, wherever its value comes from. */
  templatePlace(span: Span): FieldPlace;
  /** `db-1.2.3.tgz`, if the place stands for a dependency whose files cannot be opened. */
  standsFor(place: FieldPlace): string | undefined;
  /** If a part of the document is reported at a dependency: its place in the original template, if that is a file. */
  originalAt(span: Span): FieldPlace | undefined;
  /** What produces a part of the document in the file, given an offset in the file. */
  spanAt(uri: string, offset: number, part: Span): Span;
}

export interface FieldPlace extends Span {
  readonly file: WorkspaceFile;
}

export interface WrittenPlace {
  readonly text: WrittenText;
  /** Path in the text; for something missing, where it would be in the nearest existing part. */
  readonly path: Path;
  /** How many segments of the path exist. */
  readonly depth: number;
}

/** A YAML text in a file: one of its documents, or a patch embedded in one. */
export interface WrittenText {
  readonly file: WorkspaceFile;
  readonly yaml: YamlDocument;
  /** Maps offsets in the text to offsets in the file. */
  readonly inFile: (span: Span) => Span;
  /** True if it is a document of objects, so that a field of the object is a field there. */
  readonly holdsObjects: boolean;
  /** The object made by a chart, if the text is in no file; it locates the fields. */
  readonly made?: WorkspaceObject;
}

/** The same entries as before for an unchanged file. */
export function objectsOfFile(file: WorkspaceFile): readonly WorkspaceObject[] {
  if (file.manifest.templateAt !== undefined) return [];
  const known = objectsOfFiles.get(file);
  if (known !== undefined) return known;
  const found = file.manifest.documents.flatMap((document, documentIndex) =>
    document.objects.map((object) => ({ file, document, documentIndex, object })),
  );
  objectsOfFiles.set(file, found);
  return found;
}

const objectsOfFiles = new WeakMap<WorkspaceFile, readonly WorkspaceObject[]>();

/** True if a chart's template has made it, so that no document in a file is its own. */
export function isRendered({ patched }: WorkspaceObject): boolean {
  return patched?.rendered !== undefined;
}

/** True if it is rendered with values that nobody has chosen. */
export function hasAssumedValues({ patched }: WorkspaceObject): boolean {
  return patched?.rendered?.isAssumed === true;
}

/** Where an object's document starts in its file. */
export function documentStart(entry: WorkspaceObject): number {
  return entry.file.manifest.slices[entry.documentIndex]?.start ?? 0;
}
