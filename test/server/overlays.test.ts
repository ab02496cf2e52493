/** Overlays that build different objects from the same files: choosing one, as any editor can. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Environment } from "../../src/protocol/messages.ts";
import { startBuiltServer } from "../support/built-server.ts";
import type { LanguageClient } from "../support/language-client.ts";

const files: Readonly<Record<string, string>> = {
  "base/kustomization.yaml": "resources: [claim.yaml]\n",
  "base/claim.yaml": `apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec: { storageClassName: "", accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
`,
  "dev/kustomization.yaml": "resources: [../base]\nnamePrefix: dev-\n",
  "prod/kustomization.yaml": "resources: [../base]\nnamePrefix: prod-\n",
};

suite("overlays over stdio", function (this: Mocha.Suite) {
  this.timeout(30_000);
  const folder = mkdtempSync(join(tmpdir(), "claimcheck-overlays-"));
  const uriOf = (path: string): string => pathToFileURL(join(folder, path)).href;
  let client: LanguageClient;

  suiteSetup(async () => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(folder, path, ".."), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    writeFileSync(join(folder, "claimcheck.yaml"), "profile: kind\n");
    client = await startBuiltServer();
    await client.request("initialize", {
      processId: null,
      rootUri: pathToFileURL(folder).href,
      capabilities: { workspace: { applyEdit: true } },
      initializationOptions: { commandLinks: true },
    });
    client.notify("initialized", {});
    for (const path of ["dev/kustomization.yaml", "prod/kustomization.yaml"])
      client.notify("textDocument/didOpen", {
        textDocument: { uri: uriOf(path), languageId: "yaml", version: 1, text: files[path] },
      });
  });
  suiteTeardown(() => {
    client.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  test("are listed with the one that is judged", async () => {
    const overlays = await client.request<readonly object[]>("claimcheck/overlays", {});
    const [, environment] = /([^/]+)$/.exec(folder) ?? [];
    assert.deepEqual(overlays, [
      { uri: uriOf("dev/kustomization.yaml"), folder: "dev", environment, isJudged: true },
      { uri: uriOf("prod/kustomization.yaml"), folder: "prod", environment, isJudged: false },
    ]);
  });

  test("are included in the environment, so that clients can show which is judged", async () => {
    const [environment] = await client.request<readonly Environment[]>(
      "claimcheck/environments",
      {},
    );
    assert.deepEqual(environment?.overlays, ["dev"]);
  });

  test("have lenses that say which is judged, and that choose one", async () => {
    const lensesOf = async (path: string): Promise<readonly object[]> => {
      const lenses = await client.request<
        readonly { readonly command: { readonly title: string; readonly command: string } }[]
      >("textDocument/codeLens", { textDocument: { uri: uriOf(path) } });
      return lenses.map(({ command }) => [command.title, command.command]);
    };
    await client.request("claimcheck/environments", {});
    assert.deepEqual(await lensesOf("dev/kustomization.yaml"), [
      ["Judged, in place of prod", ""],
      ["Judge Another…", "claimcheck.selectOverlay"],
    ]);
    assert.deepEqual(await lensesOf("prod/kustomization.yaml"), [
      ["Not judged; dev is judged instead", ""],
      ["Judge This Overlay", "claimcheck.judgeOverlay"],
    ]);
    assert.deepEqual(await lensesOf("base/kustomization.yaml"), []);
  });

  test("are chosen by a command, which edits claimcheck.yaml", async () => {
    await client.request("workspace/executeCommand", {
      command: "claimcheck.judgeOverlay",
      arguments: [uriOf("prod/kustomization.yaml")],
    });
    const { edit } = await client.until(() =>
      client.last<{ readonly edit: object }>("workspace/applyEdit"),
    );
    const at = { line: 0, character: 13 };
    assert.deepEqual(edit, {
      changes: {
        [uriOf("claimcheck.yaml")]: [
          { range: { start: at, end: at }, newText: "\nkustomization: prod" },
        ],
      },
    });
  });
});
