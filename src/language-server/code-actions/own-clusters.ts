/**
 * For folders that define the same objects for several clusters: creates a claimcheck.yaml in each, so that they are separate
 * environments.
 */
import { listNames } from "../diagnostics/missing-reference.ts";
import type { Diagnostic } from "../diagnostics/rule.ts";
import { duplicateObject } from "../diagnostics/rules/duplicate-object.ts";
import { targetAt } from "../features/target.ts";
import { projectFileName } from "../project/project-file.ts";
import type { Environment } from "../workspace/environment.ts";
import { baseName, isBelow, parentUri, resolveUri } from "../workspace/files/uri.ts";
import { isKustomization, pathsNamedBy } from "../workspace/kustomize.ts";
import { type ActionContext, type CodeAction, offer } from "./code-action.ts";

const content = "# This folder describes a cluster of its own.\n";

/**
 * Nothing if the files do not lie in different folders below their common one, or if a kustomization uses a file outside of its
 * folder, which it could no longer find.
 */
export function ownClusters(
  { analysis: { environment }, file, findFile }: ActionContext,
  diagnostic: Diagnostic,
): readonly CodeAction[] {
  if (diagnostic.code !== duplicateObject.id) return [];
  const ref = targetAt(environment, file, diagnostic.start)?.entry.object.ref;
  const places = ref === undefined ? [] : (environment.byRef.get(ref) ?? []);
  const folders = partingFolders(places.map((place) => place.file.uri));
  if (new Set(folders).size < places.length) return [];
  if (folders.some((folder) => takesFromOutside(environment, folder))) return [];
  const missing = folders
    .map((folder) => `${folder}/${projectFileName}`)
    .filter((uri) => findFile(uri) === undefined);
  const names = folders.map(baseName);
  const title = `Treat ${listNames(names)} as separate clusters (adds a ${projectFileName} to each)`;
  const edits = missing.map((uri) => ({ uri, start: 0, end: 0, text: content }));
  return offer(title, edits, diagnostic).map((action) => ({ ...action, creates: missing }));
}

/** For each file, its topmost folder below the common one; empty if a file is directly in the common folder. */
function partingFolders(uris: readonly string[]): readonly string[] {
  const paths = uris.map((uri) => uri.split("/"));
  const [first = []] = paths;
  const common = first.findIndex((segment, at) => paths.some((path) => path[at] !== segment));
  if (common < 0 || paths.some((path) => path.length < common + 2)) return [];
  return paths.map((path) => path.slice(0, common + 1).join("/"));
}

function takesFromOutside({ files }: Environment, folder: string): boolean {
  return files.some(({ uri, manifest }) => {
    if (!isBelow(uri, folder) || !isKustomization(uri)) return false;
    return pathsNamedBy(manifest.text).some((path) => {
      const named = resolveUri(parentUri(uri), path);
      return !path.includes("://") && named !== folder && !isBelow(named, folder);
    });
  });
}
