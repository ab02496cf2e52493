/** Files that kustomizations name outside the given paths, such as an overlay's base, which `kubectl apply -k` reads too. */
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
 * URIs of named files that are not among the given ones. Named folders may be anywhere. Named files have to be in or below the
 * kustomization's folder, as for kustomize, or the working directory. Upstream: kustomize, loadrestrictions.go
 * RestrictionRootOnly.
 */
export async function namedByKustomizations(
  given: Iterable<string>,
  cwd: string,
): Promise<readonly string[]> {
  const known = new Set(given);
  const named: string[] = [];
  // The loop also visits URIs that are added meanwhile.
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

/** The path of a file, or of a folder's kustomization; undefined if there is none, or it is outside `within`. */
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
