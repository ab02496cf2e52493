import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { activateExtension, next, openExample, revertAll } from "./support.ts";

suite("choice of the cluster profile", () => {
  suiteSetup(async () => {
    await activateExtension();
  });

  teardown(revertAll);

  test("if claimcheck.yaml names the profile, that name is selected there", async () => {
    await openExample("all-pending/mysql.yaml");
    await vscode.commands.executeCommand("claimcheck.selectProfile");
    const isShown = (editor = vscode.window.activeTextEditor): boolean =>
      editor?.document.uri.path.endsWith("/all-pending/claimcheck.yaml") === true;
    if (!isShown()) await next(vscode.window.onDidChangeActiveTextEditor, isShown);
    const editor = vscode.window.activeTextEditor;
    assert.equal(editor?.document.getText(editor.selection), "generic");
  });
});
