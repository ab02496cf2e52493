/** A language server in this process, on files in memory, with a client. */
import { PassThrough } from "node:stream";
import {
  createConnection,
  createProtocolConnection,
  ProposedFeatures,
  type ProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import type { ServerRuntime } from "../../src/language-server/protocol-handlers/session.ts";
import { startServer } from "../../src/language-server/server.ts";
import { memoryFileSystem } from "./memory-workspace.ts";

/** The client's connection, not initialized yet. The caller has to dispose of it. */
export function serverHere(
  files: Readonly<Record<string, string>>,
  runtime: Partial<ServerRuntime> = {},
): ProtocolConnection {
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  startServer(createConnection(ProposedFeatures.all, toServer, toClient), {
    fileSystem: memoryFileSystem(new Map(Object.entries(files))),
    pause: () => new Promise((resolve) => setImmediate(resolve)),
    ...runtime,
  });
  const client = createProtocolConnection(
    new StreamMessageReader(toClient),
    new StreamMessageWriter(toServer),
  );
  client.listen();
  return client;
}
