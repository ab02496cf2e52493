/**
 * From a keystroke to the findings of the edited file: in a manifest of a workspace, and in one large file. Every other
 * keystroke changes what is applied, so that predictions start and are given up all along, as while somebody types.
 */
import { mkdirSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { manifestsIn, readDocument, ServerProcess, withWorkspace } from "./server-process.ts";

/** Milliseconds; CPU time is that of the server's process for one keystroke, with the predictions that it starts. */
type Times = Readonly<Record<string, number>>;

const keystrokeCount = 60;
/** A fast typist's pace. */
const betweenMs = 60;

/** In the manifest in the middle of a workspace of `fileCount` files. */
export function keystrokeInWorkspace(fileCount: number): Promise<Times> {
  return withWorkspace(
    (directory) => ["--out", directory, "--files", String(fileCount)],
    (directory) => {
      const files = manifestsIn(directory).filter((file) => isEditable(file));
      return measure(directory, files[files.length >> 1] ?? "");
    },
  );
}

/** In the middle of one file of `documentCount` documents. */
export function keystrokeInFile(documentCount: number): Promise<Times> {
  return withWorkspace(
    (directory) => {
      const folder = path.join(directory, "manifests");
      mkdirSync(folder);
      return ["--single", path.join(folder, "all.yaml"), "--docs", String(documentCount)];
    },
    (directory) => measure(directory, path.join(directory, "manifests", "all.yaml")),
  );
}

const quantity = /storage: (\d)/g;

function isEditable(file: string): boolean {
  return quantityAt(readDocument(pathToFileURL(file).href)) !== undefined;
}

/** The first digit of the quantity in the middle of the text. */
function quantityAt(text: string): number | undefined {
  const places = [...text.matchAll(quantity)].map(({ index }) => index + "storage: ".length);
  return places[places.length >> 1];
}

async function measure(directory: string, file: string): Promise<Times> {
  const server = new ServerProcess(directory);
  const complete = server.predicted();
  await server.initialize();
  await complete;
  const uri = pathToFileURL(file).href;
  const text = readDocument(uri);
  const digit = positionAt(text, quantityAt(text) ?? 0);
  const opened = server.published((published) => published.uri === uri);
  await server.connection.sendNotification("textDocument/didOpen", {
    textDocument: { uri, languageId: "yaml", version: 0, text },
  });
  await opened;
  const cpuBefore = server.cpuMs();
  const times: number[] = [];
  for (let version = 1; version <= keystrokeCount; version++) {
    await new Promise((resolve) => setTimeout(resolve, betweenMs));
    const published = server.published((found) => found.uri === uri && found.version === version);
    const sent = performance.now();
    await server.connection.sendNotification("textDocument/didChange", {
      textDocument: { uri, version },
      contentChanges: [edit(version, digit)],
    });
    await published;
    times.push(performance.now() - sent);
  }
  const cpuMs = (server.cpuMs() - cpuBefore) / keystrokeCount;
  const requests = await requestTimes(server, uri, digit);
  await server.stop();
  return { ...spread("keystroke", times), "CPU of a keystroke": cpuMs, ...requests };
}

interface Position {
  readonly line: number;
  readonly character: number;
}

function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
}

/** By turns another digit, which changes what is applied, and one more character of a comment in the first line. */
function edit(version: number, digit: Position): unknown {
  if (version % 2 === 0) {
    const start = { line: digit.line, character: digit.character };
    const end = { line: digit.line, character: digit.character + 1 };
    return { range: { start, end }, text: String(1 + ((version / 2) % 9)) };
  }
  // Behind what stands in the digit's line, so that no place moves.
  const end = { line: digit.line, character: 10_000 };
  return { range: { start: end, end }, text: version === 1 ? " # x" : "x" };
}

async function requestTimes(
  server: ServerProcess,
  uri: string,
  position: Position,
): Promise<Times> {
  let found: Times = {};
  for (const method of ["hover", "definition", "completion"]) {
    const times: number[] = [];
    for (let i = 0; i < keystrokeCount; i++) {
      const sent = performance.now();
      await server.connection.sendRequest(`textDocument/${method}`, {
        textDocument: { uri },
        position,
      });
      times.push(performance.now() - sent);
    }
    found = { ...found, ...spread(method, times) };
  }
  return found;
}

function spread(name: string, times: readonly number[]): Times {
  return { [`${name}, median`]: percentile(times, 50), [`${name}, p95`]: percentile(times, 95) };
}

function percentile(times: readonly number[], percent: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.ceil((percent / 100) * sorted.length) - 1] ?? Number.NaN;
}
