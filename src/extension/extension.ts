/** Entry point for the desktop and for remote extension hosts: the language server is a separate Node process. */
import type * as vscode from "vscode";
import { LanguageClient, TransportKind } from "vscode-languageclient/node";
import { serverExecArgv } from "../protocol/server-process.ts";
import { activateWith, type ExtensionApi } from "./activation.ts";

export function activate(context: vscode.ExtensionContext): Promise<ExtensionApi> {
  const module = context.asAbsolutePath("dist/server.js");
  const server = {
    module,
    transport: TransportKind.ipc,
    options: { execArgv: [...serverExecArgv] },
  };
  return activateWith(
    context,
    (options) => new LanguageClient("claimcheck", "Claimcheck", server, options),
  );
}
