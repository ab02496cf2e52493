/** Manifests on disk. Respects .gitignore at every level, does not follow links to folders, and limits what it reads. */
import { readFile as readFileWithCallback, stat as statWithCallback } from "node:fs";
import { lstat, readdir, readlink, realpath } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import ignore, { type Ignore } from "ignore";
import { projectFileName, projectIsFolder } from "../../project/project-file.ts";
import { chartFileName } from "../helm/chart-folders.ts";
import { committedFiles } from "./committed-files.ts";
import {
  type FileSystem,
  type FoundFile,
  fileCountMax,
  fileSizeMax,
  foundAt,
  isManifestName,
  textAt,
  tooLarge,
} from "./file-system.ts";

// For a thousand small files these take a third of the time of node:fs/promises, which opens a handle for each.
const readFile = promisify(readFileWithCallback);
const stat = promisify(statWithCallback);

/** Never searched: they contain thousands of other people's files. */
const foreignFolders: ReadonlySet<string> = new Set([
  ".git",
  ".hg",
  ".svn",
  "node_modules",
  ".terraform",
  ".vscode-test",
]);

/** The ignore rules of a folder; their patterns are relative to it. */
interface IgnoreRules {
  readonly folder: string;
  readonly rules: Ignore;
}

export const diskFileSystem: FileSystem = Object.freeze({
  async listFiles(
    folder: string,
    within: readonly string[] = [folder],
  ): Promise<readonly FoundFile[]> {
    const root = diskPath(folder);
    if (root === undefined) return [];
    const paths: string[] = [];
    await walk(root, [], paths, new Set());
    const isCutOff = paths.length > fileCountMax;
    const found: FoundFile[] = [];
    for (let at = 0; at < Math.min(paths.length, fileCountMax); at += describedTogether) {
      const next = paths.slice(at, Math.min(at + describedTogether, fileCountMax));
      for (const file of await Promise.all(next.map((path) => describeFile(path, within))))
        if (file !== undefined) found.push(file);
    }
    if (isCutOff) noteEnd(found);
    return found.sort((a, b) => (a.uri < b.uri ? -1 : a.uri > b.uri ? 1 : 0));
  },

  async readFile(uri: string): Promise<string | undefined> {
    try {
      const path = fileURLToPath(uri);
      return (await stat(path)).isFile() ? await textAt(uri, await readFile(path)) : undefined;
    } catch {
      return undefined; // Deleted since it was listed, or unreadable.
    }
  },

  linkTarget,

  async committedFiles(folder: string): Promise<ReadonlyMap<string, string | undefined>> {
    const path = diskPath(folder);
    return path === undefined ? new Map() : await committedFiles(path);
  },

  canonicalUri(uri: string): string {
    const path = diskPath(uri);
    if (path === undefined) return uri;
    const isOfDrive = /^[a-z]:/.test(path);
    return pathToFileURL(isOfDrive ? path.charAt(0).toUpperCase() + path.slice(1) : path).href;
  },
});

/** Undefined for a URI that is not on this machine's disk: in a virtual folder or on another machine. */
function diskPath(uri: string): string | undefined {
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}

const describedTogether = 64;

/** Collects paths of manifests, by folder and name, up to one more than the limit. */
async function walk(
  folder: string,
  outer: readonly IgnoreRules[],
  found: string[],
  visited: Set<string>,
): Promise<void> {
  const entries = await readFolder(folder, visited);
  const rules = await withRulesOf(folder, outer);
  if (entries.some(({ name }) => name === chartFileName))
    found.push(...(await packedCharts(folder)));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (found.length > fileCountMax) return;
    if (entry.isDirectory()) {
      if (entry.name === projectFileName) found.push(path);
      if (!foreignFolders.has(entry.name) && !isIgnored(`${path}${sep}`, rules))
        await walk(path, rules, found, visited);
    } else if (isManifestName(entry.name) && !isIgnored(path, rules)) found.push(path);
  }
}

