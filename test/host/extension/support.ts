/** What the suites in the extension host share. */
import { strict as assert } from "node:assert";
import { join } from "node:path";
import * as vscode from "vscode";
import type { ExtensionApi } from "../../../src/extension/activation.ts";

export async function activateExtension(): Promise<ExtensionApi> {
  const extension = vscode.extensions.getExtension<ExtensionApi>("claimcheck.claimcheck");
  assert.ok(extension !== undefined, "the editor knows the extension");
  return extension.activate();
}

/** The next value of the event that passes; a test's own time-out is the limit. */
export function next<T>(event: vscode.Event<T>, passes: (value: T) => boolean): Promise<T> {
  return new Promise((found) => {
    const listener = event((value) => {
      if (!passes(value)) return;
      listener.dispose();
      found(value);
    });
  });
}

/** A file of an example folder, as `all-pending/mysql.yaml`. */
export function exampleUri(path: string): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.find(({ name }) => path.startsWith(`${name}/`));
  assert.ok(folder !== undefined, `the workspace has a folder for ${path}`);
  return vscode.Uri.file(join(folder.uri.fsPath, "..", path));
}

/** In the first column: a file on top of the simulation panel would end its page. */
export async function openExample(path: string): Promise<vscode.TextEditor> {
  const document = await vscode.workspace.openTextDocument(exampleUri(path));
  return vscode.window.showTextDocument(document, vscode.ViewColumn.One);
}

/** Waits until Claimcheck's diagnostics of a file are as wanted, and gives them. */
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

/** The place just before the first occurrence of a text. */
export function placeOf(document: vscode.TextDocument, text: string): vscode.Position {
  const offset = document.getText().indexOf(text);
  assert.ok(offset >= 0, `${document.uri.path} has ${text}`);
  return document.positionAt(offset);
}

/** Takes back what a test has typed; the editor's own files, as its settings, it writes itself. */
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
