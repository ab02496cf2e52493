/**
 * `npm run bench -- peer --server "COMMAND" [--settings FILE]` measures another language server and ours in turn, with the same
 * client on the same files. The file holds the other server's configuration as JSON by section; the default makes
 * yaml-language-server check Kubernetes manifests with the schema that it finds for them.
 */
import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { digitAt, edit, isAboutTen, percentile, positionAt, request } from "./keystroke.ts";
import { manifestsIn, readDocument, ServerProcess, withWorkspace } from "./server-process.ts";

type Settings = Readonly<Record<string, unknown>>;
type Start = (directory: string) => ServerProcess;
type Figures = Readonly<Record<string, number>>;

const runCount = 3;
const keystrokeCount = 40;
/** After so long a silence nothing more is expected of an edit. */
const quietMs = 60;

const kubernetesSettings: Settings = {
  yaml: {
    schemas: { kubernetes: "*.yaml" },
    validate: true,
    schemaStore: { enable: false },
    maxItemsComputed: 5000,
  },
};

export async function besideAnother(options: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...options],
    options: { server: { type: "string" }, settings: { type: "string" } },
  });
  if (values.server === undefined) throw new Error('say which: --server "COMMAND"');
  const command = values.server.split(" ");
  const settings: Settings =
    values.settings === undefined
      ? kubernetesSettings
      : JSON.parse(readFileSync(values.settings, "utf8"));
  const other: Start = (directory) => new ServerProcess(directory, command, settings);
  const ours: Start = (directory) => new ServerProcess(directory);
  await withWorkspace(
    (directory) => ["--out", directory, "--files", "1000"],
    async (directory) => {
      const uris = manifestsIn(directory).map((file) => pathToFileURL(file).href);
      const uri = uris.find((candidate) => isAboutTen(candidate, request)) ?? "";
      print("about 10 documents among 1,000 files", await inTurn(other, ours, directory, uri));
    },
  );
  await withWorkspace(
    (directory) => {
      mkdirSync(path.join(directory, "manifests"));
      return ["--single", path.join(directory, "manifests", "all.yaml"), "--docs", "1000"];
    },
    async (directory) => {
      const uri = pathToFileURL(path.join(directory, "manifests", "all.yaml")).href;
      print("one file of 1,000 documents", await inTurn(other, ours, directory, uri));
    },
  );
}

interface Beside {
  readonly other: readonly Figures[];
  readonly ours: readonly Figures[];
}

async function inTurn(other: Start, ours: Start, directory: string, uri: string): Promise<Beside> {
  const found = { other: [] as Figures[], ours: [] as Figures[] };
  for (let run = 0; run < runCount; run++) {
    found.other.push(await measure(other(directory), uri));
    found.ours.push(await measure(ours(directory), uri));
  }
  return found;
}

async function measure(server: ServerProcess, uri: string): Promise<Figures> {
  await server.initialize();
  const text = readDocument(uri);
  const digit = positionAt(text, digitAt(uri, request) ?? 0);
  const opened = performance.now();
  const first = server.published((of) => of.uri === uri);
  await server.connection.sendNotification("textDocument/didOpen", {
    textDocument: { uri, languageId: "yaml", version: 0, text },
  });
  await first;
  const openMs = performance.now() - opened;
  await quiet(server);
  const wall: number[] = [];
  const cpu: number[] = [];
  for (let version = 1; version <= keystrokeCount; version++) {
    const cpuBefore = server.cpuMs();
    const sent = performance.now();
    // The other server may not say which version its findings are for.
    const answer = server.published((of) => of.uri === uri && (of.version ?? version) === version);
    await server.connection.sendNotification("textDocument/didChange", {
      textDocument: { uri, version },
      contentChanges: [edit(version, digit)],
    });
    await answer;
    wall.push(performance.now() - sent);
    await quiet(server);
    cpu.push(server.cpuMs() - cpuBefore);
  }
  const memory = server.memoryMegabytes();
  await server.stop();
  return {
    "first findings after opening, ms": openMs,
    "keystroke, wall p50, ms": percentile(wall, 50),
    "keystroke, wall p95, ms": percentile(wall, 95),
    "keystroke, CPU p50, ms": percentile(cpu, 50),
    "peak memory, MB": memory,
  };
}

/** Resolves when nothing has been published for a while. */
async function quiet(server: ServerProcess): Promise<void> {
  let last = performance.now();
  const watched = server.watch(() => {
    last = performance.now();
  });
  for (let waitMs = quietMs; waitMs > 0; waitMs = last + quietMs - performance.now())
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  watched.end();
}

function print(title: string, { other, ours }: Beside): void {
  console.log(`${title}: the other server, ours, and how many times as much the other one takes`);
  for (const what of Object.keys(ours[0] ?? {})) {
    const [a, b] = [other, ours].map((runs) =>
      percentile(
        runs.map((figures) => figures[what] ?? Number.NaN),
        50,
      ),
    );
    const ratio = ((a ?? Number.NaN) / (b ?? Number.NaN)).toFixed(1);
    console.log(`  ${what.padEnd(34)}${round(a)}${round(b)}  × ${ratio}`);
  }
}

function round(figure = Number.NaN): string {
  return figure.toFixed(figure < 100 ? 1 : 0).padStart(8);
}
