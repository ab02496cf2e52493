/** A file of the workspace, and where its text is from. */
import type { ManifestFile } from "../../yaml/manifest-file.ts";
import type { WorkspaceFile } from "../workspace-object.ts";

export interface Source {
  /** Of the last commit, where it differs from the disk; null where it is the same. */
  committed?: string | null;
  disk?: string;
  editor?: string;
  skipped?: string;
  linkTo?: string;
}

/** Of a file that is in no folder, or ignored there, and was read because it was imported: not any more. */
export function notImported({ editor }: Source): Source {
  return editor === undefined ? {} : { editor };
}

/** What somebody has open is read, whatever the disk holds. */
export function fileOf(
  uri: string,
  manifest: ManifestFile,
  { skipped, linkTo, editor }: Source,
): WorkspaceFile {
  const isSkipped = skipped !== undefined && editor === undefined;
  return {
    uri,
    manifest,
    ...(isSkipped && { skipped }),
    ...(linkTo !== undefined && { linkTo }),
  };
}

export function isFoundSo(file: WorkspaceFile, { skipped, linkTo }: Source): boolean {
  return file.skipped === skipped && file.linkTo === linkTo;
}
