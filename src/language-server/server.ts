/** Serves the Language Server Protocol on one connection. Each request is answered by a file of protocol-handlers/. */
import type { Connection, InitializeParams, InitializeResult } from "vscode-languageserver";
import { handlers } from "./protocol-handlers/handlers.ts";
import { answerRefused } from "./protocol-handlers/request-params.ts";
import { type ServerRuntime, Session } from "./protocol-handlers/session.ts";

export function startServer(connection: Connection, runtime: ServerRuntime): void {
  const session = new Session(connection, runtime);
  connection.onInitialize((params: InitializeParams): InitializeResult => {
    session.begin(params);
    const capabilities = handlers.map((handler) => handler.capabilities?.(params));
    return { serverInfo: { name: "claimcheck" }, capabilities: Object.assign({}, ...capabilities) };
  });
  for (const { register } of handlers) register(session);
  answerRefused(connection);
  connection.onShutdown(() => session.shutDown());
  connection.onInitialized(() => session.initialized());
  connection.listen();
}
