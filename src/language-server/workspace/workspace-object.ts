/** The objects that are written in a file. */
import type { ManifestObject } from "../yaml/manifest.ts";
import type { FileDocument, ManifestFile } from "../yaml/manifest-file.ts";
import type { Path, Span } from "../yaml/place.ts";
import type { YamlDocument } from "../yaml/yaml-document.ts";

export interface WorkspaceFile {
  readonly uri: string;
  readonly manifest: ManifestFile;
  /** Why the file is not read; its manifest is then empty. */
  readonly skipped?: string;
  /** Of a link, the file that it leads to. */
  readonly linkTo?: string;
}

/** One object and where it stands. */
export interface WorkspaceObject {
  readonly file: WorkspaceFile;
  readonly document: FileDocument;
  readonly documentIndex: number;
  readonly object: ManifestObject;
  /** Present where a kustomization has changed the object, or a chart made it: it is not as its file has it. */
  readonly patched?: PatchedObject;
}

/** An object as kustomizations or charts have made it, which finds its fields where somebody has written them. */
export interface PatchedObject {
  /** Present where a chart's template has made it: it stands in no file as it is. */
  readonly rendered?: RenderedFields;
  /** Whether something in the file, at the offset, has made a part of it, as far as that can be told. */
  isMadeAt(uri: string, offset: number): boolean;
  /** As its own file has it. */
  readonly written: WorkspaceObject;
  /** Whether another patch for it could not be applied, so that it may lack something. */
  readonly lacksPatch: boolean;
  /** Of all files that may have written a part of it, its own first. */
  readonly uris: readonly string[];
  /** As kustomize would write it out, for rules that look at a document. */
  readonly document: FileDocument;
  /** Where a field is written, or its key; what is missing, at what would hold it. Paths start at the object's root. */
  placeOf(path: Path, part?: "key" | "value"): FieldPlace;
  /** Where something is written that a rule has found in `document`, or its key. */
  placeInDocument(span: Span, isOfKey?: boolean): FieldPlace;
  /** Where a field can be written: it is there, or what would hold it, be it through mappings that are still to be made, in a document of objects. */
  writable(path: Path): WrittenPlace | undefined;
  /** The path of a field in the document that `near` is written in; undefined where it would stand elsewhere. */
  pathBeside(near: Path, path: Path): Path | undefined;
}

/** The way from a template, or a values file, to the object that is made with it. */
export interface RenderedFields {
  /** Nobody has said with which values the chart is installed. */
  readonly isAssumed: boolean;
  /** In the object's document, what somebody sees at an offset of a file; undefined where nothing there has made it. */
  offsetOf(uri: string, offset: number): number | undefined;
  /** What stands for a part of the document in a template, wherever its value is from. */
  templatePlace(span: Span): FieldPlace;
  /** `db-1.2.3.tgz`, where the place is that of a dependency whose files nobody can be led into. */
  standsFor(place: FieldPlace): string | undefined;
  /** Of a part of the document, the place in its template, where that is a file and the part is told of at a dependency. */
  originalAt(span: Span): FieldPlace | undefined;
  /** What of the file stands for a part of the document, from an offset of the file. */
  spanAt(uri: string, offset: number, part: Span): Span;
}

export interface FieldPlace extends Span {
  readonly file: WorkspaceFile;
}

export interface WrittenPlace {
  readonly text: WrittenText;
  /** In the text; of what is missing, where it would be in the nearest part that is there. */
  readonly path: Path;
  /** How many segments are there. */
  readonly depth: number;
}

/** A YAML text in a file: one of its documents, or a patch that is written out inside one. */
export interface WrittenText {
  readonly file: WorkspaceFile;
  readonly yaml: YamlDocument;
  /** From offsets in the text to offsets in the file. */
  readonly inFile: (span: Span) => Span;
  /** Whether it is a document of objects, so that a field of the object is a field there. */
  readonly holdsObjects: boolean;
  /** The object that a chart has made, where the text is in no file: what finds its fields. */
  readonly made?: WorkspaceObject;
}

/** The same entries as before for a file that has not changed. */
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

/** Whether a chart's template has made it, so that no document of a file is its own. */
export function isRendered({ patched }: WorkspaceObject): boolean {
  return patched?.rendered !== undefined;
}

/** Whether it is made with values that nobody has chosen. */
export function hasAssumedValues({ patched }: WorkspaceObject): boolean {
  return patched?.rendered?.isAssumed === true;
}

/** Where an object's document starts in its file. */
export function documentStart(entry: WorkspaceObject): number {
  return entry.file.manifest.slices[entry.documentIndex]?.start ?? 0;
}
