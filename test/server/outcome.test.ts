/** The outcome of all objects, as requested by a client that lists it. */
import assert from "node:assert/strict";
import type {
  EnvironmentsParams,
  OutcomeParams,
  OutcomeReply,
} from "../../src/protocol/messages.ts";
import { startBuiltServer } from "../support/built-server.ts";
import type { LanguageClient } from "../support/language-client.ts";

const uri = "untitled:manifests";

function manifests(className: string): string {
  return `apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: fast }
provisioner: ebs.csi.aws.com
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec:
  storageClassName: ${className}
  accessModes: [ReadWriteOnce]
  resources: { requests: { storage: 1Gi } }
`;
}

suite("outcome over stdio", function (this: Mocha.Suite) {
  this.timeout(30_000);
  let client: LanguageClient;
  suiteSetup(async () => {
    client = await startBuiltServer();
    const params = { processId: null, rootUri: null, capabilities: {} };
    await client.request("initialize", params);
    client.notify("initialized", {});
  });
  suiteTeardown(() => client.kill());

  /** Requests the outcome at each change of the environments, as a client does, until its first line matches. */
  async function outcomeThat(says: RegExp): Promise<readonly string[]> {
    for (;;) {
      const told = client.last<EnvironmentsParams>("claimcheck/environmentsChanged");
      const params: OutcomeParams = { environment: told?.environments[0]?.id ?? "" };
      const reply = await client.request<OutcomeReply | null>("claimcheck/outcome", params);
      const rows = (reply?.groups ?? []).flatMap((group) => group.rows);
      const lines = rows.map(({ mark, headline }) => `${mark}: ${headline}`);
      if (says.test(lines[0] ?? "")) return lines;
      await client.until(() => {
        const news = client.last<EnvironmentsParams>("claimcheck/environmentsChanged");
        return news === told ? undefined : news;
      });
    }
  }

  test("follows edits, which the client is notified of", async () => {
    client.notify("textDocument/didOpen", {
      textDocument: { uri, languageId: "yaml", version: 1, text: manifests("fst") },
    });
    assert.deepEqual(await outcomeThat(/^stuck/), [
      'stuck: data stays Pending: class "fst" does not exist',
    ]);
    client.notify("textDocument/didChange", {
      textDocument: { uri, version: 2 },
      contentChanges: [{ text: manifests("fast") }],
    });
    const [claim, volume] = await outcomeThat(/^healthy/);
    assert.match(claim ?? "", /^healthy: data is bound to volume/);
    assert.match(volume ?? "", /^healthy: pvc-.* is bound to claim default\/data/);
  });

  test("is null for an unknown environment", async () => {
    const params = { environment: "file:///nowhere" };
    assert.equal(await client.request("claimcheck/outcome", params), null);
  });
});
