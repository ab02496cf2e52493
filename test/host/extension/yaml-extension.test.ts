import * as vscode from "vscode";
import { activateExtension, diagnosticsThat, openExample, placeOf, revertAll } from "./support.ts";

const global = vscode.ConfigurationTarget.Global;

/** Changes a setting; the stand-in for Red Hat's extension has declared those that begin with `yaml`. */
function set(name: string, value: unknown): Thenable<void> {
  return vscode.workspace.getConfiguration().update(name, value, global);
}

suite("beside Red Hat's YAML extension", () => {
  suiteSetup(async () => {
    await activateExtension();
  });

  teardown(async () => {
    await set("yaml.schemas", undefined);
    await set("yaml.validate", undefined);
    await set("claimcheck.structuralErrors", undefined);
    await revertAll();
  });

  test("structural errors are not reported in files that it checks against the schema of Kubernetes", async () => {
    const { document } = await openExample("nfs-and-rook/mysql-pv-claim.yaml");
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, placeOf(document, "spec:"), "unknownField: 1\n");
    await vscode.workspace.applyEdit(edit);
    const isTold = (found: readonly vscode.Diagnostic[]): boolean =>
      found.some(({ message }) => message.includes('unknown field "unknownField"'));
    const isLeft = (found: readonly vscode.Diagnostic[]): boolean => !isTold(found);

    await diagnosticsThat(document.uri, isTold);
    await set("yaml.schemas", { kubernetes: "*.yaml" });
    await diagnosticsThat(document.uri, isLeft);
    await set("claimcheck.structuralErrors", "always");
    await diagnosticsThat(document.uri, isTold);
    await set("claimcheck.structuralErrors", undefined);
    await diagnosticsThat(document.uri, isLeft);
    await set("yaml.validate", false);
    await diagnosticsThat(document.uri, isTold);
  });
});
