/**
 * The texts of the last commit, read from git's object store. Only commands that run no hooks, filters or monitors of the
 * repository's own configuration are used: the folder may be one that the user does not trust.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { lstat, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { isManifestName } from "./file-system.ts";

/** Nobody reviews more changed files than this at once; the others are taken to be as they are on disk. */
const changedCountMax = 200;
const outputSizeMax = 64 * 1024 * 1024;
const timeoutMs = 10_000;

/** Every manifest of the last commit below a folder by its URI; the text is undefined where the disk holds the same. */
export async function committedFiles(
  path: string,
): Promise<ReadonlyMap<string, string | undefined>> {
  const found = new Map<string, string | undefined>();
  let changedCount = 0;
  for (const { name, id } of await listBlobs(path)) {
    const isSame = changedCount >= changedCountMax || (await blobId(join(path, name), id)) === id;
    if (!isSame) changedCount++;
    const text = isSame ? undefined : await git(path, ["cat-file", "blob", id]);
    if (isSame || text !== undefined) found.set(pathToFileURL(join(path, name)).href, text);
  }
  return found;
}

/** Files, and not links, of which git holds where they lead. */
async function listBlobs(
  folder: string,
): Promise<readonly { readonly name: string; readonly id: string }[]> {
  const output = await git(folder, ["ls-tree", "-r", "-z", "HEAD", "."]);
  return (output ?? "").split("\0").flatMap((line) => {
    const [, id, name] = /^100\d+ blob ([0-9a-f]+)\t(.+)$/s.exec(line) ?? [];
    return id !== undefined && name !== undefined && isManifestName(name) ? [{ name, id }] : [];
  });
}

/** As git names the file's present content; the algorithm is that of `like`. */
async function blobId(path: string, like: string): Promise<string | undefined> {
  try {
    if (!(await lstat(path)).isFile()) return undefined;
    const content = await readFile(path);
    const hash = createHash(like.length === 64 ? "sha256" : "sha1");
    return hash.update(`blob ${content.length}\0`).update(content).digest("hex");
  } catch {
    return undefined; // Deleted since, or unreadable.
  }
}

/**
 * Undefined where git is not installed, the folder is in no repository, has no commit, or lacks the object. Git would fetch
 * that by whatever program the repository's configuration names; versions before 2.44 can only be refused all protocols.
 */
function git(folder: string, args: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = {
      // Windows looks for the program in the working directory first, which may be the folder.
      cwd: dirname(process.execPath),
      env: { ...process.env, GIT_ALLOW_PROTOCOL: "none", GIT_NO_LAZY_FETCH: "1" },
      maxBuffer: outputSizeMax,
      timeout: timeoutMs,
      windowsHide: true,
    };
    execFile("git", ["-C", folder, "--no-replace-objects", ...args], options, (error, stdout) =>
      resolve(error === null ? stdout : undefined),
    );
  });
}
