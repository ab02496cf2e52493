/** Whether a path is in a folder. */
import { sep } from "node:path";
import { pathToFileURL } from "node:url";
import { diskFileSystem } from "../language-server/workspace/files/disk-workspace.ts";
import { foundAt } from "../language-server/workspace/files/file-system.ts";

/** Below it by its name, wherever links on the way lead. */
export function isNamedBelow(path: string, folder: string): boolean {
  const prefix = folder.endsWith(sep) ? folder : `${folder}${sep}`;
  return path.startsWith(prefix) && path !== prefix;
}

/** In one of them, also where the path passes links. */
export async function isWithin(path: string, folders: readonly string[]): Promise<boolean> {
  const uriOf = (one: string): string => pathToFileURL(one).href;
  const found = await foundAt(uriOf(path), folders.map(uriOf), diskFileSystem);
  return found.skipped === undefined;
}
