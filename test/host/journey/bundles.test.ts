import { strict as assert } from "node:assert";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const dist: string = join(import.meta.dirname, "..", "..", "..", "dist");

/** Largest size of each compressed bundle, which is what a download costs. Raise one only with a reason. */
const budgetsKb: Readonly<Record<string, number>> = {
  "cli.js": 1326,
  "extension.js": 140,
  "extension.web.js": 125,
  "server.js": 1236,
  "server.worker.js": 1224,
  "webview/engine-worker.js": 569,
  "webview/main.js": 48,
};

suite("bundles", () => {
  test("there is a bundle for each program, and no other script", () => {
    const scripts = readdirSync(dist, { recursive: true, encoding: "utf8" })
      .map((path) => path.split("\\").join("/"))
      .filter((path) => path.endsWith(".js") && path !== "webview/codicon.js");
    assert.deepEqual(scripts.sort(), Object.keys(budgetsKb));
  });

  for (const [path, budgetKb] of Object.entries(budgetsKb)) {
    test(`${path} stays below ${budgetKb} kB compressed`, () => {
      const sizeKb = gzipSync(readFileSync(join(dist, path))).length / 1000;
      assert.ok(sizeKb < budgetKb, `${sizeKb.toFixed(0)} kB`);
    });
  }

  test("the extension carries the licenses of the packages that it bundles", () => {
    const notices = readFileSync(join(dist, "third-party-notices.txt"), "utf8");
    for (const name of ["preact", "yaml", "@vscode/codicons", "vscode-languageclient"])
      assert.match(notices, new RegExp(`^${name} [0-9.]+ \\([A-Z]`, "m"));
    const packaged = readFileSync(join(dist, "..", ".vscodeignore"), "utf8").split("\n");
    assert.ok(packaged.includes("!dist/third-party-notices.txt"));
  });

  test("the command line can be started as a program", () => {
    const file = join(dist, "cli.js");
    assert.ok((statSync(file).mode & 0o100) !== 0);
    assert.match(readFileSync(file, "utf8"), /^#!\/usr\/bin\/env node\n/);
  });
});
