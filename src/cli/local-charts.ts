/** Charts in other folders that the given ones depend on: `repository: file://../common`. */
import { stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { diskFileSystem } from "../language-server/workspace/files/disk-workspace.ts";
import { baseName } from "../language-server/workspace/files/uri.ts";
import { chartFileName } from "../language-server/workspace/helm/chart-folders.ts";
import { isWithin } from "./is-within.ts";

/** So many folders nobody has. */
const folderCountMax = 200;

/** Their folders, as far as they are where the command was started, and those of what they depend on. */
export async function localCharts(
  given: Iterable<string>,
  cwd: string,
): Promise<readonly string[]> {
  const folders = new Set<string>();
  const chartFiles = [...given].filter(listsDependencies);
  // Those that are added meanwhile are followed as well.
  for (const uri of chartFiles)
    for (const folder of await localFolders(uri)) {
      if (folders.has(folder) || folders.size >= folderCountMax) continue;
      if (!(await isChart(folder)) || !(await isWithin(folder, [cwd]))) continue;
      folders.add(folder);
      for (const name of chartFileNames) chartFiles.push(pathToFileURL(join(folder, name)).href);
    }
  return [...folders];
}

const chartFileNames = [chartFileName, "requirements.yaml"];

function listsDependencies(uri: string): boolean {
  return chartFileNames.includes(baseName(uri));
}

async function localFolders(uri: string): Promise<readonly string[]> {
  const text = (await diskFileSystem.readFile(uri)) ?? "";
  const named = text.matchAll(/\brepository["']?:[ \t]*["']?file:\/\/([^\s"',}]+)/g);
  return [...named].map(([, path = ""]) => resolve(dirname(fileURLToPath(uri)), path));
}

async function isChart(folder: string): Promise<boolean> {
  return (await stat(join(folder, chartFileName)).catch(() => undefined))?.isFile() === true;
}
