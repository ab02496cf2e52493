import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { activateExtension, diagnosticsThat, openExample, placeOf, revertAll } from "./support.ts";

suite("language features in the editor", () => {
  suiteSetup(async () => {
    await activateExtension();
  });

  teardown(revertAll);

  test("a claim that stays Pending is underlined", async () => {
    const { document } = await openExample("all-pending/mysql.yaml");
    const [first] = await diagnosticsThat(document.uri, ({ length }) => length > 0);
    assert.ok(first !== undefined);
    assert.match(document.getText(first.range), /\S/);
  });

  test("a broken edit is underlined until it is reverted", async () => {
    const { document } = await openExample("nfs-and-rook/mysql-pv-claim.yaml");
    const place = placeOf(document, "kind: PersistentVolumeClaim");
    const before = vscode.languages.getDiagnostics(document.uri);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, place, "}");
    await vscode.workspace.applyEdit(edit);
    const broken = await diagnosticsThat(document.uri, (found) =>
      found.some(({ severity }) => severity === vscode.DiagnosticSeverity.Error),
    );
    assert.ok(broken.length > 0);
    await vscode.commands.executeCommand("workbench.action.files.revert");
    await diagnosticsThat(document.uri, ({ length }) => length === before.length);
  });

  test("hover on a claim says what becomes of it", async () => {
    const { document } = await openExample("cloud-disk-dynamic/app.yaml");
    const [hover] = await vscode.commands.executeCommand<vscode.Hover[]>(
      "vscode.executeHoverProvider",
      document.uri,
      placeOf(document, "PersistentVolumeClaim"),
    );
    const text = hover?.contents
      .map((content) => (typeof content === "string" ? content : content.value))
      .join("\n");
    assert.match(text ?? "", /Bound|provision/i);
  });

  test("a code lens says what becomes of an object, and leads to it in the simulation", async () => {
    const { document } = await openExample("cloud-disk-dynamic/app.yaml");
    const uri = document.uri.toString();
    const lenses = await codeLensesOf(document);
    assert.match(lenses[0]?.command?.title ?? "", /^is bound to /);
    const simulations = lenses.filter(({ command }) => command?.title === "Simulate");
    assert.deepEqual(
      simulations.map(({ command }) => [command?.command, command?.arguments]),
      ["kind: PersistentVolumeClaim", "kind: Pod"].map((kind) => [
        "claimcheck.simulateCluster",
        [{ uri, line: placeOf(document, kind).line - 1 }],
      ]),
    );
    const explained = lenses.filter(({ command }) => command?.title === "Explain");
    assert.equal(explained.length, simulations.length);
  });

  test("a hint shows the size and zone of the volume that a claim gets, and its tooltip the name", async () => {
    const { document } = await openExample("cloud-disk-dynamic/app.yaml");
    // The server answers hints even before a prediction has ended.
    await codeLensesOf(document);
    const hints = await vscode.commands.executeCommand<vscode.InlayHint[]>(
      "vscode.executeInlayHintProvider",
      document.uri,
      new vscode.Range(0, 0, 12, 0),
    );
    const line = placeOf(document, "name: disk-pvc").line;
    const ofClaim = hints.filter(({ position }) => position.line === line);
    const labels = ofClaim.map(({ label }) => String(label));
    assert.match(labels.join(""), /^→ new volume, 30Gi in cn-hangzhou-\w$/);
    assert.match(String(ofClaim[0]?.tooltip), /^“disk-[0-9a-f-]{36}”/);
  });

  test("completion offers each class with its provisioner, and no class", async () => {
    const { document } = await openExample("cloud-disk-dynamic/app.yaml");
    const place = placeOf(document, "csi-disk");
    const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
      "vscode.executeCompletionItemProvider",
      document.uri,
      place,
    );
    const details = new Map(items.map(({ label, detail }) => [String(label), detail]));
    assert.equal(details.get("csi-disk"), "diskplugin.csi.alibabacloud.com");
    assert.equal(details.get('""'), "no class");
  });

  test("a misspelled fault code in a scenario is underlined, and the message lists the valid ones", async () => {
    const { document } = await openExample("cloud-disk-dynamic/lifecycle.scenario.yaml");
    const edit = new vscode.WorkspaceEdit();
    const fault = "  - fault: { driver: d.csi, call: CreateVolume, code: Intrnal }\n";
    edit.insert(document.uri, placeOf(document, "steps:").translate(1, 0), fault);
    await vscode.workspace.applyEdit(edit);
    const found = await diagnosticsThat(document.uri, (all) =>
      all.some(({ range }) => document.getText(range) === "Intrnal"),
    );
    const finding = found.find(({ range }) => document.getText(range) === "Intrnal");
    assert.match(finding?.message ?? "", /“code” must be one of OK, Canceled, .*ResourceExhausted/);
  });

  test("the definition of a pod's claim is the claim", async () => {
    const { document } = await openExample("cloud-disk-dynamic/app.yaml");
    const place = placeOf(document, "claimName:").translate(0, "claimName: ".length + 1);
    const found = await vscode.commands.executeCommand<(vscode.Location | vscode.LocationLink)[]>(
      "vscode.executeDefinitionProvider",
      document.uri,
      place,
    );
    const [target] = found.map((link) => ("targetUri" in link ? link.targetUri : link.uri));
    assert.match(target?.path ?? "", /cloud-disk-dynamic\/app\.yaml$/);
  });
});

/** Asks until there are lenses: the server answers even before a prediction has ended. */
async function codeLensesOf(document: vscode.TextDocument): Promise<readonly vscode.CodeLens[]> {
  for (;;) {
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      "vscode.executeCodeLensProvider",
      document.uri,
    );
    if (lenses.length > 0) return lenses;
  }
}
