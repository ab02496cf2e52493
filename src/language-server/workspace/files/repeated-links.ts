/** Links to manifests that are read anyway: they add no objects, and their findings are those of the target. */
import type { Environment } from "../environment.ts";
import type { WorkspaceFile } from "../workspace-object.ts";

type Files = readonly WorkspaceFile[];

/**
 * By URI of a link, the file that stands for it: its target, or the first of several links to a file that is not read itself.
 */
export function repeatedLinks(files: Files): ReadonlyMap<string, WorkspaceFile> {
  const known = ofFiles.get(files) ?? findLinks(files);
  ofFiles.set(files, known);
  return known;
}

const ofFiles = new WeakMap<Files, ReadonlyMap<string, WorkspaceFile>>();

function findLinks(files: Files): ReadonlyMap<string, WorkspaceFile> {
  const links = files.filter(({ linkTo }) => linkTo !== undefined);
  const repeated = new Map<string, WorkspaceFile>();
  if (links.length === 0) return repeated;
  const known = new Map<string | undefined, WorkspaceFile>(files.map((file) => [file.uri, file]));
  for (const link of links) {
    const other = known.get(link.linkTo);
    if (other === undefined) known.set(link.linkTo, link);
    else repeated.set(link.uri, other);
  }
  return repeated;
}

/** The file that is judged instead of a link, if both have the same text; any other file itself. */
export function judgedFile(
  file: WorkspaceFile,
  { files, kustomized }: Pick<Environment, "files" | "kustomized">,
): WorkspaceFile {
  const other = kustomized.sources.has(file.uri) ? undefined : repeatedLinks(files).get(file.uri);
  return other?.manifest.text === file.manifest.text ? other : file;
}

/** Without the links that another file stands for. */
export function judgedFiles(environment: Pick<Environment, "files" | "kustomized">): Files {
  return environment.files.filter((file) => judgedFile(file, environment) === file);
}
