/**
 * Keeps code lenses up to date. VS Code waits a moment before it requests them, and gives up if the editor loses the focus
 * meanwhile; it would request them again only when the focus is back.
 */
import * as vscode from "vscode";
import { type BaseLanguageClient, CodeLensRequest, type Middleware } from "vscode-languageclient";
import { judgeOverlayCommand, judgeValuesCommand } from "../protocol/messages.ts";
import type { FromPage } from "../protocol/page-messages.ts";

/** Translates the titles of lenses that offer a command; all other titles come from the server in English. */
export const lensMiddleware: Middleware = {
  async provideCodeLenses(document, token, next) {
    const titles = new Map([
      ["claimcheck.explain", vscode.l10n.t("Explain")],
      ["claimcheck.simulateCluster", vscode.l10n.t("Simulate")],
      ["claimcheck.selectOverlay", vscode.l10n.t("Judge Another…")],
      [judgeOverlayCommand, vscode.l10n.t("Judge This Overlay")],
      [judgeValuesCommand, vscode.l10n.t("Judge With These Values")],
    ]);
    const lenses = await next(document, token);
    for (const { command } of lenses ?? [])
      if (command !== undefined) command.title = titles.get(command.command) ?? command.title;
    return lenses;
  },
};

/** Makes VS Code request lenses again when another editor becomes active, and when the simulation page shows a run. */
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
