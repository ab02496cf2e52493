/** Lenses with an object's outcome, and with links if the client has the commands. */
import assert from "node:assert/strict";
import { startBuiltServer } from "../support/built-server.ts";
import type { LanguageClient } from "../support/language-client.ts";

const uri = "untitled:claim";
const text = `apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec:
  storageClassName: a-class-with-a-name-that-is-as-long-as-names-made-by-charts-often-are-in-the-end
  accessModes: [ReadWriteOnce]
  resources: { requests: { storage: 1Gi } }
`;
const whole =
  'stays Pending: class "a-class-with-a-name-that-is-as-long-as-names-made-by-charts-often-are-in-the-end" does not exist';

type Command = Readonly<Record<"title" | "command" | "tooltip", string | undefined>>;

suite("code lenses over stdio", function (this: Mocha.Suite) {
  this.timeout(30_000);
  let client: LanguageClient;
  teardown(() => client.kill());

  async function lensesWith(initializationOptions: object): Promise<readonly Command[]> {
    client = await startBuiltServer();
    const params = { processId: null, rootUri: null, capabilities: {}, initializationOptions };
    await client.request("initialize", params);
    client.notify("initialized", {});
    client.notify("textDocument/didOpen", {
      textDocument: { uri, languageId: "yaml", version: 1, text },
    });
    const asked = { textDocument: { uri } };
    // Waits for the prediction.
    await client.request("claimcheck/explain", { uri, position: { line: 2, character: 0 } });
    const lenses = await client.request<readonly { readonly command: Command }[]>(
      "textDocument/codeLens",
      asked,
    );
    return lenses.map(({ command }) => command);
  }

  test("are truncated if links follow that would be out of sight, with the whole text as tooltip", async () => {
    const [verdict, ...links] = await lensesWith({ commandLinks: true });
    assert.deepEqual(verdict, { title: `${whole.slice(0, 79)}…`, tooltip: whole, command: "" });
    assert.deepEqual(
      links.map(({ title }) => title),
      ["Explain", "Simulate"],
    );
  });

  test("are whole if no links follow", async () => {
    assert.deepEqual(await lensesWith({}), [{ title: whole, command: "" }]);
  });
});
