/** Entry of the language server in Node: over standard input and output (`--stdio`) or the IPC channel of its parent. */
import { getHeapStatistics } from "node:v8";
import { createConnection, ProposedFeatures } from "vscode-languageserver/node";
import { startServer } from "./server.ts";
import { diskFileSystem } from "./workspace/disk-workspace.ts";

/** A message is read in one turn of the event loop, handled in the next and answered in the third. */
const turnsOfMessage = 3;

startServer(createConnection(ProposedFeatures.all), {
  fileSystem: diskFileSystem,
  heapBytesMax: getHeapStatistics().heap_size_limit,
  pause: async () => {
    for (let turn = 0; turn < turnsOfMessage; turn++)
      await new Promise((resolve) => setImmediate(resolve));
  },
});
