/** A language server in a process of its own, as an editor runs it, on a generated workspace. */
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

/** Calls `use` with a new folder, which is gone afterwards. */
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

  /** Another server than ours asks for its settings. */
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
    // Told of a workspace that has been read as well, of which nothing is predicted yet.
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
      // Ours would else ask for its settings before it reads anything.
      initializationOptions: options,
    });
    await this.connection.sendNotification("initialized", {});
  }

  /** The next findings that fit. */
  published(fits: (published: PublishedDiagnostics) => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#onPublished = (published) => {
        if (fits(published)) resolve();
      };
    });
  }

  /** Each of the findings that come, until the end. */
  watch(use: (published: PublishedDiagnostics) => void): { readonly end: () => void } {
    this.#onPublished = use;
    return {
      end: () => {
        this.#onPublished = () => {};
      },
    };
  }

  /** The end of a prediction, after its findings have been published. */
  predicted(): Promise<void> {
    return new Promise((resolve) => {
      this.#onPredicted = resolve;
    });
  }

  /** Of all threads of the process so far, in milliseconds; zero where the system does not tell. */
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

  /** The most that the process has held so far; zero where the system does not tell. */
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

/** The manifests of a folder and all below it, by name. */
export function manifestsIn(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".yaml"))
    .sort()
    .map((name) => path.join(directory, name));
}

export function readDocument(uri: string): string {
  return readFileSync(fileURLToPath(uri), "utf8");
}
