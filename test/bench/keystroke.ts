/**
 * Measures from a keystroke to the file's immediate findings, and from the last of several keystrokes to the last finding of
 * the preview, in whatever file, and to the very last one, after the run of everything. Every keystroke replaces a digit of a
 * quantity, so that each changes what is applied.
 */
import { mkdirSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { manifestsIn, readDocument, ServerProcess, withWorkspace } from "./server-process.ts";

/** Milliseconds by name; CPU time is all that the server's process spends on one keystroke. */
type Times = Readonly<Record<string, number>>;

const fileCountMax = 6;
const keystrokeCount = 20;
const requestCount = 40;
/** A fast typist's pace. */
const betweenMs = 60;
/** Findings within this time are the preview's: a run of everything begins only after a longer pause in typing. */
const previewMs = 500;

/** Types in several of a workspace's `fileCount` files: in claims of files of about ten documents, then in volumes. */
export function keystrokeInWorkspace(fileCount: number): Promise<Times> {
  return withWorkspace(
    (directory) => ["--out", directory, "--files", String(fileCount)],
    async (directory) => {
      const files = manifestsIn(directory).map((file) => pathToFileURL(file).href);
      const claims = spreadEvenly(files.filter((uri) => isAboutTen(uri, request)));
      const volumes = spreadEvenly(files.filter((uri) => digitAt(uri, capacity) !== undefined));
      return await withServer(directory, async (server) => ({
        ...(await typeIn(server, claims, request, "claim")),
        ...(await typeIn(server, volumes, capacity, "volume")),
        ...(await requestTimes(server, claims[0] ?? "")),
      }));
    },
  );
}

/** Types in the middle of one file of `documentCount` documents. */
export function keystrokeInFile(documentCount: number): Promise<Times> {
  return withWorkspace(
    (directory) => {
      const folder = path.join(directory, "manifests");
      mkdirSync(folder);
      return ["--single", path.join(folder, "all.yaml"), "--docs", String(documentCount)];
    },
    (directory) =>
      withServer(directory, async (server) => {
        const uri = pathToFileURL(path.join(directory, "manifests", "all.yaml")).href;
        return {
          ...(await typeIn(server, [uri], request, "claim")),
          ...(await requestTimes(server, uri)),
        };
      }),
  );
}

async function withServer(
  directory: string,
  use: (server: ServerProcess) => Promise<Times>,
): Promise<Times> {
  const server = new ServerProcess(directory);
  const complete = server.predicted();
  await server.initialize();
  await complete;
  const times = await use(server);
  const memory = server.memoryMegabytes();
  await server.stop();
  return { ...times, "memory, MB": memory };
}

/** Finds the quantity that a claim requests. */
export const request: RegExp = /requests:\s*\n\s*storage: (?=\d)/g;
const capacity = /capacity:\s*\n\s*storage: (?=\d)/g;

/** Returns the offset of the digit after the middle one of the matches; undefined if nothing matches. */
export function digitAt(uri: string, pattern: RegExp): number | undefined {
  const places = [...readDocument(uri).matchAll(pattern)];
  const middle = places[places.length >> 1];
  return middle === undefined ? undefined : middle.index + middle[0].length;
}

export function isAboutTen(uri: string, pattern: RegExp): boolean {
  const count = readDocument(uri).split(/^---/m).length;
  return count >= 8 && count <= 13 && digitAt(uri, pattern) !== undefined;
}

function spreadEvenly(uris: readonly string[]): readonly string[] {
  const count = Math.min(fileCountMax, uris.length);
  return Array.from({ length: count }, (_, i) => uris[Math.floor((i * uris.length) / count)] ?? "");
}

async function typeIn(
  server: ServerProcess,
  uris: readonly string[],
  pattern: RegExp,
  name: string,
): Promise<Times> {
  const answers: number[] = [];
  const previews: number[] = [];
  const lasts: number[] = [];
  const cpu: number[] = [];
  for (const uri of uris) {
    const text = readDocument(uri);
    const digit = positionAt(text, digitAt(uri, pattern) ?? 0);
    await openFile(server, uri, text);
    let complete = Promise.resolve();
    let sent = performance.now();
    for (let version = 1; version <= keystrokeCount; version++) {
      if (version === keystrokeCount) complete = server.predicted();
      const cpuBefore = server.cpuMs();
      sent = performance.now();
      const answer = server.published((of) => of.uri === uri && of.version === version);
      await server.connection.sendNotification("textDocument/didChange", {
        textDocument: { uri, version },
        contentChanges: [edit(version, digit)],
      });
      await answer;
      answers.push(performance.now() - sent);
      if (version === keystrokeCount) break;
      await new Promise((resolve) => setTimeout(resolve, betweenMs));
      cpu.push(server.cpuMs() - cpuBefore);
    }
    let [preview, last] = [answers.at(-1) ?? 0, 0];
    const watched = server.watch(() => {
      last = performance.now() - sent;
      if (last < previewMs) preview = last;
    });
    await complete;
    watched.end();
    previews.push(preview);
    if (last > 0) lasts.push(last);
    await server.connection.sendNotification("textDocument/didClose", { textDocument: { uri } });
  }
  return {
    ...spread(`${name}: the file's findings`, answers),
    ...spread(`${name}: all files' findings before the run of everything`, previews),
    ...(lasts.length > 0 && spread(`${name}: the last finding`, lasts)),
    ...spread(`${name}: CPU`, cpu),
  };
}

async function openFile(server: ServerProcess, uri: string, text: string): Promise<void> {
  const complete = server.predicted();
  await server.connection.sendNotification("textDocument/didOpen", {
    textDocument: { uri, languageId: "yaml", version: 0, text },
  });
  await complete;
}

export interface Position {
  readonly line: number;
  readonly character: number;
}

export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
}

/** Returns a change of the digit at `start` that differs from one version to the next. */
export function edit(version: number, start: Position): unknown {
  const end = { line: start.line, character: start.character + 1 };
  return { range: { start, end }, text: String(1 + (version % 9)) };
}

async function requestTimes(server: ServerProcess, uri: string): Promise<Times> {
  const text = readDocument(uri);
  const position = positionAt(text, digitAt(uri, request) ?? 0);
  await openFile(server, uri, text);
  let found: Times = {};
  for (const method of ["hover", "definition", "completion"]) {
    const times: number[] = [];
    for (let i = 0; i < requestCount; i++) {
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

export function percentile(times: readonly number[], percent: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.ceil((percent / 100) * sorted.length) - 1] ?? Number.NaN;
}
