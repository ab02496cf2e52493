/** From the paths on the command line to a workspace: all files that were asked for, below one folder. */
import { lstat, readdir, stat } from "node:fs/promises";
import { dirname, resolve, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import picomatch from "picomatch";
import {
  projectFileName,
  projectIsFolder,
  readProjectFile,
} from "../language-server/project/project-file.ts";
import { diskFileSystem } from "../language-server/workspace/files/disk-workspace.ts";
import {
  type FileSystem,
  type FoundFile,
  foundAt,
} from "../language-server/workspace/files/file-system.ts";
import { isPackedChart } from "../language-server/workspace/helm/chart-folders.ts";
import { chartsAround, installedCharts } from "./chart-files.ts";
import { isNamedBelow, isWithin } from "./is-within.ts";
import { namedByKustomizations } from "./kustomized-files.ts";
import { localCharts } from "./local-charts.ts";
import { readNamedFile } from "./named-file.ts";
import type { Terminal } from "./terminal.ts";

export interface LoadedPaths {
  readonly folder: string;
  readonly fileSystem: FileSystem;
  /** URIs of files that were asked for and could not be read; filled as files are read. */
  readonly unreadable: ReadonlySet<string>;
  /** URIs of files that were not asked for, but that charts need. */
  readonly needed: ReadonlySet<string>;
}

export type LoadResult =
  | { readonly ok: true; readonly loaded: LoadedPaths }
  | { readonly ok: false; readonly message: string };

export const inputName = "-";

export async function loadPaths(paths: readonly string[], terminal: Terminal): Promise<LoadResult> {
  const files = new Map<string, FoundFile>();
  const named = new Set<string>();
  const folders: string[] = [];
  // With --cluster alone there are no paths: an empty input makes an environment all the same.
  let input = paths.length === 0 ? "" : undefined;
  for (const path of paths) {
    if (path === inputName) {
      input = await terminal.readInput();
      continue;
    }
    const found = await filesOf(path, terminal.cwd);
    if (!found.ok) return found;
    for (const file of found.files) files.set(file.uri, file);
    if (found.isNamed) for (const { uri } of found.files) named.add(uri);
    folders.push(...found.folders);
  }
  folders.push(...(await addNeeded(files, terminal.cwd)));
  if (input !== undefined && folders.length === 0) folders.push(terminal.cwd);
  const taken = await takenIn(commonFolder(folders), terminal.cwd);
  for (const file of taken.files) files.set(file.uri, file);
  folders.push(...taken.folders);
  const needed = await addLocalCharts(files, folders, terminal.cwd);
  const common = commonFolder(folders);
  const folder = (await folderWithProject(common, terminal.cwd)) ?? common;
  for (const file of await projectFiles(folder, [...files.keys()]))
    if (!files.has(file.uri)) files.set(file.uri, file);
  const folderUri = pathToFileURL(folder).href.replace(/\/$/, "");
  const inputUri = `${folderUri}/${inputName}`;
  if (input !== undefined) files.set(inputUri, { uri: inputUri });
  const listed = [...files.values()].sort((a, b) => (a.uri < b.uri ? -1 : 1));
  const unreadable = new Set<string>();
  const fileSystem: FileSystem = {
    listFiles: (below) =>
      below === folderUri ? Promise.resolve(listed) : diskFileSystem.listFiles(below),
    readFile: async (uri) => {
      if (uri === inputUri) return input;
      const text = await (named.has(uri) && !isPackedChart(uri)
        ? readNamedFile(uri)
        : diskFileSystem.readFile(uri));
      if (text === undefined && files.has(uri)) unreadable.add(uri);
      return text;
    },
    canonicalUri: diskFileSystem.canonicalUri,
    ...(diskFileSystem.linkTarget !== undefined && { linkTarget: diskFileSystem.linkTarget }),
    ...(diskFileSystem.committedFiles !== undefined && {
      committedFiles: diskFileSystem.committedFiles,
    }),
  };
  return { ok: true, loaded: { folder: folderUri, fileSystem, unreadable, needed } };
}

/** Adds the files that kustomizations name and that charts consist of; returns their folders. */
async function addNeeded(files: Map<string, FoundFile>, cwd: string): Promise<readonly string[]> {
  const folders: string[] = [];
  for (const uri of await namedByKustomizations(files.keys(), cwd)) {
    files.set(uri, { uri });
    folders.push(dirname(fileURLToPath(uri)));
  }
  for (const uri of await installedCharts(await projectsAround(files.keys(), cwd), cwd)) {
    if (!files.has(uri)) files.set(uri, { uri });
    folders.push(dirname(fileURLToPath(uri)));
  }
  for (const folder of await chartsAround(files.keys(), cwd)) {
    for (const file of await listFiles(folder, cwd))
      if (!files.has(file.uri)) files.set(file.uri, file);
    folders.push(folder);
  }
  return folders;
}

/** Adds charts in other folders that the charts depend on, and their folders; returns the URIs of files added. */
async function addLocalCharts(
  files: Map<string, FoundFile>,
  folders: string[],
  cwd: string,
): Promise<ReadonlySet<string>> {
  const needed = new Set<string>();
  for (const folder of await localCharts(files.keys(), cwd)) {
    for (const file of await listFiles(folder, cwd)) {
      if (files.has(file.uri)) continue;
      files.set(file.uri, file);
      needed.add(file.uri);
    }
    folders.push(folder);
  }
  return needed;
}

interface FoundPath {
  readonly ok: true;
  readonly files: readonly FoundFile[];
  /** Folders that contain the files: the file's own folder, or the one that was named. */
  readonly folders: readonly string[];
  /** True if the path named a file, not a folder or pattern. */
  readonly isNamed: boolean;
}

type PathResult = FoundPath | { readonly ok: false; readonly message: string };

/** A named file is read whatever its name, even if it is ignored otherwise. */
async function filesOf(path: string, cwd: string): Promise<PathResult> {
  const absolute = resolve(cwd, path);
  const info = await stat(absolute).catch(() => undefined);
  if (info?.isDirectory() === true) {
    if ((await readdir(absolute).catch(() => undefined)) === undefined)
      return { ok: false, message: `cannot read ${path}` };
    const files = await listFiles(absolute, cwd);
    return { ok: true, files, folders: [absolute], isNamed: false };
  }
  if (info !== undefined) {
    const files = [await fileAt(absolute, cwd)];
    return { ok: true, files, folders: [dirname(absolute)], isNamed: true };
  }
  const { base, glob } = picomatch.scan(path.split(sep).join("/"));
  const matching = glob === "" ? undefined : await filesMatching(glob, resolve(cwd, base), cwd);
  return matching ?? { ok: false, message: await absence(path, absolute, glob) };
}

async function absence(path: string, absolute: string, glob: string): Promise<string> {
  if (glob !== "") return `no manifest matches ${path}`;
  const link = await lstat(absolute).catch(() => undefined);
  return link === undefined
    ? `no such file or folder: ${path}`
    : `${path} is a link to a file that is not there`;
}

/** The files of the folder that match the pattern; undefined if none does. */
async function filesMatching(
  glob: string,
  folder: string,
  cwd: string,
): Promise<FoundPath | undefined> {
  const folderUri = pathToFileURL(folder).href;
  const matches = picomatch(glob, { dot: true });
  const files = (await listFiles(folder, cwd)).filter(({ uri }) =>
    matches(decodeURIComponent(uri.slice(folderUri.length + 1))),
  );
  return files.length === 0 ? undefined : { ok: true, files, folders: [folder], isNamed: false };
}

/** Links may lead into the folder, or anywhere in the working directory if the folder is below it. */
function listFiles(folder: string, cwd: string): Promise<readonly FoundFile[]> {
  const within = [folder, ...(isNamedBelow(folder, cwd) ? [cwd] : [])];
  const uriOf = (path: string): string => pathToFileURL(path).href;
  return diskFileSystem.listFiles(uriOf(folder), within.map(uriOf));
}

/** A named link is followed wherever it leads. */
async function fileAt(path: string, cwd: string): Promise<FoundFile> {
  const uri = pathToFileURL(path).href;
  const folders = [dirname(path), cwd].map((one) => pathToFileURL(one).href);
  const { linkTo } = await foundAt(uri, folders, diskFileSystem);
  return { uri, ...(linkTo !== undefined && { linkTo }) };
}

function commonFolder(folders: readonly string[]): string {
  const [first = sep, ...others] = folders;
  let parts = first.split(sep);
  for (const other of others) {
    const otherParts = other.split(sep);
    const differ = parts.findIndex((part, i) => part !== otherParts[i]);
    if (differ >= 0) parts = parts.slice(0, differ);
  }
  return parts.length <= 1 ? `${parts[0] ?? ""}${sep}` : parts.join(sep);
}

/** The nearest folder with a project file, from `folder` up to the working directory; undefined if there is none. */
async function folderWithProject(folder: string, cwd: string): Promise<string | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    if ((await projectFileIn(at)) !== undefined) return at;
    if (!isNamedBelow(at, cwd)) return undefined;
  }
}

