/** Shows the steps taken on the simulation page as a new scenario file in the workspace, or as an unsaved document. */
import * as vscode from "vscode";
import type { BaseLanguageClient } from "vscode-languageclient";
import {
  type SaveScenarioParams,
  type SaveScenarioReply,
  saveScenarioRequest,
} from "../../protocol/messages.ts";
import { withoutLinks } from "../../protocol/visible-text.ts";

/** Writes nothing if the environment is gone. */
export async function writeScenario(
  client: BaseLanguageClient,
  folder: vscode.Uri,
  params: SaveScenarioParams,
): Promise<void> {
  const saved = await client.sendRequest<SaveScenarioReply | null>(saveScenarioRequest, params);
  if (saved === null) return;
  const document = await documentOf(saved.text, folder);
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.One });
  const [problem, ...others] = saved.problems;
  if (problem !== undefined) {
    const shown = withoutLinks(problem);
    void vscode.window.showWarningMessage(
      others.length === 0
        ? vscode.l10n.t("The scenario does not expect everything that the page shows: {0}", shown)
        : vscode.l10n.t(
            "The scenario does not expect everything that the page shows: {0} (and {1} more)",
            shown,
            others.length,
          ),
    );
  }
}

/** A file in the folder; an unsaved document if the folder is not writable (unsaved files have none): the user saves it. */
async function documentOf(text: string, folder: vscode.Uri): Promise<vscode.TextDocument> {
  const { fs } = vscode.workspace;
  if (fs.isWritableFileSystem(folder.scheme) !== true)
    return vscode.workspace.openTextDocument({ language: "yaml", content: text });
  const uri = await freeUri(folder);
  await fs.writeFile(uri, new TextEncoder().encode(text));
  return vscode.workspace.openTextDocument(uri);
}

/** A name that no file in the folder has. */
async function freeUri(folder: vscode.Uri): Promise<vscode.Uri> {
  for (let number = 1; ; number++) {
    const name = `what-if${number === 1 ? "" : `-${number}`}.scenario.yaml`;
    const uri = vscode.Uri.joinPath(folder, name);
    if (!(await exists(uri))) return uri;
  }
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  const [, name = ""] = /([^/]+)$/.exec(uri.path) ?? [];
  const entries = await vscode.workspace.fs.readDirectory(vscode.Uri.joinPath(uri, ".."));
  return entries.some(([entry]) => entry === name);
}
