/** Lets the user choose which overlay is judged, among those that make different objects from the same files. */
import * as vscode from "vscode";
import type { BaseLanguageClient } from "vscode-languageclient";
import {
  judgeOverlayCommand,
  type OverlaysReply,
  overlaysRequest,
} from "../../protocol/messages.ts";
import { withoutIcons } from "../../protocol/visible-text.ts";

export async function selectOverlay(client: BaseLanguageClient): Promise<void> {
  const overlays = await client.sendRequest<OverlaysReply>(overlaysRequest);
  if (overlays.length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t(
        "There is nothing to choose: no two overlays build different objects from the same files.",
      ),
    );
    return;
  }
  const environments = new Set(overlays.map(({ environment }) => environment));
  const items = overlays.map(({ uri, folder, environment, isJudged }) => ({
    uri,
    label: withoutIcons(folder),
    description: isJudged ? vscode.l10n.t("judged") : "",
    ...(environments.size > 1 && { detail: environment }),
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t("Overlay to Judge"),
    placeHolder: vscode.l10n.t(
      "The overlay to use for findings and predictions; claimcheck.yaml keeps the choice",
    ),
  });
  if (chosen !== undefined) await vscode.commands.executeCommand(judgeOverlayCommand, chosen.uri);
}