async function projectsAround(uris: Iterable<string>, cwd: string): Promise<ReadonlySet<string>> {
  const folders = new Set([...uris].map((uri) => dirname(fileURLToPath(uri))));
  const found = new Set<string>();
  for (const folder of folders) {
    const project = await folderWithProject(folder, cwd);
    if (project !== undefined) found.add(project);
  }
  return found;
}

/** The other folders that the project file adds to its cluster, with their files, if they are in the working directory. */
async function takenIn(paths: string, cwd: string): Promise<Pick<FoundPath, "files" | "folders">> {
  const own = await folderWithProject(paths, cwd);
  if (own === undefined) return { files: [], folders: [] };
  const text = await diskFileSystem.readFile(pathToFileURL(resolve(own, projectFileName)).href);
  const folders: string[] = [];
  for (const { folder } of readProjectFile(text ?? "").folders) {
    const path = resolve(own, folder);
    if (isNamedBelow(path, cwd) && (await isWithin(path, [cwd]))) folders.push(path);
  }
  const found = folders.map((path) => listFiles(path, cwd));
  return { files: (await Promise.all(found)).flat(), folders };
}

/** The project files in the folders of the files and in those above them, up to `folder`. */
async function projectFiles(
  folder: string,
  uris: readonly string[],
): Promise<readonly FoundFile[]> {
  const folders = new Set([folder]);
  for (const uri of uris) {
    for (let at = dirname(fileURLToPath(uri)); at.length > folder.length; at = dirname(at))
      folders.add(at);
  }
  const found: FoundFile[] = [];
  for (const candidate of folders) {
    const file = await projectFileIn(candidate);
    if (file !== undefined) found.push(file);
  }
  return found;
}

async function projectFileIn(folder: string): Promise<FoundFile | undefined> {
  const path = resolve(folder, projectFileName);
  const uri = pathToFileURL(path).href;
  const info = await stat(path).catch(() => undefined);
  if (info?.isDirectory() === true) return { uri, skipped: projectIsFolder };
  return info?.isFile() === true ? { uri } : undefined;
}
