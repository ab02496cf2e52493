/** A file of the workspace, and where its text comes from. */
import type { ManifestFile } from "../../yaml/manifest-file.ts";
import type { WorkspaceFile } from "../workspace-object.ts";

export interface Source {
  /** Text in the last commit if it differs from the disk; null if it is the same. */
  committed?: string | null;
  disk?: string;
  editor?: string;
  skipped?: string;
  linkTo?: string;
}

/** What remains of a file that was only read for an import and is no longer imported. */
export function notImported({ editor }: Source): Source {
  return editor === undefined ? {} : { editor };
}

/** A file that is open in an editor is read even if it is skipped on disk. */
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
