import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { activateExtension, openExample, revertAll } from "./support.ts";

const claim = `apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: Node
  metadata: { name: worker-1 }
- apiVersion: v1
  kind: Secret
  metadata: { name: password }
  data: { password: aHVudGVyMg== }
`;

suite("importing a cluster", () => {
  suiteSetup(async () => {
    await activateExtension();
  });

  teardown(revertAll);

  test("keeps a file that no import has made unless the user agrees to replace it", async () => {
    const { document } = await openExample("all-pending/mysql.yaml");
    const folder = vscode.Uri.joinPath(document.uri, "..", "own");
    const own = vscode.Uri.joinPath(folder, "cluster.yaml");
    await vscode.workspace.fs.createDirectory(folder);
    try {
      await vscode.workspace.fs.writeFile(own, new TextEncoder().encode("# mine\n"));
      const given = { text: claim, folder: folder.toString() };
      // Under tests the editor shows no dialog and answers as if the user had declined.
      await vscode.commands.executeCommand("claimcheck.importCluster", given);
      assert.equal(await textOf(own), "# mine\n");
    } finally {
      await vscode.workspace.fs.delete(folder, { recursive: true });
    }
  });

  test("writes the cluster's objects without the data of Secrets, and names the file in claimcheck.yaml", async () => {
    const { document } = await openExample("all-pending/mysql.yaml");
    const folder = vscode.Uri.joinPath(document.uri, "..", "imported");
    const given = { text: claim, folder: folder.toString() };
    await vscode.workspace.fs.createDirectory(folder);
    try {
      await vscode.commands.executeCommand("claimcheck.importCluster", given);
      const objects = await textOf(vscode.Uri.joinPath(folder, "cluster.yaml"));
      assert.match(objects, /name: worker-1/);
      assert.doesNotMatch(objects, /aHVudGVyMg/);
      const project = await textOf(vscode.Uri.joinPath(folder, "claimcheck.yaml"));
      assert.equal(project, "cluster:\n  import: cluster.yaml\n");
      // A file made by an import is replaced by the next one without a question.
      const later = { ...given, text: claim.replace("worker-1", "worker-2") };
      await vscode.commands.executeCommand("claimcheck.importCluster", later);
      assert.match(await textOf(vscode.Uri.joinPath(folder, "cluster.yaml")), /name: worker-2/);
    } finally {
      await vscode.workspace.fs.delete(folder, { recursive: true });
    }
  });
});

async function textOf(uri: vscode.Uri): Promise<string> {
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}
