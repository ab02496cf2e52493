/** Runs a language server in its own process, as an editor does, on a generated workspace. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import {
  createProtocolConnection,
  type ProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import {
  environmentsNotification,
  type StatusReply,
  statusRequest,
} from "../../src/protocol/messages.ts";
import { serverExecArgv } from "../../src/protocol/server-process.ts";

const generator = path.join(import.meta.dirname, "gen-workspace.mjs");
const builtServer = path.join(import.meta.dirname, "../../dist/server.js");
/** As the extension starts it. */
const ourServer = [process.execPath, ...serverExecArgv, builtServer, "--stdio"];

export interface PublishedDiagnostics {
  readonly uri: string;
  readonly version?: number;
}

/** Calls `use` with a new folder that holds a generated workspace, and removes the folder afterwards. */
export async function withWorkspace<T>(
  generatorOptions: (directory: string) => readonly string[],
  use: (directory: string) => Promise<T>,
): Promise<T> {
  const directory = mkdtempSync(path.join(tmpdir(), "claimcheck-bench-"));
  try {
    execFileSync(process.execPath, [generator, ...generatorOptions(directory)]);
    return await use(directory);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

export class ServerProcess {
  readonly connection: ProtocolConnection;
  readonly #child: ChildProcess;
  readonly #folder: string;
  #onPublished: (published: PublishedDiagnostics) => void = () => {};
  #onPredicted: () => void = () => {};

  /** `settings` is what a server other than ours gets when it asks for its configuration, by section. */
  constructor(
    directory: string,
    [program, ...options]: readonly string[] = ourServer,
    settings: Readonly<Record<string, unknown>> = {},
  ) {
    this.#folder = pathToFileURL(directory).href;
    const child = spawn(program ?? "", options, { stdio: ["pipe", "pipe", "inherit"] });
    this.#child = child;
    this.connection = createProtocolConnection(
      new StreamMessageReader(child.stdout),
      new StreamMessageWriter(child.stdin),
    );
    this.connection.onNotification(
      "textDocument/publishDiagnostics",
      (published: PublishedDiagnostics) => this.#onPublished(published),
    );
    // This also comes when a workspace has been read, before anything is predicted.
    this.connection.onNotification(environmentsNotification, async () => {
      const { predicted } = await this.connection.sendRequest<StatusReply>(statusRequest);
      if (predicted.length > 0) this.#onPredicted();
    });
    this.connection.onRequest(
      "workspace/configuration",
      ({ items }: { readonly items: readonly { readonly section?: string }[] }) =>
        items.map(({ section = "" }) => settings[section] ?? null),
    );
    this.connection.onRequest("client/registerCapability", () => null);
    this.connection.listen();
  }

  async initialize(options: Readonly<Record<string, unknown>> = {}): Promise<void> {
    await this.connection.sendRequest("initialize", {
      processId: process.pid,
      rootUri: this.#folder,
      workspaceFolders: [{ uri: this.#folder, name: "bench" }],
      capabilities: {
        textDocument: { publishDiagnostics: { versionSupport: true } },
        workspace: { configuration: true },
      },
      // Without options ours would ask for its settings before it reads anything.
      initializationOptions: options,
    });
    await this.connection.sendNotification("initialized", {});
  }

  /** Resolves when findings that fit are published. */
  published(fits: (published: PublishedDiagnostics) => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#onPublished = (published) => {
        if (fits(published)) resolve();
      };
    });
  }

  /** Calls `use` for everything published from now on, until `end` is called. */
  watch(use: (published: PublishedDiagnostics) => void): { readonly end: () => void } {
    this.#onPublished = use;
    return {
      end: () => {
        this.#onPublished = () => {};
      },
    };
  }

  /** Resolves at the end of a prediction, after its findings have been published. */
  predicted(): Promise<void> {
    return new Promise((resolve) => {
      this.#onPredicted = resolve;
    });
  }

  /** Returns the CPU time of all threads of the process so far, in milliseconds; zero if the system does not provide it. */
  cpuMs(): number {
    try {
      const threads = `/proc/${this.#child.pid}/task`;
      const nanoseconds = readdirSync(threads).map((thread) =>
        Number(readFileSync(`${threads}/${thread}/schedstat`, "utf8").split(" ")[0]),
      );
      return nanoseconds.reduce((sum, ns) => sum + ns, 0) / 1e6;
    } catch {
      return 0;
    }
  }

  /** Returns the peak memory of the process so far; zero if the system does not provide it. */
  memoryMegabytes(): number {
    try {
      const status = readFileSync(`/proc/${this.#child.pid}/status`, "utf8");
      return Number(/^VmHWM:\s*(\d+)/m.exec(status)?.[1] ?? 0) / 1024;
    } catch {
      return 0;
    }
  }

  async stop(): Promise<void> {
    await this.connection.sendRequest("shutdown");
    await this.connection.sendNotification("exit");
    this.connection.dispose();
  }
}

/** Returns the paths of the manifests in a folder and below it, sorted. */
export function manifestsIn(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".yaml"))
    .sort()
    .map((name) => path.join(directory, name));
}

export function readDocument(uri: string): string {
  return readFileSync(fileURLToPath(uri), "utf8");
}
