/** Makes the language server's code lenses lead to the simulation, which only this client has. */
import type * as vscode from "vscode";
import type { Middleware } from "vscode-languageclient";
import type { FilePlace } from "./panels/simulation-panel.ts";

export const codeLensMiddleware: Middleware = {
  async provideCodeLenses(document, token, next) {
    const lenses = await next(document, token);
    return lenses?.map((lens) => withCommand(document, lens));
  },
};

function withCommand(document: vscode.TextDocument, lens: vscode.CodeLens): vscode.CodeLens {
  const place: FilePlace = { uri: document.uri.toString(), line: lens.range.start.line };
  lens.command = {
    title: lens.command?.title ?? "",
    tooltip: "Show this object in the cluster simulation",
    command: "claimcheck.simulateCluster",
    arguments: [place],
  };
  return lens;
}
