/**
 * The tests that need a real editor. On Linux they run in VS Code's server with its workbench in a headless
 * browser, both in the current version and in the oldest that `engines.vscode` allows; elsewhere in desktop
 * VS Code, which @vscode/test-electron downloads.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { runTests } from "@vscode/test-electron";
import { build } from "esbuild";
import {
  type HostVersion,
  hostVersions,
  installHost,
  isHostSupported,
} from "../../scripts/vscode/install.ts";
import { installChromium } from "./launcher/chromium.ts";
import { copyExamples } from "./workspace-copy.ts";

const root: string = join(import.meta.dirname, "..", "..");
const suites: string = join(import.meta.dirname, "extension");
/** Stands in for Red Hat's YAML extension, the only other one that ours looks for. */
const standInForYaml: string = join(import.meta.dirname, "stand-in-yaml");
const bundles: string = join(root, ".cache", "host-tests");

/** The extension host loads CommonJS; mocha and the editor's API stay outside the bundles. */
async function bundleSuites(): Promise<void> {
  rmSync(bundles, { recursive: true, force: true });
  await build({
    entryPoints: readdirSync(suites)
      .filter((file) => file === "index.ts" || file.endsWith(".test.ts"))
      .map((file) => join(suites, file)),
    outdir: bundles,
    outExtension: { ".js": ".cjs" },
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    external: ["vscode", "mocha"],
    logLevel: "warning",
  });
}

/** Returns true if all tests passed. */
async function runInExtensionHost(version: HostVersion | "desktop"): Promise<boolean> {
  console.log(`\nExtension host, VS Code ${version}`);
  const userData = mkdtempSync(join(tmpdir(), "claimcheck-user-"));
  const extensions = mkdtempSync(join(tmpdir(), "claimcheck-extensions-"));
  cpSync(standInForYaml, join(extensions, "redhat.vscode-yaml-0.0.0"), { recursive: true });
  const workspace = copyExamples();
  process.env["VSCODE_HOST"] = version;
  try {
    const status = await runTests({
      ...(version === "desktop"
        ? {}
        : { vscodeExecutablePath: join(import.meta.dirname, "launcher", "code.mjs") }),
      extensionDevelopmentPath: root,
      extensionTestsPath: join(bundles, "index.cjs"),
      launchArgs: [workspace.file, `--user-data-dir=${userData}`, `--extensions-dir=${extensions}`],
    });
    return status === 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return false;
  } finally {
    for (const folder of [userData, extensions]) rmSync(folder, { recursive: true, force: true });
    workspace.remove();
  }
}

/** Runs the journeys as plain mocha tests, because they drive the workbench from outside. */
function runJourneys(): boolean {
  const folder = join(import.meta.dirname, "journey");
  const files = readdirSync(folder).filter((file) => file.endsWith(".test.ts"));
  console.log(`\nJourneys: ${files.map((file) => basename(file, ".test.ts")).join(", ")}`);
  const mocha = join(root, "node_modules", ".bin", "mocha");
  const reporter = join(folder, "spec-with-retries.cjs");
  const parameters = ["--reporter", reporter, ...files.map((file) => join(folder, file))];
  return spawnSync(mocha, parameters, { cwd: root, stdio: "inherit" }).status === 0;
}

/** `npm run test:host -- journeys` runs only the journeys; without names everything runs. */
function isWanted(part: string): boolean {
  const wanted = process.argv.slice(2);
  return wanted.length === 0 || wanted.includes(part);
}

const outcomes: boolean[] = [];
await bundleSuites();
if (isHostSupported()) {
  installChromium();
  for (const version of hostVersions) {
    if (!isWanted(version)) continue;
    installHost(version);
    outcomes.push(await runInExtensionHost(version));
  }
  if (isWanted("journeys")) outcomes.push(runJourneys());
} else {
  outcomes.push(await runInExtensionHost("desktop"));
}
process.exitCode = outcomes.every((ok) => ok) ? 0 : 1;
