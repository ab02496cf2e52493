import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { committedFiles } from "../../../../src/language-server/workspace/files/committed-files.ts";

suite("files of the last commit", () => {
  let root = "";
  const git = (...args: readonly string[]): void => {
    execFileSync("git", ["-C", root, "-c", "user.name=a", "-c", "user.email=a@b.c", ...args]);
  };

  setup(() => {
    root = mkdtempSync(join(tmpdir(), "claimcheck-committed-"));
  });
  teardown(() => rmSync(root, { recursive: true, force: true }));

  test("changed files have their committed text, unchanged ones none, and new files are left out", async () => {
    git("init", "-q");
    mkdirSync(join(root, "sub"));
    const write = (name: string, text: string): void => writeFileSync(join(root, name), text);
    write("outside.yaml", "a: 1\n");
    write("sub/same.yaml", "a: 1\n");
    write("sub/änderung.yaml", "a: 1\n");
    write("sub/readme.md", "text\n");
    git("add", ".");
    git("commit", "-q", "-m", "first");
    write("sub/änderung.yaml", "a: 2\n");
    write("sub/new.yaml", "a: 1\n");
    const folder = join(root, "sub");
    const found = await committedFiles(folder);
    const uri = (name: string): string => pathToFileURL(join(folder, name)).href;
    assert.deepEqual(
      [...found].sort(([a], [b]) => (a < b ? -1 : 1)),
      [
        [uri("änderung.yaml"), "a: 1\n"],
        [uri("same.yaml"), undefined],
      ].sort(([a = ""], [b = ""]) => (a < b ? -1 : 1)),
    );
  });

  test("a missing object is not fetched by a program from the repository's configuration", async () => {
    git("init", "-q");
    writeFileSync(join(root, "a.yaml"), "a: 1\n");
    git("add", ".");
    git("commit", "-q", "-m", "first");
    rmSync(join(root, ".git/objects/a8/926a52d8dcba5c4386945476ab6a2ad008afd4"));
    writeFileSync(join(root, "a.yaml"), "a: 2\n");
    const mark = join(root, "mark");
    git("config", "core.repositoryformatversion", "1");
    git("config", "extensions.partialClone", "origin");
    git("config", "remote.origin.url", root);
    git("config", "remote.origin.uploadpack", `touch '${mark}';`);
    assert.deepEqual([...(await committedFiles(root))], []);
    assert.equal(existsSync(mark), false);
  });

  test("a file that git checked out with other line ends is unchanged", async () => {
    git("init", "-q");
    writeFileSync(join(root, "a.yaml"), "a: 1\nb: ä\n");
    writeFileSync(join(root, "b.yaml"), "a: 1\n");
    git("add", ".");
    git("commit", "-q", "-m", "first");
    git("config", "core.autocrlf", "true");
    writeFileSync(join(root, "a.yaml"), "a: 1\r\nb: ä\r\n");
    writeFileSync(join(root, "b.yaml"), "a: 2\r\n");
    const found = await committedFiles(root);
    const textOf = (name: string): string | undefined =>
      found.get(pathToFileURL(join(root, name)).href);
    assert.equal(found.size, 2);
    assert.equal(textOf("a.yaml"), undefined);
    assert.equal(textOf("b.yaml"), "a: 1\n");
  });

  test("a folder without commits has no committed files", async () => {
    assert.deepEqual([...(await committedFiles(root))], []);
  });
});
