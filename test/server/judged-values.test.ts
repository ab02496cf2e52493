/** Values files of a chart: choosing one, as any editor can. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { startBuiltServer } from "../support/built-server.ts";
import type { LanguageClient } from "../support/language-client.ts";

const files: Readonly<Record<string, string>> = {
  "claimcheck.yaml":
    "charts: [{ chart: shop, values: [shop/values-dev.yaml, shop/values-x.yaml] }]\n",
  "shop/Chart.yaml": "apiVersion: v2\nname: shop\nversion: 1.0.0\n",
  "shop/values-dev.yaml": "size: 1Gi\n",
  "shop/values-x.yaml": "more: true\n",
  "shop/values-prod.yaml": "size: 9Gi\n",
};

suite("values over stdio", function (this: Mocha.Suite) {
  this.timeout(30_000);
  const folder = mkdtempSync(join(tmpdir(), "claimcheck-values-"));
  const uriOf = (path: string): string => pathToFileURL(join(folder, path)).href;
  const uri = uriOf("shop/values-prod.yaml");
  let client: LanguageClient;

  suiteSetup(async () => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(folder, path, ".."), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    client = await startBuiltServer();
    await client.request("initialize", {
      processId: null,
      rootUri: pathToFileURL(folder).href,
      capabilities: { workspace: { applyEdit: true } },
    });
    client.notify("initialized", {});
  });
  suiteTeardown(() => {
    client.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  const judge = (): Promise<unknown> =>
    client.request("workspace/executeCommand", {
      command: "claimcheck.judgeValues",
      arguments: [uri],
    });

  test("that are not judged have a lens that says so and one that chooses them", async () => {
    await client.request("claimcheck/environments", {});
    const lenses = await client.request<readonly { readonly command: object }[]>(
      "textDocument/codeLens",
      { textDocument: { uri } },
    );
    assert.deepEqual(
      lenses.map(({ command }) => command),
      [
        { title: "Not judged; values-dev.yaml, values-x.yaml are judged instead", command: "" },
        {
          title: "Judge With These Values",
          command: "claimcheck.judgeValues",
          arguments: [uri],
        },
      ],
    );
  });

  test("have to be named by hand if claimcheck.yaml names several files", async () => {
    await judge();
    const told = await client.until(() =>
      client.last<{ readonly message: string }>("window/showMessage"),
    );
    assert.equal(
      told.message,
      "To judge it, write `values: [shop/values-prod.yaml]` with the chart below `charts` into claimcheck.yaml",
    );
  });

  test("are written into claimcheck.yaml by a command", async () => {
    const text = "charts: [{ chart: shop, values: [shop/values-dev.yaml] }]\n";
    client.notify("textDocument/didOpen", {
      textDocument: { uri: uriOf("claimcheck.yaml"), languageId: "yaml", version: 1, text },
    });
    await judge();
    const { edit } = await client.until(() =>
      client.last<{ readonly edit: object }>("workspace/applyEdit"),
    );
    const [start, end] = [
      { line: 0, character: 33 },
      { line: 0, character: 53 },
    ];
    assert.deepEqual(edit, {
      changes: {
        [uriOf("claimcheck.yaml")]: [{ range: { start, end }, newText: "shop/values-prod.yaml" }],
      },
    });
  });
});
