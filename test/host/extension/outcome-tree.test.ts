import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import type { ExtensionApi } from "../../../src/extension/activation.ts";
import {
  activateExtension,
  diagnosticsThat,
  next,
  openExample,
  placeOf,
  revertAll,
} from "./support.ts";

suite("Storage Outcome", () => {
  let api: ExtensionApi;

  suiteSetup(async () => {
    api = await activateExtension();
  });

  teardown(revertAll);

  test("requests nothing while it is hidden, and the outcome as soon as it is shown", async () => {
    await vscode.commands.executeCommand("claimcheck.outcome.focus");
    await vscode.commands.executeCommand("workbench.action.closeSidebar");
    const { document } = await openExample("all-pending/minio.yaml");
    const asked: string[] = [];
    const listener = api.onOutcomeAsked((environment) => asked.push(environment));
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, placeOf(document, "  accessModes"), "  storageClassName: gone\n");
    assert.ok(await vscode.workspace.applyEdit(edit));
    await diagnosticsThat(document.uri, (all) => all.some(({ message }) => /gone/.test(message)));
    // The server announces the edit's outcome along with its findings, hence before this answer.
    await api.scenario({ uri: document.uri.toString() });
    listener.dispose();
    assert.deepEqual(asked, []);
    const shown = next(api.onOutcomeAsked, (environment) => environment.endsWith("/all-pending"));
    await vscode.commands.executeCommand("claimcheck.outcome.focus");
    await shown;
  });
});
