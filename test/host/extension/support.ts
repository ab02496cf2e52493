/** Helpers of the suites that run in the extension host. */
import { strict as assert } from "node:assert";
import { join } from "node:path";
import * as vscode from "vscode";
import type { ExtensionApi } from "../../../src/extension/activation.ts";

export async function activateExtension(): Promise<ExtensionApi> {
  const extension = vscode.extensions.getExtension<ExtensionApi>("claimcheck.claimcheck");
  assert.ok(extension !== undefined, "the editor knows the extension");
  return extension.activate();
}

/** Resolves with the next value of the event that passes; only the test's own timeout ends the wait. */
export function next<T>(event: vscode.Event<T>, passes: (value: T) => boolean): Promise<T> {
  return new Promise((found) => {
    const listener = event((value) => {
      if (!passes(value)) return;
      listener.dispose();
      found(value);
    });
  });
}

/** Returns the URI of an example's file; `path` is for example `all-pending/mysql.yaml`. */
export function exampleUri(path: string): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.find(({ name }) => path.startsWith(`${name}/`));
  assert.ok(folder !== undefined, `the workspace has a folder for ${path}`);
  return vscode.Uri.file(join(folder.uri.fsPath, "..", path));
}

/** Opens the file in the first column, because on top of the simulation panel it would end the panel's page. */
export async function openExample(path: string): Promise<vscode.TextEditor> {
  const document = await vscode.workspace.openTextDocument(exampleUri(path));
  return vscode.window.showTextDocument(document, vscode.ViewColumn.One);
}

/** Waits until Claimcheck's diagnostics of a file are as wanted, and returns them. */
export async function diagnosticsThat(
  uri: vscode.Uri,
  wanted: (diagnostics: readonly vscode.Diagnostic[]) => boolean,
): Promise<readonly vscode.Diagnostic[]> {
  const ours = (): readonly vscode.Diagnostic[] =>
    vscode.languages.getDiagnostics(uri).filter(({ source }) => source === "claimcheck");
  if (!wanted(ours())) {
    await next(vscode.languages.onDidChangeDiagnostics, () => wanted(ours()));
  }
  return ours();
}

/** Returns the position of the first occurrence of a text. */
export function placeOf(document: vscode.TextDocument, text: string): vscode.Position {
  const offset = document.getText().indexOf(text);
  assert.ok(offset >= 0, `${document.uri.path} has ${text}`);
  return document.positionAt(offset);
}

/** Reverts what a test has typed. Files outside the workspace, such as settings, are left: the editor writes them. */
export async function revertAll(): Promise<void> {
  for (const document of vscode.workspace.textDocuments) {
    if (!document.isDirty || vscode.workspace.getWorkspaceFolder(document.uri) === undefined) {
      continue;
    }
    await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
    await vscode.commands.executeCommand("workbench.action.files.revert");
  }
  await vscode.commands.executeCommand("workbench.action.closeAllEditors");
}
