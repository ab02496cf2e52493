/** What kustomizations name outside the paths that were given: of an overlay its base, which `kubectl apply -k` reads as well. */
import { stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { diskFileSystem } from "../language-server/workspace/files/disk-workspace.ts";
import {
  isKustomization,
  kustomizationNames,
  pathsNamedBy,
  pathsNamedByGenerators,
} from "../language-server/workspace/kustomize.ts";
import { isWithin } from "./is-within.ts";

/**
 * URIs of files that are not among the given ones. Folders may be anywhere; a file is read where kustomize reads it, in or below
 * the folder of the kustomization, and where the command was started. Upstream: kustomize, loadrestrictions.go
 * RestrictionRootOnly.
 */
export async function namedByKustomizations(
  given: Iterable<string>,
  cwd: string,
): Promise<readonly string[]> {
  const known = new Set(given);
  const named: string[] = [];
  // Those that are added meanwhile are followed as well.
  for (const uri of known) {
    const text = isKustomization(uri) ? await diskFileSystem.readFile(uri) : undefined;
    if (text === undefined) continue;
    const folder = dirname(fileURLToPath(uri));
    const paths = [...pathsNamedBy(text)];
    for (const path of paths) {
      const file = await fileAt(resolve(folder, path), [folder, cwd]);
      const fileUri = file === undefined ? undefined : pathToFileURL(file).href;
      if (fileUri === undefined || known.has(fileUri)) continue;
      known.add(fileUri);
      named.push(fileUri);
      if (isKustomization(fileUri)) continue;
      const inside = await diskFileSystem.readFile(fileUri);
      if (inside !== undefined) paths.push(...pathsNamedByGenerators(inside));
    }
  }
  return named;
}

/** Of a folder its kustomization. */
async function fileAt(path: string, within: readonly string[]): Promise<string | undefined> {
  const info = await stat(path).catch(() => undefined);
  if (info?.isFile() === true) return (await isWithin(path, within)) ? path : undefined;
  if (info?.isDirectory() !== true) return undefined;
  for (const name of kustomizationNames) {
    const inside = join(path, name);
    if ((await stat(inside).catch(() => undefined))?.isFile() === true)
      return (await isWithin(inside, [path])) ? inside : undefined;
  }
  return undefined;
}
