/** Charts in other folders that charts depend on: `repository: file://../common`. */
import { stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { diskFileSystem } from "../language-server/workspace/files/disk-workspace.ts";
import { baseName } from "../language-server/workspace/files/uri.ts";
import { chartFileName } from "../language-server/workspace/helm/chart-folders.ts";
import { isWithin } from "./is-within.ts";

/** More than any real project has. */
const folderCountMax = 200;

/** The folders of those charts and of their own dependencies, as far as they are in the working directory. */
export async function localCharts(
  given: Iterable<string>,
  cwd: string,
): Promise<readonly string[]> {
  const folders = new Set<string>();
  const chartFiles = [...given].filter(listsDependencies);
  // The loop also visits files that are added meanwhile.
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
