/**
 * Tests the rules that guard the layers. Each file under canaries/ breaks a rule, and says in its first line which tool has to
 * refuse it, and why. They are checked in a copy of the project, so that the project itself never breaks a rule.
 */
import { strict as assert } from "node:assert";
import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..");
const canaries = join(import.meta.dirname, "canaries");
const layers = ["engine", "protocol", "language-server", "webview", "extension", "cli"];

suite("layer guards", function () {
  this.timeout(60_000);
  const copy = mkdtempSync(join(tmpdir(), "claimcheck-guards-"));
  let refusals: ReadonlySet<string> = new Set();

  suiteSetup(() => {
    cpSync(canaries, copy, { recursive: true });
    cpSync(join(root, "scripts", "biome"), join(copy, "scripts", "biome"), { recursive: true });
    cpSync(join(root, "tsconfig.base.json"), join(copy, "tsconfig.base.json"));
    symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
    for (const layer of layers) {
      const path = join("src", layer, "tsconfig.json");
      cpSync(join(root, path), join(copy, path));
    }
    const references = layers.map((layer) => ({ path: `src/${layer}` }));
    writeFileSync(join(copy, "tsconfig.json"), JSON.stringify({ files: [], references }));
    writeFileSync(join(copy, "package.json"), readFileSync(join(root, "package.json")));
    const {
      vcs: _,
      files: __,
      ...rules
    } = JSON.parse(readFileSync(join(root, "biome.json"), "utf8"));
    writeFileSync(join(copy, "biome.json"), JSON.stringify(rules));
    refusals = new Set([...refusedByBiome(copy), ...refusedByTypes(copy)]);
  });

  suiteTeardown(() => rmSync(copy, { recursive: true, force: true }));

  for (const file of canaryFiles()) {
    const [expectation = ""] = readFileSync(join(canaries, file), "utf8").split("\n");
    test(`${file} is ${expectation.slice(3)}`, () => {
      const found = [...refusals].filter((refusal) => refusal.startsWith(`${file} `)).sort();
      if (expectation === "// accepted") {
        assert.deepEqual(found, []);
        return;
      }
      const wanted = /^\/\/ (refused by (?:biome|tsc): \S+)$/.exec(expectation)?.[1];
      assert.ok(wanted !== undefined, `the first line of ${file} does not say who refuses it`);
      assert.ok(found.includes(`${file} ${wanted}`), `nothing but ${JSON.stringify(found)}`);
    });
  }
});

function canaryFiles(): readonly string[] {
  const entries = readdirSync(canaries, { recursive: true, encoding: "utf8" });
  return entries.filter((entry) => /\.tsx?$/.test(entry)).sort();
}

function refusedByBiome(folder: string): readonly string[] {
  const biome = join(root, "node_modules", ".bin", "biome");
  const { stdout } = spawnSync(
    biome,
    ["lint", "--reporter=json", "--max-diagnostics=none", "src"],
    { cwd: folder, encoding: "utf8" },
  );
  const report: { readonly diagnostics: readonly BiomeDiagnostic[] } = JSON.parse(stdout);
  return report.diagnostics
    .filter(({ severity }) => severity === "error" || severity === "fatal")
    .map(({ category, location }) => `${pathOf(location)} refused by biome: ${category}`);
}

interface BiomeDiagnostic {
  readonly category: string;
  readonly severity: string;
  readonly location: { readonly path: string | { readonly file: string } };
}

function pathOf(location: BiomeDiagnostic["location"]): string {
  return typeof location.path === "string" ? location.path : location.path.file;
}

function refusedByTypes(folder: string): readonly string[] {
  const compiler = join(root, "node_modules", ".bin", "tsc");
  const { stdout } = spawnSync(compiler, ["-b", "--pretty", "false"], {
    cwd: folder,
    encoding: "utf8",
  });
  return [...stdout.matchAll(/^(\S+?)\(\d+,\d+\): error (TS\d+):/gm)].map(
    ([, file, code]) => `${file} refused by tsc: ${code}`,
  );
}
