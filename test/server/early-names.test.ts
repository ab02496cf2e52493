/** Requests about names while the workspace is still being read. */
import assert from "node:assert/strict";
import type { CompletionList, Location, WorkspaceEdit } from "vscode-languageserver";
import { UnreadFiles } from "../../src/language-server/workspace/files/unread-files.ts";
import { memoryFileSystem, memoryFolder, memoryUri } from "../support/memory-workspace.ts";
import { serverHere } from "../support/server-here.ts";

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
const claims = `apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  labels:
    name: label
  name: logs
  namespace: shop
spec:
  accessModes: [ReadWriteOnce]
  storageClassName: fast
`;
const uri = memoryUri("claim.yaml");
const onClass = { line: 5, character: 20 };
const classUri = memoryUri("class.yaml");

suite("a server that is still reading its files", () => {
  /** Sends the request while one file is still unread and no other is parsed, then lets the server read the rest. */
  async function ask<T>(method: string, params: object = {}): Promise<T> {
    const files = {
      "claim.yaml": claim,
      "claims.yaml": claims,
      "class.yaml": storageClass,
      "late.yaml": storageClass.replace("fast", "late"),
      "other/claimcheck.yaml": "profile: kind\n",
      "other/class.yaml": storageClass.replace("fast", "elsewhere"),
    };
    const fileSystem = memoryFileSystem(new Map(Object.entries(files)));
    let read = (): void => {};
    const mayRead = new Promise<void>((resolve) => {
      read = resolve;
    });
    const client = serverHere(files, {
      fileSystem: {
        ...fileSystem,
        readFile: async (file) => {
          if (file.endsWith("late.yaml")) await mayRead;
          return await fileSystem.readFile(file);
        },
      },
    });
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
      const at = { textDocument: { uri }, position: onClass };
      const answer = await client.sendRequest<T>(method, { ...at, ...params });
      read();
      return answer;
    } finally {
      client.dispose();
    }
  }

  test("completes the known names, and marks the list as incomplete", async () => {
    const { isIncomplete, items } = await ask<CompletionList>("textDocument/completion");
    assert.equal(isIncomplete, true);
    const labels = items.map(({ label }) => label);
    assert.ok(labels.includes("fast"));
    assert.ok(!labels.includes("late"));
    assert.ok(!labels.includes("elsewhere"), "another environment's");
  });

  test("finds the definition of a name", async () => {
    const found = await ask<Location[]>("textDocument/definition");
    assert.deepEqual(
      found.map((place) => [place.uri, place.range.start.line]),
      [[classUri, 2]],
    );
  });

  test("finds all references to a name", async () => {
    const context = { includeDeclaration: true };
    const found = await ask<Location[]>("textDocument/references", { context });
    assert.deepEqual(
      found.map((place) => place.uri),
      [classUri, uri, memoryUri("claims.yaml")],
    );
  });

  test("renames an object and all references to it", async () => {
    const edit = await ask<WorkspaceEdit>("textDocument/rename", { newName: "quick" });
    assert.deepEqual(Object.keys(edit.changes ?? {}).sort(), [
      uri,
      memoryUri("claims.yaml"),
      classUri,
    ]);
  });
});

suite("the names of objects in an unread text", () => {
  function named(text: string): readonly string[] {
    const unread = new UnreadFiles();
    unread.add(uri, text);
    return unread.named(() => true).map((o) => `${o.kind}/${o.namespace}/${o.name}`);
  }

  test("are found in the first fields of each document", () => {
    assert.deepEqual(named(`${storageClass}---\n${claims}`), [
      "StorageClass//fast",
      "PersistentVolumeClaim/shop/logs",
    ]);
  });

  test("are not found in templates and in files of other programs", () => {
    assert.deepEqual(named(claims.replace("logs", "{{ .Values.name }}")), []);
    assert.deepEqual(named("kind: Recipe\nmetadata:\n  name: soup\n"), []);
  });

  test("are missing if the server generates them", () => {
    assert.deepEqual(named(claims.replace("  name: logs", "  generateName: logs-")), []);
  });
});
