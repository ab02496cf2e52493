/**
 * Keeps code lenses in sight. VS Code waits a moment before it asks for them, and gives that up when the editor loses the
 * focus; it would ask again only when the focus is back.
 */
import * as vscode from "vscode";
import { type BaseLanguageClient, CodeLensRequest } from "vscode-languageclient";
import type { FromPage } from "../protocol/page-messages.ts";

/** Has VS Code ask again once an editor, or the simulation page when it shows something, has taken the focus. */
export function keepCodeLenses(
  client: BaseLanguageClient,
  onPageMessage: vscode.Event<FromPage>,
): vscode.Disposable {
  const askAgain = (): void => {
    const feature = client.getFeature(CodeLensRequest.method);
    for (const { document } of vscode.window.visibleTextEditors)
      feature.getProvider(document)?.onDidChangeCodeLensEmitter.fire();
  };
  return vscode.Disposable.from(
    vscode.window.onDidChangeActiveTextEditor(askAgain),
    onPageMessage(({ type }) => {
      if (type === "shown") askAgain();
    }),
  );
}