/** Packed charts in a chart's folder, unless `charts` is a link. Ignore rules do not apply. */
async function packedCharts(folder: string): Promise<readonly string[]> {
  const charts = join(folder, "charts");
  try {
    if (!(await lstat(charts)).isDirectory()) return [];
    const names = (await readdir(charts)).filter((name) => name.endsWith(".tgz")).sort();
    return names.slice(0, packedCountMax).map((name) => join(charts, name));
  } catch {
    return [];
  }
}

/** Limit for one chart, more than anybody has. */
const packedCountMax = 200;

/** Replaces the last file by a note that further ones are not read. */
function noteEnd(found: FoundFile[]): void {
  const last = found.at(-1);
  if (last === undefined) return;
  const skipped = `Only ${fileCountMax} manifests of a folder are read; this one and those behind it are not`;
  found[found.length - 1] = { uri: last.uri, skipped };
}

/** Entries by name; empty for a folder that cannot be read or was visited under another name. */
async function readFolder(folder: string, visited: Set<string>) {
  try {
    const real = await realpath(folder);
    if (visited.has(real)) return [];
    visited.add(real);
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

/** As in git, a .gitignore that is a link is ignored. */
async function withRulesOf(
  folder: string,
  outer: readonly IgnoreRules[],
): Promise<readonly IgnoreRules[]> {
  const path = join(folder, ".gitignore");
  try {
    if (!(await lstat(path)).isFile()) return outer;
    return [...outer, { folder, rules: ignore().add(quickLines(await readFile(path, "utf8"))) }];
  } catch {
    return outer;
  }
}

/**
 * Drops patterns with so many wildcards that matching would take forever: each one multiplies the ways to match a long path.
 */
function quickLines(text: string): readonly string[] {
  return text
    .split("\n")
    .filter(
      (line) =>
        line.split("**").length <= 5 &&
        line.split("/").every((name) => name.split("*").length <= 4),
    );
}

function isIgnored(path: string, rules: readonly IgnoreRules[]): boolean {
  let ignored = false;
  for (const { folder, rules: own } of rules) {
    const name = relative(folder, path).split(sep).join("/") + (path.endsWith(sep) ? "/" : "");
    const answer = own.test(name);
    // The innermost file decides, and may re-include what an outer one ignores.
    ignored = answer.ignored || (ignored && !answer.unignored);
  }
  return ignored;
}

async function describeFile(
  path: string,
  within: readonly string[],
): Promise<FoundFile | undefined> {
  const uri = pathToFileURL(path).href;
  try {
    const own = await lstat(path);
    const isLink = own.isSymbolicLink();
    const info = isLink ? await stat(path) : own;
    if (info.isDirectory() && basename(path) === projectFileName)
      return { uri, skipped: projectIsFolder };
    if (!info.isFile()) return undefined;
    const found = isLink ? await foundAt(uri, within, { linkTarget }) : { uri };
    if (found.skipped !== undefined || info.size <= fileSizeMax) return found;
    return { uri, skipped: tooLarge };
  } catch {
    return undefined;
  }
}

/** Undefined outside of the folders: an untrusted folder must not have files elsewhere read or written. */
async function linkTarget(uri: string, folders: readonly string[]): Promise<string | undefined> {
  try {
    const path = await targetOf(fileURLToPath(uri), linkCountMax);
    for (const folder of folders.flatMap((one) => diskPath(one) ?? [])) {
      const root = await realpath(folder);
      if (path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`))
        return pathToFileURL(join(folder, relative(root, path))).href;
    }
    return undefined;
  } catch {
    return uri; // Its folder is gone, or the links form a circle: nothing can be read or written there.
  }
}

/** Linux also treats a longer chain as a circle. */
const linkCountMax = 40;

/** Also resolves a file that does not exist yet: writing to a link creates its target. */
async function targetOf(path: string, linksLeft: number): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (linksLeft === 0) throw error;
    const name = await readlink(path).catch(() => undefined);
    return name === undefined
      ? join(await realpath(dirname(path)), basename(path))
      : await targetOf(resolve(dirname(path), name), linksLeft - 1);
  }
}
