import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { diskFileSystem } from "../../../src/language-server/workspace/disk-workspace.ts";

suite("manifests on disk", () => {
  let folder = "";
  setup(() => {
    folder = mkdtempSync(join(tmpdir(), "claimcheck-"));
  });
  teardown(() => rmSync(folder, { recursive: true, force: true }));

  function write(name: string, text: string): void {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }

  async function listed(): Promise<readonly string[]> {
    const root = pathToFileURL(folder).href;
    return (await diskFileSystem.listFiles(root)).map(({ uri }) => uri.slice(root.length + 1));
  }

  test("YAML and JSON are listed in order, and nothing else", async () => {
    for (const name of [
      "b/two.yml",
      "a.yaml",
      "c.json",
      "package.json",
      "readme.md",
      "node_modules/x.yaml",
    ])
      write(name, "");
    assert.deepEqual(await listed(), ["a.yaml", "b/two.yml", "c.json"]);
  });

  test("what git ignores is left out, at every level", async () => {
    write(".gitignore", "build/\n*.local.yaml\n");
    write("sub/.gitignore", "!keep.local.yaml\nhere.yaml\n");
    for (const name of [
      "build/a.yaml",
      "x.local.yaml",
      "sub/here.yaml",
      "sub/keep.local.yaml",
      "here.yaml",
    ])
      write(name, "");
    assert.deepEqual(await listed(), ["here.yaml", "sub/keep.local.yaml"]);
  });

  test("rules with more wildcards than anybody needs are left out, for they keep the others waiting", async () => {
    const deep = `${"a/".repeat(60)}x.yaml`;
    const long = `${"a".repeat(200)}.yaml`;
    write(".gitignore", `${"**/a/".repeat(12)}b.yaml\n${"*a".repeat(20)}b\n**/b/**/*.json\n`);
    for (const name of [deep, long, "b/c/d.json"]) write(name, "");
    assert.deepEqual(await listed(), [deep, long]);
  });

  test("a link to a folder above it makes no loop", async () => {
    write("a/x.yaml", "");
    symlinkSync(folder, join(folder, "a", "up"));
    assert.deepEqual(await listed(), ["a/x.yaml"]);
  });

  test("a file that is gone reads as nothing, and so does a folder", async () => {
    assert.equal(
      await diskFileSystem.readFile(pathToFileURL(join(folder, "gone.yaml")).href),
      undefined,
    );
    assert.deepEqual(await diskFileSystem.listFiles(pathToFileURL(join(folder, "gone")).href), []);
  });

  test("two spellings of a file are one", () => {
    assert.equal(diskFileSystem.canonicalUri("file:///a%2Db/c%20d.yaml"), "file:///a-b/c%20d.yaml");
  });

  test("what PowerShell has written is read like any other file", async () => {
    const text = "kind: Pod # é😀\n";
    const little = Buffer.from(`\uFEFF${text}`, "utf16le");
    for (const [bytes, read] of [
      [Buffer.from(text), text],
      [Buffer.from(`\uFEFF${text}`), `\uFEFF${text}`],
      [little, text],
      [Buffer.from(little).swap16(), text],
      [Buffer.alloc(0), ""],
    ] as const) {
      const path = join(folder, "a.yaml");
      writeFileSync(path, bytes);
      assert.equal(await diskFileSystem.readFile(pathToFileURL(path).href), read);
    }
  });
});
