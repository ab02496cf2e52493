/** Writes what was done on the simulation page into a new scenario file of the workspace, and opens it. */
import * as vscode from "vscode";
import type { BaseLanguageClient } from "vscode-languageclient";
import {
  type SaveScenarioParams,
  type SaveScenarioReply,
  saveScenarioRequest,
} from "../../protocol/messages.ts";

/** Nothing is written where the environment is gone. */
export async function writeScenario(
  client: BaseLanguageClient,
  folder: vscode.Uri,
  params: SaveScenarioParams,
): Promise<void> {
  const saved = await client.sendRequest<SaveScenarioReply | null>(saveScenarioRequest, params);
  if (saved === null) return;
  const uri = await freeUri(folder);
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(saved.text));
  await vscode.window.showTextDocument(uri, { viewColumn: vscode.ViewColumn.One });
  const [problem, ...others] = saved.problems;
  if (problem !== undefined) {
    const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
    void vscode.window.showWarningMessage(
      `The scenario does not expect all that the page shows: ${problem}${more}`,
    );
  }
}

/** No file of the folder is written over. */
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
