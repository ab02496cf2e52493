import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { readPackedText } from "../../../../src/language-server/helm/archive/packed-chart.ts";
import { diskFileSystem } from "../../../../src/language-server/workspace/files/disk-workspace.ts";
import { linkOutside } from "../../../../src/language-server/workspace/files/file-system.ts";
import { packed } from "../../../support/packed-chart.ts";

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

  test("only YAML and JSON files are listed, in order", async () => {
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

  test("files that git ignores are left out at every level", async () => {
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

  test("packed charts are only listed in the `charts` folder of a chart, even if ignored", async () => {
    write(".gitignore", "charts/\n*.tgz\n");
    for (const name of ["Chart.yaml", "charts/db-1.0.0.tgz", "charts/db/values.yaml"])
      write(name, "");
    for (const name of ["other/charts/db-1.0.0.tgz", "db-1.0.0.tgz"]) write(name, "");
    assert.deepEqual(await listed(), ["Chart.yaml", "charts/db-1.0.0.tgz"]);
  });

  test("no packed chart outside the folder is listed through a link", async () => {
    const outside = mkdtempSync(join(tmpdir(), "claimcheck-outside-"));
    try {
      writeFileSync(join(outside, "db-1.0.0.tgz"), "");
      for (const name of ["a/Chart.yaml", "b/Chart.yaml", "b/charts/own.yaml"]) write(name, "");
      symlinkSync(outside, join(folder, "a/charts"));
      symlinkSync(join(outside, "db-1.0.0.tgz"), join(folder, "b/charts/db-1.0.0.tgz"));
      const found = await diskFileSystem.listFiles(pathToFileURL(folder).href);
      assert.deepEqual(
        found
          .filter(({ uri }) => uri.endsWith(".tgz"))
          .map(({ uri, skipped }) => [uri.slice(-21), skipped]),
        [["b/charts/db-1.0.0.tgz", linkOutside]],
      );
    } finally {
      rmSync(outside, { recursive: true });
    }
  });

  test("a packed chart is read as its contents", async () => {
    mkdirSync(join(folder, "charts"));
    const path = join(folder, "charts/db-1.0.0.tgz");
    writeFileSync(path, packed({ "db/Chart.yaml": "name: db\n" }));
    const text = await diskFileSystem.readFile(pathToFileURL(path).href);
    assert.deepEqual(readPackedText(text ?? ""), [["Chart.yaml", "name: db\n"]]);
  });

  test("ignore rules with too many wildcards are dropped, because matching them takes too long", async () => {
    const deep = `${"a/".repeat(60)}x.yaml`;
    const long = `${"a".repeat(200)}.yaml`;
    write(".gitignore", `${"**/a/".repeat(12)}b.yaml\n${"*a".repeat(20)}b\n**/b/**/*.json\n`);
    for (const name of [deep, long, "b/c/d.json"]) write(name, "");
    assert.deepEqual(await listed(), [deep, long]);
  });

  test("a link to a folder above does not cause a loop", async () => {
    write("a/x.yaml", "");
    symlinkSync(folder, join(folder, "a", "up"));
    assert.deepEqual(await listed(), ["a/x.yaml"]);
  });

  test("a missing file and a folder cannot be read", async () => {
    assert.equal(
      await diskFileSystem.readFile(pathToFileURL(join(folder, "gone.yaml")).href),
      undefined,
    );
    assert.deepEqual(await diskFileSystem.listFiles(pathToFileURL(join(folder, "gone")).href), []);
  });

  test("two spellings of a path name the same file", () => {
    assert.equal(diskFileSystem.canonicalUri("file:///a%2Db/c%20d.yaml"), "file:///a-b/c%20d.yaml");
  });

  test("a file that PowerShell has written is read like any other", async () => {
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
