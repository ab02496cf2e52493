/** A file system in memory, for the language server's tests. */
import {
  type FileSystem,
  isReadAt,
} from "../../src/language-server/workspace/files/file-system.ts";

export const memoryFolder = "file:///workspace";

export function memoryUri(name: string): string {
  return `${memoryFolder}/${name}`;
}

/** Files by their path below `memoryFolder`. */
export function memoryFileSystem(files: ReadonlyMap<string, string>): FileSystem {
  return fileSystemOf(new Map([...files].map(([name, text]) => [memoryUri(name), text])));
}

/** A file system on files by their URI; the map may change later. */
export function fileSystemOf(byUri: ReadonlyMap<string, string>): FileSystem {
  return {
    listFiles: (folder) =>
      Promise.resolve(
        [...byUri.keys()]
          .filter((uri) => uri.startsWith(`${folder}/`) && isReadAt(uri))
          .sort()
          .map((uri) => ({ uri })),
      ),
    readFile: (uri) => Promise.resolve(byUri.get(uri)),
    canonicalUri: (uri) => uri,
  };
}
