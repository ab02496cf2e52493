/**
 * Builds everything, prints the prediction for an example, then opens the examples in VS Code with the extension: in
 * desktop VS Code if its `code` command is available, else in a browser. `--cli-only` stops after the prediction.
 */
import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installHost, isHostSupported } from "./vscode/install.ts";
import { installExtension } from "./vscode/install-extension.ts";
import { pageAddress, remoteUri, startServer } from "./vscode/server.ts";

const root = join(import.meta.dirname, "..");
const workspace = join(root, "examples", "claimcheck.code-workspace");

/** A claim and a volume that look as if they belong together, but do not. */
const example = join("examples", "nfs-and-rook");
const exampleFile = join(root, example, "mysql-pv-claim.yaml");

/** Prints in words what the editor shows, from the same engine. */
function printPrediction(): void {
  console.log(`\n$ claimcheck predict ${example}`);
  spawnSync(process.execPath, [join(root, "dist", "cli.js"), "predict", example], {
    cwd: root,
    stdio: "inherit",
  });
}

function hasDesktop(): boolean {
  const hasDisplay =
    process.platform !== "linux" ||
    process.env["DISPLAY"] !== undefined ||
    process.env["WAYLAND_DISPLAY"] !== undefined;
  const probe = spawnSync("code", ["--version"], { stdio: "ignore", shell: isWindows });
  return hasDisplay && probe.status === 0;
}

const isWindows = process.platform === "win32";

function openDesktop(): void {
  console.log("\nOpening the examples in VS Code …");
  const parameters = ["--new-window", `--extensionDevelopmentPath=${root}`, workspace, exampleFile];
  spawnSync("code", parameters, { stdio: "inherit", shell: isWindows });
}

/** Runs until interrupted. The extension is installed from its package, as for users. */
async function serveBrowser(): Promise<void> {
  const host = installHost("current");
  const folder = mkdtempSync(join(tmpdir(), "claimcheck-start-"));
  const extensionsDir = join(folder, "extensions");
  installExtension(host, extensionsDir);
  const token = randomBytes(16).toString("hex");
  const userDataDir = join(folder, "user-data");
  const server = await startServer(host, {
    userDataDir,
    extensionsDir,
    token,
    disableWorkspaceTrust: true,
  });
  const address = pageAddress({
    port: server.port,
    token,
    target: workspace,
    payload: [["openFile", remoteUri(server.port, exampleFile)]],
  });
  console.log(`\nVS Code with Claimcheck runs in a browser. Open this page:\n\n  ${address}\n`);
  console.log(
    "The command “Claimcheck: Simulate Cluster” (F1) shows the simulation. Ctrl+C ends it.",
  );
  openInBrowser(address);
  const interrupted = new Promise<string>((end) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => end(signal));
  });
  const reason = await Promise.race([interrupted, server.gone]);
  if (!reason.startsWith("SIG")) console.error(reason);
  await server.close();
  rmSync(folder, { recursive: true, force: true });
}

/** Opens the page, if there is a desktop. */
function openInBrowser(address: string): void {
  if (process.env["DISPLAY"] === undefined && process.env["WAYLAND_DISPLAY"] === undefined) return;
  const opener = spawn("xdg-open", [address], { stdio: "ignore", detached: true });
  opener.on("error", () => undefined); // The address has been printed anyway.
  opener.unref();
}

function buildsCleanly(): boolean {
  const script = join(root, "esbuild.mjs");
  return spawnSync(process.execPath, [script], { cwd: root, stdio: "inherit" }).status === 0;
}

if (!buildsCleanly()) process.exit(1);
printPrediction();
if (process.argv.includes("--cli-only"))
  console.log(
    "\n`npx claimcheck check PATH` tells the findings of your manifests; README.md says the rest.",
  );
else if (hasDesktop()) openDesktop();
else if (isHostSupported()) await serveBrowser();
else console.log("\nFor the editor, install VS Code and its `code` command, then run this again.");
