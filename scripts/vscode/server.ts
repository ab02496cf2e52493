/** Starts VS Code's server on loopback, directly rather than through code-server's wrapper. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Host } from "./install.ts";

export interface ServerOptions {
  /** The editor's own folders; if absent, temporary ones that are removed with the server. */
  readonly userDataDir?: string | undefined;
  readonly extensionsDir?: string | undefined;
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
  readonly environment?: Readonly<Record<string, string>>;
  /** Heed extensionDevelopmentPath and extensionTestsPath in the page's address; this also mutes notification toasts. */
  readonly development?: boolean;
  readonly disableWorkspaceTrust?: boolean;
  /** The secret that the page's address must have; without one anybody on this machine can use the server. */
  readonly token?: string;
  readonly verbose?: boolean;
}

export interface Server {
  readonly port: number;
  /** Resolves with a reason when the server goes away by itself. */
  readonly gone: Promise<string>;
  close(): Promise<void>;
}

const quietSettings: Readonly<Record<string, unknown>> = {
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "files.autoSave": "off",
  "extensions.autoUpdate": false,
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "workbench.startupEditor": "none",
  "workbench.enableExperiments": false,
  "workbench.settings.enableNaturalLanguageSearch": false,
  "npm.fetchOnlinePackageInfo": false,
  "chat.disableAIFeatures": true,
  "workbench.tips.enabled": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "git.enabled": false,
};

interface Folders {
  readonly temporary: string;
  readonly userData: string;
  readonly arguments: readonly string[];
}

/** Runs a command such as `--install-extension x.vsix`; throws with its whole output if it fails. */
export function runServerCli(
  host: Host,
  parameters: readonly string[],
  options: ServerOptions = {},
): void {
  const folders = makeFolders(options);
  const command = [host.serverMain, ...folders.arguments, ...parameters];
  const environment = serverEnvironment(options);
  const result = spawnSync(host.node, command, { encoding: "utf8", env: environment });
  rmSync(folders.temporary, { recursive: true, force: true });
  if (result.status !== 0) throw new Error(`${result.stdout}${result.stderr}`);
}

export async function startServer(host: Host, options: ServerOptions = {}): Promise<Server> {
  const folders = makeFolders(options);
  writeSettings(folders, options);
  const child = spawn(
    host.node,
    [
      "--require",
      join(import.meta.dirname, "end-with-parent.cjs"),
      host.serverMain,
      ...folders.arguments,
      ...["--host", "127.0.0.1", "--port", "0"],
      ...(options.token === undefined
        ? ["--without-connection-token"]
        : ["--connection-token", options.token]),
      ...(options.development === true ? ["--enable-smoke-test-driver"] : []),
      ...(options.disableWorkspaceTrust === true ? ["--disable-workspace-trust"] : []),
    ],
    // The server leads a process group of its own, so that its children end with it.
    {
      env: serverEnvironment(options),
      cwd: folders.temporary,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let ending = false;
  const removeFolders = (): void =>
    rmSync(folders.temporary, { recursive: true, force: true, maxRetries: 3 });
  const endWithUs = (): void => signalGroup(child, "SIGKILL");
  process.once("exit", endWithUs);
  const gone = once(child, "exit").then(([code, signal]) => `the server ended (${code ?? signal})`);
  const close = async (): Promise<void> => {
    if (ending) return;
    ending = true;
    signalGroup(child, "SIGTERM");
    const impatience = setTimeout(() => signalGroup(child, "SIGKILL"), 3000);
    await gone;
    clearTimeout(impatience);
    process.off("exit", endWithUs);
    removeFolders();
  };
  try {
    return { port: await portOf(child, gone, options.verbose === true), gone, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function makeFolders(options: ServerOptions): Folders {
  const temporary = mkdtempSync(join(tmpdir(), "claimcheck-vscode-"));
  const userData = resolve(options.userDataDir ?? join(temporary, "user-data"));
  const extensions = resolve(options.extensionsDir ?? join(temporary, "extensions"));
  return {
    temporary,
    userData,
    arguments: [
      "--accept-server-license-terms",
      ...["--telemetry-level", "off"],
      ...["--server-data-dir", join(temporary, "server")],
      ...["--user-data-dir", userData],
      ...["--extensions-dir", extensions],
    ],
  };
}

function writeSettings(folders: Folders, options: ServerOptions): void {
  const file = join(folders.userData, "User", "settings.json");
  if (existsSync(file) && options.settings === undefined) return;
  mkdirSync(join(folders.userData, "User"), { recursive: true });
  writeFileSync(file, JSON.stringify({ ...quietSettings, ...options.settings }, null, 2));
}

function serverEnvironment(options: ServerOptions): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = { ...process.env, ...options.environment };
  // Variables of a VS Code terminal that we may run in, and NODE_OPTIONS, must not reach the server.
  for (const name of Object.keys(environment)) {
    if (/^(VSCODE_(?!TEST)|ELECTRON_|NODE_OPTIONS$)/.test(name)) delete environment[name];
  }
  environment["EXTENSIONS_GALLERY"] = "{}"; // No marketplace.
  return environment;
}

function portOf(child: ChildProcess, gone: Promise<string>, verbose: boolean): Promise<number> {
  return new Promise((found, failed) => {
    let output = "";
    const read = (chunk: Buffer): void => {
      if (verbose) process.stderr.write(chunk);
      output = (output + chunk.toString()).slice(-20_000);
      const match = /Extension host agent listening on (\d+)/.exec(output);
      if (match !== null) found(Number(match[1]));
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.on("error", failed);
    void gone.then((reason) => failed(new Error(`${reason}:\n${output}`)));
    setTimeout(
      () => failed(new Error(`the server did not start in 60 s:\n${output}`)),
      60_000,
    ).unref();
  });
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // It ended between the check and the signal.
  }
}

export interface PageOptions {
  readonly port: number;
  readonly token?: string;
  /** Folder, .code-workspace or file; an empty window if absent. */
  readonly target?: string | undefined;
  /** Keys that the workbench reads from its address, such as extensionTestsPath. */
  readonly payload?: readonly (readonly [string, string])[];
}

export function pageAddress(options: PageOptions): string {
  const query = new URLSearchParams();
  if (options.token !== undefined) query.set("tkn", options.token);
  const payload = [...(options.payload ?? [])];
  const target = options.target === undefined ? undefined : resolve(options.target);
  if (target === undefined) query.set("ew", "true");
  else if (statSync(target).isDirectory()) query.set("folder", target);
  else if (target.endsWith(".code-workspace")) query.set("workspace", target);
  else {
    query.set("ew", "true");
    payload.push(["openFile", remoteUri(options.port, target)]);
  }
  if (payload.length > 0) query.set("payload", JSON.stringify(payload));
  return `http://127.0.0.1:${options.port}/?${query}`;
}

/** The URI of a file on the server in the browser's workbench. */
export function remoteUri(port: number, path: string): string {
  return /^[a-z][a-z+-]*:\/\//.test(path)
    ? path
    : `vscode-remote://127.0.0.1:${port}${encodeURI(resolve(path))}`;
}
