/** The objects that are written in a file. */
import type { ManifestObject } from "../yaml/manifest.ts";
import type { FileDocument, ManifestFile } from "../yaml/manifest-file.ts";
import type { PatchedObject } from "./kustomize/patched-object.ts";

export interface WorkspaceFile {
  readonly uri: string;
  readonly manifest: ManifestFile;
  /** Why the file is not read; its manifest is then empty. */
  readonly skipped?: string;
}

/** One object and where it stands. */
export interface WorkspaceObject {
  readonly file: WorkspaceFile;
  readonly document: FileDocument;
  readonly documentIndex: number;
  readonly object: ManifestObject;
  /** Present where a kustomization has changed the object: it is not as its document has it. */
  readonly patched?: PatchedObject;
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

/** Where an object's document starts in its file. */
export function documentStart(entry: WorkspaceObject): number {
  return entry.file.manifest.slices[entry.documentIndex]?.start ?? 0;
}
