import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import type { ExtensionApi } from "../../../src/extension/activation.ts";
import { activateExtension, next, openExample, placeOf, revertAll } from "./support.ts";

suite("explanations and navigation in the editor", () => {
  let api: ExtensionApi;

  suiteSetup(async () => {
    api = await activateExtension();
  });

  teardown(revertAll);

  test("Explain opens a page about the object at the cursor, from the symptom to the first wrong line", async () => {
    const editor = await openExample("all-pending/mysql.yaml");
    const place = placeOf(editor.document, "kind: StatefulSet");
    editor.selection = new vscode.Selection(place, place);
    const page = await explanationAfter(() => vscode.commands.executeCommand("claimcheck.explain"));
    assert.match(page, /^# StatefulSet mysql has 0 of 1 pods ready/);
    assert.match(page, /## Step by step[\s\S]*✗ \[Claim data-mysql-0\]\(\/[^:]*mysql\.yaml#L\d+\)/);
    assert.ok(
      vscode.window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        .some(({ input }) => input instanceof vscode.TabInputWebview),
      "it is shown as a page, not as Markdown",
    );
  });

  test("Explain an Event explains a line copied from kubectl describe", async () => {
    await openExample("all-pending/mysql.yaml");
    const text =
      "Warning  FailedScheduling  2s  default-scheduler  0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims.";
    const page = await explanationAfter(() =>
      vscode.commands.executeCommand("claimcheck.explainEvent", { text }),
    );
    assert.match(
      page,
      /\*\*FailedScheduling\*\* from default-scheduler\n[\s\S]*\(kube-scheduler, /,
    );
    assert.match(page, /look at the claim's own events/);
  });

  test("another explanation with the same title replaces the one that is shown", async () => {
    const explain = (text: string): Thenable<unknown> =>
      vscode.commands.executeCommand("claimcheck.explainEvent", { text });
    await explain('storageclass.storage.k8s.io "fast" not found');
    const isNew = ({ document }: vscode.TextDocumentChangeEvent): boolean =>
      document.uri.scheme === "claimcheck-explanation" && /class slow/.test(document.getText());
    const changed = next(vscode.workspace.onDidChangeTextDocument, isNew);
    await explain('storageclass.storage.k8s.io "slow" not found');
    await changed;
  });

  test("an object's line is shown in the editor column where its file is already open", async () => {
    const { document } = await openExample("all-pending/redis.yaml");
    await vscode.window.showTextDocument(document, vscode.ViewColumn.Two);
    await openExample("all-pending/mysql.yaml");
    const environment = (await api.scenario({ uri: document.uri.toString() }))?.environment.id;
    const ref = "StatefulSet/default/redis";
    const given = { environment, ref, row: { place: { ref } } };
    await vscode.commands.executeCommand("claimcheck.openManifest", given);
    const editor = vscode.window.activeTextEditor;
    assert.equal(editor?.document.uri.toString(), document.uri.toString());
    assert.equal(editor?.viewColumn, vscode.ViewColumn.Two);
  });

  test("rename changes a claim's name in its own file and wherever it is referenced", async () => {
    const { document } = await openExample("cloud-disk-dynamic/app.yaml");
    const edit = await vscode.commands.executeCommand<vscode.WorkspaceEdit>(
      "vscode.executeDocumentRenameProvider",
      document.uri,
      placeOf(document, "disk-pvc"),
      "orders",
    );
    const changed = edit
      .entries()
      .map(([uri, edits]) => `${uri.path.split("/").at(-1)} ${edits.length}`);
    assert.deepEqual(changed.sort(), ["app.yaml 2", "lifecycle.scenario.yaml 3"]);
  });

  test("rename refuses an object of the assumed cluster and says why", async () => {
    const { document } = await openExample("iscsi-attach/iscsi.yaml");
    const place = placeOf(document, "metal-1");
    await assert.rejects(
      Promise.resolve(
        vscode.commands.executeCommand(
          "vscode.executeDocumentRenameProvider",
          document.uri,
          place,
          "metal-9",
        ),
      ),
      /belongs to the assumed cluster/,
    );
  });

  test("the outline lists an object's fields", async () => {
    const { document } = await openExample("statefulset-move/statefulset.yaml");
    const symbols = await vscode.commands.executeCommand<vscode.DocumentSymbol[]>(
      "vscode.executeDocumentSymbolProvider",
      document.uri,
    );
    const set = symbols.find(({ name }) => name === "db");
    assert.ok(set !== undefined && set.children.length > 0);
  });
});

/** Returns the text of the explanation that a command opens. */
async function explanationAfter(run: () => Thenable<unknown>): Promise<string> {
  const isExplanation = ({ uri }: vscode.TextDocument): boolean =>
    uri.scheme === "claimcheck-explanation";
  const opened = next(vscode.workspace.onDidOpenTextDocument, isExplanation);
  await run();
  const document = await opened;
  return document.getText();
}
