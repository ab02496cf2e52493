/** Whether a path leads into one of the folders, also where it passes links. */
import { pathToFileURL } from "node:url";
import { diskFileSystem } from "../language-server/workspace/disk-workspace.ts";
import { foundAt } from "../language-server/workspace/file-system.ts";

export async function isWithin(path: string, folders: readonly string[]): Promise<boolean> {
  const uriOf = (one: string): string => pathToFileURL(one).href;
  const found = await foundAt(uriOf(path), folders.map(uriOf), diskFileSystem);
  return found.skipped === undefined;
}
