/** Entry point for extension hosts in a browser: the language server is a web worker. */
import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/browser";
import { activateWith, type ExtensionApi } from "./activation.ts";

/** The browser's class, declared here because this layer has no types of the DOM. */
declare class Worker {
  constructor(url: string);
}

export function activate(context: vscode.ExtensionContext): Promise<ExtensionApi> {
  const script = vscode.Uri.joinPath(context.extensionUri, "dist", "server.worker.js");
  return activateWith(context, (options) => {
    const worker = new Worker(script.toString(true));
    return new LanguageClient("claimcheck", "Claimcheck", options, worker);
  });
}
