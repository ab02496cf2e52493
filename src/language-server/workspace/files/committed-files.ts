/**
 * Reads texts of the last commit from git's object store. Only uses commands that run no hooks, filters or monitors from the
 * repository's configuration, because the user may not trust the folder.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { lstat, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { isManifestName } from "./file-system.ts";

/** Nobody reviews more changed files than this at once; the others are assumed to be as on disk. */
const changedCountMax = 200;
const outputSizeMax = 64 * 1024 * 1024;
const timeoutMs = 10_000;

/** Every manifest of the last commit below a folder, by URI; the text is undefined if the file on disk is the same. */
export async function committedFiles(
  path: string,
): Promise<ReadonlyMap<string, string | undefined>> {
  const found = new Map<string, string | undefined>();
  let changedCount = 0;
  for (const { name, id } of await listBlobs(path)) {
    const isSame = changedCount >= changedCountMax || (await isBlob(join(path, name), id));
    if (!isSame) changedCount++;
    const text = isSame ? undefined : await git(path, ["cat-file", "blob", id]);
    if (isSame || text !== undefined) found.set(pathToFileURL(join(path, name)).href, text);
  }
  return found;
}

/** Lists files but not links, of which git only stores the target. */
async function listBlobs(
  folder: string,
): Promise<readonly { readonly name: string; readonly id: string }[]> {
  const output = await git(folder, ["ls-tree", "-r", "-z", "HEAD", "."]);
  return (output ?? "").split("\0").flatMap((line) => {
    const [, id, name] = /^100\d+ blob ([0-9a-f]+)\t(.+)$/s.exec(line) ?? [];
    return id !== undefined && name !== undefined && isManifestName(name) ? [{ name, id }] : [];
  });
}

/** True if git holds the file's content under that id, before or after converting line ends (core.autocrlf). */
async function isBlob(path: string, id: string): Promise<boolean> {
  try {
    if (!(await lstat(path)).isFile()) return false;
    const content = await readFile(path);
    return (
      blobId(content, id) === id ||
      (content.includes("\r\n") && blobId(withLineFeeds(content), id) === id)
    );
  } catch {
    return false; // Deleted since, or unreadable.
  }
}

/** Works on bytes, because the content need not be UTF-8. */
function withLineFeeds(content: Buffer): Buffer {
  return Buffer.from(content.toString("latin1").replaceAll("\r\n", "\n"), "latin1");
}

/** Git's hash of the content, with the same algorithm as `like`. */
function blobId(content: Buffer, like: string): string {
  const hash = createHash(like.length === 64 ? "sha256" : "sha1");
  return hash.update(`blob ${content.length}\0`).update(content).digest("hex");
}

/**
 * Undefined if git is not installed, or the folder has no repository or commit, or the object is missing. Git might fetch a
 * missing object with any program that the configuration names; before 2.44 only a ban on all protocols prevents that.
 */
function git(folder: string, args: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = {
      // On Windows the program is searched in the working directory first, which must not be the folder.
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
