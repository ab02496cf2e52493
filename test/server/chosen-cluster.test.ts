/** Choosing the cluster at a missing class, which is offered to clients that have the command for it. */
import assert from "node:assert/strict";
import { startBuiltServer } from "../support/built-server.ts";
import type { LanguageClient } from "../support/language-client.ts";

const uri = "untitled:claim";
const text = `apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec:
  storageClassName: fast
  accessModes: [ReadWriteOnce]
  resources: { requests: { storage: 1Gi } }
`;

interface Action {
  readonly edit?: object;
  readonly command?: { readonly command: string };
}

suite("the choice of a cluster over stdio", function (this: Mocha.Suite) {
  this.timeout(30_000);
  let client: LanguageClient;
  teardown(() => client.kill());

  async function commandsWith(initializationOptions: object): Promise<readonly string[]> {
    client = await startBuiltServer();
    const params = { processId: null, rootUri: null, capabilities: {}, initializationOptions };
    await client.request("initialize", params);
    client.notify("initialized", {});
    client.notify("textDocument/didOpen", {
      textDocument: { uri, languageId: "yaml", version: 1, text },
    });
    const at = { line: 4, character: 22 };
    // Waits for the prediction.
    await client.request("claimcheck/explain", { uri, position: at });
    const actions = await client.request<readonly Action[]>("textDocument/codeAction", {
      textDocument: { uri },
      range: { start: at, end: at },
      context: { diagnostics: [] },
    });
    for (const { edit, command } of actions)
      assert.equal(edit === undefined, command !== undefined);
    return actions.flatMap(({ command }) => command?.command ?? []);
  }

  test("is offered as a command if the client has it", async () => {
    assert.deepEqual(await commandsWith({ commandLinks: true }), ["claimcheck.selectProfile"]);
  });

  test("is not offered to other clients", async () => {
    assert.deepEqual(await commandsWith({}), []);
  });
});
