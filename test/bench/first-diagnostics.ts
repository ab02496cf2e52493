/** A language server over stdio, from its start to the end of its first prediction of a whole workspace. */
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import {
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import { environmentsNotification } from "../../src/protocol/messages.ts";

const generator = path.join(import.meta.dirname, "gen-workspace.mjs");
const server = path.join(import.meta.dirname, "../../dist/server.js");

/** Milliseconds of real time for a generated workspace of `fileCount` files. */
export async function firstDiagnostics(fileCount: number): Promise<number> {
  const directory = mkdtempSync(path.join(tmpdir(), "claimcheck-bench-"));
  execFileSync(process.execPath, [generator, "--out", directory, "--files", String(fileCount)]);
  const started = performance.now();
  const child = spawn(process.execPath, [server, "--stdio"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const connection = createProtocolConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  connection.listen();
  const folder = { uri: pathToFileURL(directory).href, name: "bench" };
  const complete = new Promise<void>((resolve) => {
    connection.onNotification(environmentsNotification, () => resolve());
  });
  await connection.sendRequest("initialize", {
    processId: process.pid,
    rootUri: folder.uri,
    workspaceFolders: [folder],
    capabilities: {},
  });
  await connection.sendNotification("initialized", {});
  await complete;
  const ms = performance.now() - started;
  await connection.sendRequest("shutdown");
  await connection.sendNotification("exit");
  connection.dispose();
  rmSync(directory, { recursive: true });
  return ms;
}
