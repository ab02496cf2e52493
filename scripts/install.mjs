// Runs `npm ci` if node_modules is missing or differs from package-lock.json. Needs nothing but Node, so that
// `npm start` and `npm test` work right after a clone.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

export function installPackages() {
  if (isInstalled()) return;
  console.log("Installing the packages that package-lock.json names …");
  const parameters = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const shell = process.platform === "win32"; // npm is a .cmd file there.
  execFileSync("npm", parameters, { cwd: root, stdio: "inherit", shell });
}

function isInstalled() {
  const installed = join(root, "node_modules", ".package-lock.json");
  if (!existsSync(installed)) return false;
  const wanted = packagesOf(join(root, "package-lock.json"));
  const found = packagesOf(installed);
  return Object.entries(wanted).every(
    ([path, { version, optional, devOptional }]) =>
      path === "" || optional || devOptional || found[path]?.version === version,
  );
}

function packagesOf(file) {
  return JSON.parse(readFileSync(file, "utf8")).packages;
}
