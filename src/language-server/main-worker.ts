/** Entry of the language server in a web worker. It has no disk: the client lists and reads files for it. */
import {
  BrowserMessageReader,
  BrowserMessageWriter,
  createConnection,
} from "vscode-languageserver/browser";
import { compareText } from "../engine/api/go/text-order.ts";
import {
  type FindFilesReply,
  findFilesRequest,
  type ReadFileReply,
  readFileRequest,
} from "../protocol/messages.ts";
import { refusingWrongParams } from "./protocol-handlers/request-params.ts";
import { startServer } from "./server.ts";
import { type FileSystem, isReadAt, textAt } from "./workspace/files/file-system.ts";
import { isBelow } from "./workspace/files/uri.ts";

const worker = globalThis as unknown as ConstructorParameters<typeof BrowserMessageReader>[0];
const connection = createConnection(
  new BrowserMessageReader(worker),
  new BrowserMessageWriter(worker),
  { messageStrategy: refusingWrongParams },
);

const clientFiles: FileSystem = {
  async listFiles(folder) {
    const uris = await connection.sendRequest<FindFilesReply>(findFilesRequest);
    return uris
      .filter((uri) => isBelow(uri, folder) && isReadAt(uri))
      .sort(compareText)
      .map((uri) => ({ uri }));
  },
  async readFile(uri) {
    const bytes = await connection.sendRequest<ReadFileReply>(readFileRequest, { uri });
    return bytes === null ? undefined : await textAt(uri, bytes);
  },
  canonicalUri: (uri) => uri,
};

// A message to ourselves arrives after those that are already waiting, and sooner than any timer.
const turn = new MessageChannel();
const waiting: (() => void)[] = [];
const receiver = turn.port1 as unknown as { onmessage: () => void };
receiver.onmessage = () => waiting.shift()?.();

/** The most memory that browsers give a worker. */
const heapBytesMax = 2 ** 32;

startServer(connection, {
  fileSystem: clientFiles,
  heapBytesMax,
  pause: () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      turn.port2.postMessage(null);
    }),
});
