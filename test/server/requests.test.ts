/** Other requests of editors, and what the protocol's answers look like. */
import assert from "node:assert/strict";
import {
  CancellationTokenSource,
  type CodeAction,
  type CodeLens,
  type CompletionItem,
  type Diagnostic,
  DiagnosticSeverity,
  type DocumentHighlight,
  type DocumentLink,
  type DocumentSymbol,
  type Hover,
  type InitializeResult,
  type InlayHint,
  InsertTextFormat,
  type Location,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
  type SymbolInformation,
  SymbolKind,
  SymbolTag,
} from "vscode-languageserver";
import type {
  EnvironmentsReply,
  ImportClusterReply,
  LocateReply,
  UnreadableReply,
} from "../../src/protocol/messages.ts";
import { memoryFileSystem, memoryFolder, memoryUri } from "../support/memory-workspace.ts";
import { serverHere } from "../support/server-here.ts";

const app = `apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec: { storageClassName: fast, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
---
apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  containers: [{ name: c, image: i, volumeMounts: [{ name: v, mountPath: /d }] }]
  volumes: [{ name: v, persistentVolumeClaim: { claimName: data } }]
`;
const files = {
  "app.yaml": app,
  "broken.yaml": "# Not yet.\napiVersion: v1\nkind: Pod\nmetadata: { name: [\n",
  "class.yaml": `apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: fast }
provisioner: ebs.csi.aws.com
---
apiVersion: storage.k8s.io/v1beta1
kind: StorageClass
metadata: { name: old }
provisioner: ebs.csi.aws.com
`,
  "kustomization.yaml": "resources: [app.yaml, class.yaml]\n",
};
const textDocument = { uri: memoryUri("app.yaml") };
const ofClass = { textDocument: { uri: memoryUri("class.yaml") } };
const onUse = { textDocument, position: { line: 10, character: 59 } };

interface Ready {
  readonly client: ProtocolConnection;
  readonly logged: readonly string[];
}

type Capabilities = Readonly<Record<string, object>>;

