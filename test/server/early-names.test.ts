/** Questions for names while the workspace is still being read. */
import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import {
  type CompletionList,
  createConnection,
  createProtocolConnection,
  ProposedFeatures,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import { startServer } from "../../src/language-server/server.ts";
import { memoryFileSystem, memoryFolder, memoryUri } from "../support/memory-workspace.ts";

const storageClass = `apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: fast }
provisioner: disks.example.com
`;
const claim = `apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec:
  accessModes: [ReadWriteOnce]
  storageClassName: fast
`;
const uri = memoryUri("claim.yaml");
const onClass = { line: 5, character: 20 };

suite("a server that is still reading its files", () => {
  /** Asks while nothing but the open file is known, then lets the server read the rest. */
  async function ask<T>(method: string): Promise<T> {
    const files = memoryFileSystem(
      new Map([
        ["claim.yaml", claim],
        ["class.yaml", storageClass],
      ]),
    );
    let read = (): void => {};
    const mayRead = new Promise<void>((resolve) => {
      read = resolve;
    });
    const [toServer, toClient] = [new PassThrough(), new PassThrough()];
    startServer(
      createConnection(
        ProposedFeatures.all,
        new StreamMessageReader(toServer),
        new StreamMessageWriter(toClient),
      ),
      {
        fileSystem: {
          ...files,
          listFiles: async (folder) => {
            await mayRead;
            return await files.listFiles(folder);
          },
        },
        pause: () => new Promise((resolve) => setImmediate(resolve)),
      },
    );
    const client = createProtocolConnection(
      new StreamMessageReader(toClient),
      new StreamMessageWriter(toServer),
    );
    client.listen();
    try {
      await client.sendRequest("initialize", {
        processId: null,
        rootUri: memoryFolder,
        capabilities: {},
        initializationOptions: {},
      });
      await client.sendNotification("initialized", {});
      await client.sendNotification("textDocument/didOpen", {
        textDocument: { uri, languageId: "yaml", version: 1, text: claim },
      });
      const answer = client.sendRequest<T>(method, { textDocument: { uri }, position: onClass });
      // Answered after the question has been taken in.
      await client.sendRequest("textDocument/foldingRange", { textDocument: { uri } });
      read();
      return await answer;
    } finally {
      client.dispose();
    }
  }

  test("completes at once, and says that more names are to come", async () => {
    const answer = await ask<CompletionList>("textDocument/completion");
    assert.equal(answer.isIncomplete, true);
    assert.ok(!answer.items.some(({ label }) => label === "fast"));
  });
});
