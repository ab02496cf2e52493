/** Whether a path is in a folder. */
import { sep } from "node:path";
import { pathToFileURL } from "node:url";
import { diskFileSystem } from "../language-server/workspace/files/disk-workspace.ts";
import { foundAt } from "../language-server/workspace/files/file-system.ts";

/** True if the path is below the folder by its name, wherever links on the way lead. */
export function isNamedBelow(path: string, folder: string): boolean {
  const prefix = folder.endsWith(sep) ? folder : `${folder}${sep}`;
  return path.startsWith(prefix) && path !== prefix;
}

/** True if the path is in one of the folders after following all links. */
export async function isWithin(path: string, folders: readonly string[]): Promise<boolean> {
  const uriOf = (one: string): string => pathToFileURL(one).href;
  const found = await foundAt(uriOf(path), folders.map(uriOf), diskFileSystem);
  return found.skipped === undefined;
}
