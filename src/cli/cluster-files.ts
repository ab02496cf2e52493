/** The files of `--cluster`, with the objects of a running cluster, added to the paths that were given. */
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { diskFileSystem } from "../language-server/workspace/files/disk-workspace.ts";
import type { FileSystem } from "../language-server/workspace/files/file-system.ts";
import { inputName, type LoadedPaths } from "./load-paths.ts";
import { readNamedFile } from "./named-file.ts";
import type { Terminal } from "./terminal.ts";

export interface ClusterFiles extends LoadedPaths {
  /** URIs of the files with the cluster's objects. */
  readonly imports: readonly string[];
}

export type ClusterFilesResult =
  | { readonly ok: true; readonly files: ClusterFiles }
  | { readonly ok: false; readonly message: string };

export async function clusterFiles(
  given: readonly string[],
  loaded: LoadedPaths,
  terminal: Terminal,
): Promise<ClusterFilesResult> {
  const { fileSystem } = loaded;
  const inputUri = `${loaded.folder}/(standard input)`;
  const imports: string[] = [];
  const named = new Set<string>();
  let input: string | undefined;
  for (const file of given) {
    if (file === inputName) {
      input = await terminal.readInput();
      imports.push(inputUri);
      continue;
    }
    const path = resolve(terminal.cwd, file);
    const info = await stat(path).catch(() => undefined);
    if (info === undefined) return { ok: false, message: `no such file or folder: ${file}` };
    const uri = pathToFileURL(path).href;
    // A dump may be a folder with a file for each kind or object.
    const found = info.isDirectory() ? await diskFileSystem.listFiles(uri) : [{ uri }];
    if (!info.isDirectory()) named.add(uri);
    if (found.length === 0) return { ok: false, message: `no YAML or JSON files in ${file}` };
    for (const one of found) imports.push(one.uri);
  }
  const withNamed: FileSystem = {
    ...fileSystem,
    readFile: (uri) => {
      if (uri === inputUri && input !== undefined) return Promise.resolve(input);
      return named.has(uri) ? readNamedFile(uri) : fileSystem.readFile(uri);
    },
  };
  return { ok: true, files: { ...loaded, fileSystem: withNamed, imports } };
}