suite("an editor's requests", () => {
  let clients: ProtocolConnection[] = [];
  teardown(() => {
    for (const client of clients) client.dispose();
    clients = [];
  });

  async function ready(
    capabilities: Capabilities = {},
    of: Readonly<Record<string, string>> = files,
    runtime: Parameters<typeof serverHere>[1] = {},
    initializationOptions: object = {},
  ): Promise<Ready> {
    const client = serverHere(of, runtime);
    clients.push(client);
    const logged: string[] = [];
    client.onNotification("window/logMessage", ({ message }: { readonly message: string }) => {
      logged.push(message);
    });
    await client.sendRequest("initialize", {
      processId: null,
      rootUri: memoryFolder,
      capabilities,
      initializationOptions,
    });
    await client.sendNotification("initialized", {});
    // Is answered once all findings are known.
    await client.sendRequest("workspace/diagnostic", { previousResultIds: [] });
    return { client, logged };
  }

  test("the server announces all its capabilities", async () => {
    const client = serverHere(files);
    clients.push(client);
    const { capabilities, serverInfo } = await client.sendRequest<InitializeResult>("initialize", {
      processId: null,
      rootUri: memoryFolder,
      capabilities: { textDocument: { diagnostic: {} } },
    });
    assert.equal(serverInfo?.name, "claimcheck");
    assert.deepEqual(Object.keys(capabilities).sort(), [
      "callHierarchyProvider",
      "codeActionProvider",
      "codeLensProvider",
      "completionProvider",
      "declarationProvider",
      "definitionProvider",
      "diagnosticProvider",
      "documentHighlightProvider",
      "documentLinkProvider",
      "documentSymbolProvider",
      "executeCommandProvider",
      "foldingRangeProvider",
      "hoverProvider",
      "implementationProvider",
      "inlayHintProvider",
      "referencesProvider",
      "renameProvider",
      "selectionRangeProvider",
      "textDocumentSync",
      "typeDefinitionProvider",
      "workspace",
      "workspaceSymbolProvider",
    ]);
    assert.deepEqual(capabilities.codeActionProvider, {
      codeActionKinds: ["quickfix", "refactor.rewrite", "source.fixAll.claimcheck"],
    });
  });

  test("an object's own name is highlighted as written, its uses as read", async () => {
    const { client } = await ready();
    const found = await client.sendRequest<DocumentHighlight[]>(
      "textDocument/documentHighlight",
      onUse,
    );
    assert.deepEqual(
      found.map(({ kind, range }) => [kind, range.start, range.end.character]),
      [
        [3, { line: 2, character: 18 }, 22],
        [2, { line: 10, character: 59 }, 63],
      ],
    );
  });

  test("files in a kustomization are linked", async () => {
    const { client } = await ready();
    const params = { textDocument: { uri: memoryUri("kustomization.yaml") } };
    const [link, ...others] = await client.sendRequest<DocumentLink[]>(
      "textDocument/documentLink",
      params,
    );
    assert.deepEqual(link, {
      range: { start: { line: 0, character: 12 }, end: { line: 0, character: 20 } },
      target: textDocument.uri,
      tooltip: "Open the file",
    });
    assert.equal(others.length, 1);
  });

  test("objects are found by some letters of their name, with their file", async () => {
    const { client } = await ready();
    const found = await client.sendRequest<SymbolInformation[]>("workspace/symbol", {
      query: "wb",
    });
    assert.deepEqual(found, [
      {
        name: "web",
        kind: SymbolKind.Object,
        containerName: "Pod in default",
        location: {
          uri: textDocument.uri,
          range: { start: { line: 7, character: 18 }, end: { line: 7, character: 21 } },
        },
      },
    ]);
  });

  test("the outline marks deprecated objects, as a tree or as a list", async () => {
    const hierarchicalDocumentSymbolSupport = true;
    const { client } = await ready({
      textDocument: { documentSymbol: { hierarchicalDocumentSymbolSupport } },
    });
    const tree = await client.sendRequest<DocumentSymbol[]>("textDocument/documentSymbol", ofClass);
    const named = tree.map(({ name, kind, tags }) => [name, kind, tags]);
    const expected = [
      ["fast", SymbolKind.Class, undefined],
      ["old", SymbolKind.Class, [SymbolTag.Deprecated]],
    ];
    assert.deepEqual(named, expected);
    const [, pod] = await client.sendRequest<DocumentSymbol[]>("textDocument/documentSymbol", {
      textDocument,
    });
    assert.deepEqual([pod?.name, pod?.children?.map(({ name }) => name)], ["web", ["c", "v"]]);
    const { client: other } = await ready();
    const list = await other.sendRequest<SymbolInformation[]>(
      "textDocument/documentSymbol",
      ofClass,
    );
    assert.deepEqual(
      list
        .filter(({ name }) => name !== "ebs.csi.aws.com")
        .map(({ name, kind, tags }) => [name, kind, tags]),
      expected,
    );
  });

  test("type definition, declaration and implementation lead to class, claim and driver", async () => {
    const { client } = await ready();
    const lines = async (method: string, params: object): Promise<unknown> => {
      const found = await client.sendRequest<Location[]>(method, params);
      return found.map(({ uri, range }) => [uri, range.start.line]);
    };
    const classUri = ofClass.textDocument.uri;
    assert.deepEqual(await lines("textDocument/typeDefinition", onUse), [[classUri, 2]]);
    const onPod = { textDocument, position: { line: 7, character: 19 } };
    assert.deepEqual(await lines("textDocument/declaration", onPod), [[textDocument.uri, 2]]);
    const driver =
      "apiVersion: storage.k8s.io/v1\nkind: CSIDriver\nmetadata: { name: ebs.csi.aws.com }\n";
    const { client: other } = await ready({}, { ...files, "driver.yaml": driver });
    const [found] = await other.sendRequest<Location[]>("textDocument/implementation", onUse);
    assert.equal(found?.uri, memoryUri("driver.yaml"));
  });

  test("a hover's range is the name, and it has links for a client with the commands", async () => {
    for (const commandLinks of [true, false]) {
      const { client } = await ready({}, files, {}, { commandLinks });
      const found = await client.sendRequest<Hover | null>("textDocument/hover", onUse);
      assert.deepEqual(found?.range, {
        start: { line: 10, character: 59 },
        end: { line: 10, character: 63 },
      });
      const text = JSON.stringify(found?.contents);
      assert.match(text, /Claim data is bound/);
      assert.equal(text.includes("command:claimcheck.explain"), commandLinks);
    }
  });

  test("inlay hints are within the requested range, each with a space before it", async () => {
    const { client } = await ready();
    const range = { start: { line: 0, character: 0 }, end: { line: 5, character: 0 } };
    const found = await client.sendRequest<InlayHint[]>("textDocument/inlayHint", {
      textDocument,
      range,
    });
    assert.ok(found.length > 0);
    for (const { position, label, paddingLeft } of found) {
      assert.ok(position.line < 5);
      assert.ok(paddingLeft === true || String(label).startsWith(" "));
    }
  });

  test("a comment has no hover, and a missing object no place", async () => {
    const { client } = await ready();
    const comment = { uri: memoryUri("broken.yaml") };
    const at = { textDocument: comment, position: { line: 0, character: 3 } };
    assert.equal(await client.sendRequest<Hover | null>("textDocument/hover", at), null);
    const environment = memoryFolder;
    const nobody = { environment, ref: "Pod/default/nobody" };
    assert.equal(await client.sendRequest<LocateReply | null>("claimcheck/locate", nobody), null);
  });

  test("whole manifests are completed only for a client with snippet support", async () => {
    const blank = memoryUri("blank.yaml");
    const offered = async (capabilities: Capabilities): Promise<readonly CompletionItem[]> => {
      const { client } = await ready(capabilities, { ...files, "blank.yaml": "\n" });
      return await client.sendRequest("textDocument/completion", {
        textDocument: { uri: blank },
        position: { line: 0, character: 0 },
      });
    };
    const isManifest = ({ textEdit }: CompletionItem): boolean =>
      textEdit?.newText.startsWith("apiVersion: v1\n") === true;
    const completionItem = { snippetSupport: true };
    const found = (await offered({ textDocument: { completion: { completionItem } } })).filter(
      isManifest,
    );
    assert.ok(found.length > 0);
    for (const item of found) assert.equal(item.insertTextFormat, InsertTextFormat.Snippet);
    assert.deepEqual((await offered({})).filter(isManifest), []);
  });

  test("lenses are at the object, and their commands explain and simulate it", async () => {
    const { client } = await ready({}, files, {}, { commandLinks: true });
    const lenses = await client.sendRequest<CodeLens[]>("textDocument/codeLens", {
      textDocument,
    });
    const atPod = lenses.filter(({ range }) => range.start.line === 5);
    assert.deepEqual(
      atPod.map(({ command }) => [command?.command, command?.arguments]),
      [
        ["", undefined],
        ["claimcheck.explain", [{ environment: memoryFolder, ref: "Pod/default/web" }]],
        ["claimcheck.simulateCluster", [{ uri: textDocument.uri, line: 5 }]],
      ],
    );
    assert.deepEqual([...new Set(lenses.map(({ range }) => range.start.line))].sort(), [0, 5]);
  });

  test("an action that creates a file is offered only to a client that can create files", async () => {
    const offered = async (resourceOperations: readonly string[]): Promise<readonly string[]> => {
      const workspaceEdit = { documentChanges: true, resourceOperations };
      const wrong = app.replace("fast", "fst");
      const { client } = await ready({ workspace: { workspaceEdit } }, { "app.yaml": wrong });
      const at = { line: 3, character: 28 };
      const actions = await client.sendRequest<CodeAction[]>("textDocument/codeAction", {
        textDocument,
        range: { start: at, end: at },
        context: { diagnostics: [] },
      });
      return actions
        .filter(({ edit }) => JSON.stringify(edit).includes('"kind":"create"'))
        .map(({ title }) => title);
    };
    assert.notDeepEqual(await offered(["create"]), []);
    assert.deepEqual(await offered([]), []);
  });

  test("a finding has its severity, source, page and related places", async () => {
    const wrong = `${app.replace("fast", "fst")}  initContainers: []\n`.replace(
      "volumes: [{",
      "volumes: [{ name: idle, emptyDir: {} }, {",
    );
    const { client } = await ready(
      { textDocument: { diagnostic: {} } },
      { ...files, "app.yaml": wrong },
    );
    const { items } = await client.sendRequest<{ readonly items: readonly Diagnostic[] }>(
      "textDocument/diagnostic",
      { textDocument },
    );
    const found = items.map(({ range, code, codeDescription, message, ...rest }) => {
      assert.equal(codeDescription?.href.endsWith(`/docs/rules/${code}.md`), true);
      assert.notEqual(message, "");
      return [code, range.start.line, rest];
    });
    const place = {
      uri: textDocument.uri,
      range: { start: { line: 10, character: 89 }, end: { line: 10, character: 93 } },
    };
    assert.deepEqual(found, [
      [
        "pvc-class-typo",
        3,
        {
          severity: DiagnosticSeverity.Warning,
          source: "claimcheck",
          relatedInformation: [{ location: place, message: "Pod web stays Pending with it" }],
        },
      ],
      ["volume-unused", 10, { severity: DiagnosticSeverity.Hint, source: "claimcheck" }],
    ]);
  });

  test("an object is located at its name, and a field at its value", async () => {
    const { client } = await ready();
    const located = async (field: object): Promise<unknown> => {
      const params = { environment: memoryFolder, ref: "Pod/default/web", ...field };
      const found = await client.sendRequest<LocateReply | null>("claimcheck/locate", params);
      return [found?.uri, found?.range];
    };
    const field = "spec.volumes[0].persistentVolumeClaim.claimName";
    assert.deepEqual(await located({ field }), [
      textDocument.uri,
      { start: { line: 10, character: 59 }, end: { line: 10, character: 63 } },
    ]);
    assert.deepEqual(await located({}), [
      textDocument.uri,
      { start: { line: 7, character: 18 }, end: { line: 7, character: 21 } },
    ]);
  });

  test("documents that cannot be read are listed with the reason", async () => {
    const { client } = await ready();
    const params = { environment: memoryFolder };
    const [found, ...others] = await client.sendRequest<UnreadableReply>(
      "claimcheck/unreadable",
      params,
    );
    assert.equal(found?.uri, memoryUri("broken.yaml"));
    assert.match(found?.why ?? "", /\]/);
    assert.deepEqual(others, []);
  });

  test("an imported cluster becomes a file that claimcheck.yaml names", async () => {
    const { client } = await ready();
    const reply = await client.sendRequest<ImportClusterReply>("claimcheck/importCluster", {
      text: app,
      folder: `${memoryFolder}/`,
      file: "cluster.yaml",
    });
    assert.deepEqual(
      [reply.objectCount, reply.isImportAlready, reply.files.map(({ uri }) => uri)],
      [2, false, [memoryUri("cluster.yaml"), memoryUri("claimcheck.yaml")]],
    );
  });

  test("settings that are not in the notification are requested", async () => {
    const { client } = await ready({ workspace: { configuration: true } });
    const asked: unknown[] = [];
    client.onRequest("workspace/configuration", ({ items }: { readonly items: unknown[] }) => {
      asked.push(...items);
      return items.map(() => ({ profile: "gke" }));
    });
    await client.sendNotification("workspace/didChangeConfiguration", { settings: null });
    for (;;) {
      const [environment] = await client.sendRequest<EnvironmentsReply>("claimcheck/environments");
      if (environment?.profileFrom === "settings") {
        assert.equal(environment.profile, "gke");
        break;
      }
    }
    assert.deepEqual(asked.at(-1), { section: "claimcheck" });
  });

  test("a missing import is looked for again when claimcheck.yaml is edited", async () => {
    const written = new Map(
      Object.entries({ ...files, "claimcheck.yaml": "cluster: { import: late.yaml }\n" }),
    );
    const { client } = await ready({}, files, {
      fileSystem: {
        ...memoryFileSystem(written),
        readFile: (uri) => memoryFileSystem(written).readFile(uri),
      },
    });
    const told = async (): Promise<string> =>
      JSON.stringify(await client.sendRequest("workspace/diagnostic", { previousResultIds: [] }));
    assert.match(await told(), /late\.yaml: There is no such file/);
    const node = "apiVersion: v1\nkind: Node\nmetadata: { name: n }\n";
    written.set(
      "late.yaml",
      `apiVersion: v1\nkind: List\nitems:\n- ${node.replaceAll("\n", "\n  ")}`,
    );
    await client.sendNotification("textDocument/didOpen", {
      textDocument: {
        uri: memoryUri("claimcheck.yaml"),
        languageId: "yaml",
        version: 1,
        text: "cluster: { import: late.yaml } # Now.\n",
      },
    });
    while (/There is no such file/.test(await told()));
  });

  test("findings about a missing import are updated once it is read, also for push clients", async () => {
    let isThere = false;
    let read = (): void => {};
    const opened = new Promise<void>((resolve) => (read = resolve));
    const node = "apiVersion: v1\nkind: Node\nmetadata: { name: one, uid: a }\n";
    const onDisk = memoryFileSystem(new Map([["late.yaml", node]]));
    const written = memoryFileSystem(
      new Map(Object.entries({ ...files, "claimcheck.yaml": "cluster: { import: late.yaml }\n" })),
    );
    const readFile: typeof written.readFile = async (uri) => {
      if (!uri.endsWith("late.yaml") || !isThere) return written.readFile(uri);
      await opened;
      return onDisk.readFile(uri);
    };
    const { client } = await ready({}, files, { fileSystem: { ...written, readFile } });
    const uri = memoryUri("claimcheck.yaml");
    const codes = (wanted: (codes: readonly unknown[]) => boolean): Promise<void> =>
      new Promise((resolve) => {
        client.onNotification(
          "textDocument/publishDiagnostics",
          (told: PublishDiagnosticsParams) => {
            if (told.uri === uri && wanted(told.diagnostics.map(({ code }) => code))) resolve();
          },
        );
      });
    const stale = codes((found) => found.includes("cluster-import"));
    isThere = true;
    const text = "cluster: { import: late.yaml } # Now.\n";
    await client.sendNotification("textDocument/didOpen", {
      textDocument: { uri, languageId: "yaml", version: 1, text },
    });
    await stale;
    const now = codes((found) => !found.includes("cluster-import"));
    read();
    await now;
  });

  test("a canceled request for findings is rejected, not answered as empty", async () => {
    const { client } = await ready({ textDocument: { diagnostic: {} } });
    const source = new CancellationTokenSource();
    const params = { previousResultIds: [] };
    const answer = client.sendRequest("workspace/diagnostic", params, source.token);
    source.cancel();
    await assert.rejects(answer, { code: -32800 });
  });

  test("a request that fails because of a server error is logged and answered with null", async () => {
    const { client, logged } = await ready({}, files, {
      fileSystem: {
        ...memoryFileSystem(new Map(Object.entries(files))),
        canonicalUri: (uri) => {
          if (uri === "file:///fails") throw new Error("no such thing");
          return uri;
        },
      },
    });
    const at = { textDocument: { uri: "file:///fails" }, position: { line: 0, character: 0 } };
    assert.equal(await client.sendRequest("textDocument/hover", at), null);
    assert.ok(
      logged.some((line) => line.startsWith("hover failed: Error: no such thing")),
      logged.join("\n"),
    );
    assert.notDeepEqual(await client.sendRequest("textDocument/documentHighlight", onUse), []);
  });
});
