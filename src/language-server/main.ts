/** Entry of the language server in Node: over standard input and output (`--stdio`) or the IPC channel of its parent. */
import { constants, type NodeGCPerformanceDetail, PerformanceObserver } from "node:perf_hooks";
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { createConnection, ProposedFeatures } from "vscode-languageserver/node";
import { optimizeLater } from "../protocol/server-process.ts";
import { refusingWrongParams } from "./protocol-handlers/request-params.ts";
import { answerUnreadableMessages } from "./protocol-handlers/unreadable-messages.ts";
import { startServer } from "./server.ts";
import { diskStorage } from "./storage/disk-storage.ts";
import { diskFileSystem } from "./workspace/files/disk-workspace.ts";

/** A message is read in one turn of the event loop, handled in the next and answered in the third. */
const turnsOfMessage = 3;

for (const flag of optimizeLater(process.versions.v8)) setFlagsFromString(flag);

/** Sets how far the old generation may grow before its next collection, in percent of what was in use. */
const growBy = (percent: number): void => setFlagsFromString(`--heap-growing-percent=${percent}`);

// While files are read and first judged, nearly everything stays in use: collecting at two, four and eight times the
// program's own size would delay requests and free nothing.
growBy(700);
const firstCollection = new PerformanceObserver((collections) => {
  if (!collections.getEntries().some(isMajor)) return;
  firstCollection.disconnect();
  // Runs that an edit has aborted are garbage in the old generation, which V8 otherwise lets grow to four times what is in use.
  growBy(100);
});
firstCollection.observe({ entryTypes: ["gc"] });

/** True for a collection that includes the old generation. */
function isMajor(collection: object): boolean {
  const { detail } = collection as { readonly detail?: NodeGCPerformanceDetail };
  return detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR;
}

let arrivedCount = 0;

answerUnreadableMessages();

startServer(createConnection(ProposedFeatures.all, { messageStrategy: refusingWrongParams }), {
  fileSystem: diskFileSystem,
  heapBytesMax: getHeapStatistics().heap_size_limit,
  storageIn: (folder) => diskStorage(folder, __filename),
  // Messages that arrive meanwhile get turns of their own before background work goes on.
  pause: async () => {
    let seenCount = arrivedCount;
    for (let left = turnsOfMessage; left > 0; left--) {
      await new Promise((resolve) => setImmediate(resolve));
      if (arrivedCount === seenCount) continue;
      seenCount = arrivedCount;
      left = turnsOfMessage + 1;
    }
  },
});

// Added after the connection's own listener, which starts the reading.
const noteArrival = (): void => {
  arrivedCount++;
};
if (process.argv.includes("--stdio")) process.stdin.on("data", noteArrival);
else process.on("message", noteArrival);
