import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { Simulation } from "../../../src/engine/simulation.ts";
import { traceHash } from "../../../src/engine/trace/hash.ts";
import type { ExtensionApi } from "../../../src/extension/activation.ts";
import type { FromPage } from "../../../src/protocol/page-messages.ts";
import { activateExtension, exampleUri, next, openExample, placeOf, revertAll } from "./support.ts";

type Shown = Extract<FromPage, { type: "shown" }>;

suite("simulation panel", () => {
  let api: ExtensionApi;

  suiteSetup(async () => {
    api = await activateExtension();
  });

  teardown(revertAll);

  function nextShown(passes: (shown: Shown) => boolean = () => true): Promise<Shown> {
    const isShown = (message: FromPage): boolean => message.type === "shown" && passes(message);
    return next(api.onPageMessage, isShown) as Promise<Shown>;
  }

  async function open(path: string): Promise<Shown> {
    await openExample(path);
    const shown = nextShown();
    await vscode.commands.executeCommand("claimcheck.simulateCluster");
    return shown;
  }

  test("the page simulates the environment of the open file, with the hash that Node computes", async () => {
    const shown = await open("cloud-disk-dynamic/app.yaml");
    const uri = exampleUri("cloud-disk-dynamic/app.yaml").toString();
    const reply = await api.scenario({ uri });
    assert.ok(reply !== null);
    assert.equal(shown.environment, reply.environment.id);
    assert.equal(shown.hash, traceHash(new Simulation(reply.scenario).run().entries));
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    assert.ok(tabs.some((tab) => tab.input instanceof vscode.TabInputWebview));
  });

  test("an unsaved edit is simulated at once", async () => {
    const before = await open("cloud-disk-dynamic/app.yaml");
    const editor = await openExample("cloud-disk-dynamic/app.yaml");
    const after = nextShown(({ hash }) => hash !== before.hash);
    const place = placeOf(editor.document, "30Gi");
    await editor.edit((edit) =>
      edit.replace(new vscode.Range(place, place.translate(0, 4)), "40Gi"),
    );
    assert.equal((await after).environment, before.environment);
  });

  test("a changed setting is simulated at once", async () => {
    await open("cloud-disk-dynamic/app.yaml");
    const uri = exampleUri("cloud-disk-dynamic/app.yaml").toString();
    const configuration = vscode.workspace.getConfiguration("claimcheck");
    const global = vscode.ConfigurationTarget.Global;
    const shown = nextShown();
    await configuration.update("kubernetesVersion", "1.32", global);
    await shown;
    assert.equal((await api.scenario({ uri }))?.scenario.version, "1.32");
    const shownAgain = nextShown();
    await configuration.update("kubernetesVersion", undefined, global);
    await shownAgain;
    assert.equal((await api.scenario({ uri }))?.scenario.version, "1.36");
  });

  test("run on a file of another folder, the command shows that folder's cluster", async () => {
    const first = await open("cloud-disk-dynamic/app.yaml");
    await openExample("all-pending/mysql.yaml");
    const shown = nextShown(({ environment }) => environment !== first.environment);
    await vscode.commands.executeCommand("claimcheck.simulateCluster");
    assert.match((await shown).environment, /all-pending/);
  });

  test("Explain is about the object selected on the page while the page has the focus", async () => {
    const ref = "PersistentVolumeClaim/default/data-redis-0";
    const { environment } = await open("all-pending/redis.yaml");
    const selected = next(
      api.onPageMessage,
      (message) => message.type === "selected" && message.ref === ref,
    );
    await vscode.commands.executeCommand("claimcheck.simulateCluster", { environment, ref });
    await selected;
    assert.equal(vscode.window.activeTextEditor, undefined);
    const opened = next(
      vscode.workspace.onDidOpenTextDocument,
      ({ uri }) => uri.scheme === "claimcheck-explanation",
    );
    await vscode.commands.executeCommand("claimcheck.explain");
    assert.match((await opened).getText(), /^# Claim data-redis-0 stays Pending/);
  });

  test("each saved scenario gets a file of its own", async () => {
    await open("all-pending/redis.yaml");
    const saved: vscode.Uri[] = [];
    try {
      for (const name of ["what-if.scenario.yaml", "what-if-2.scenario.yaml"]) {
        const isIt = ({ uri }: vscode.TextDocument): boolean => uri.path.endsWith(`/${name}`);
        const opened = next(vscode.workspace.onDidOpenTextDocument, isIt);
        await vscode.commands.executeCommand("claimcheck.saveScenario");
        saved.push((await opened).uri);
      }
    } finally {
      for (const uri of saved) await vscode.workspace.fs.delete(uri);
    }
  });

  test("the scenario of an unsaved document is opened as an unsaved document too", async () => {
    const content = "apiVersion: v1\nkind: Namespace\nmetadata: { name: unsaved }\n";
    const text = await vscode.workspace.openTextDocument({ language: "yaml", content });
    await vscode.window.showTextDocument(text);
    const shown = nextShown(({ environment }) => environment.startsWith("untitled"));
    await vscode.commands.executeCommand("claimcheck.simulateCluster");
    await shown;
    const opened = next(
      vscode.workspace.onDidOpenTextDocument,
      ({ uri }) => uri.scheme === "untitled" && uri.toString() !== text.uri.toString(),
    );
    await vscode.commands.executeCommand("claimcheck.saveScenario");
    const saved = await opened;
    assert.match(saved.getText(), /kind: Namespace/);
    for (const { uri } of [saved, text]) {
      await vscode.window.showTextDocument(uri, { viewColumn: vscode.ViewColumn.One });
      await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
    }
  });
});
