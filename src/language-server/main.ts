/** Entry of the language server in Node: over standard input and output (`--stdio`) or the IPC channel of its parent. */
import { createConnection, ProposedFeatures } from "vscode-languageserver/node";
import { startServer } from "./server.ts";
import { diskFileSystem } from "./workspace/disk-workspace.ts";

startServer(createConnection(ProposedFeatures.all), {
  fileSystem: diskFileSystem,
  pause: () => new Promise((resolve) => setImmediate(resolve)),
});
