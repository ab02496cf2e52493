/** Shows where something is written. */
import * as vscode from "vscode";
import type { BaseLanguageClient } from "vscode-languageclient";
import { type LocateParams, type LocateReply, locateRequest } from "../protocol/messages.ts";

/** Shows the first of these objects or fields that is written in a file of the workspace; says so if none is. */
export async function showWritten(
  client: BaseLanguageClient,
  places: readonly LocateParams[],
): Promise<void> {
  for (const place of places) {
    const found = await client.sendRequest<LocateReply | null>(locateRequest, place);
    if (found !== null) return await showPlace(found);
  }
  vscode.window.setStatusBarMessage(
    vscode.l10n.t("No file in the workspace creates this object."),
    5000,
  );
}

/** Shows the place in the column where its file is already visible, else in the first one. */
export async function showPlace(place: LocateReply): Promise<void> {
  const { start, end } = place.range;
  const uri = vscode.Uri.parse(place.uri);
  const open = vscode.window.visibleTextEditors.find(
    (editor) => editor.document.uri.toString() === uri.toString(),
  );
  await vscode.window.showTextDocument(uri, {
    viewColumn: open?.viewColumn ?? vscode.ViewColumn.One,
    selection: new vscode.Range(start.line, start.character, end.line, end.character),
  });
}
