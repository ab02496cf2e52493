/** Navigation over real standard streams: what the protocol's messages look like. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type CompletionItem, SymbolKind } from "vscode-languageserver";
import { isReadAt } from "../../src/language-server/workspace/files/file-system.ts";
import { globMatcher } from "../../src/language-server/workspace/files/glob.ts";
import { startBuiltServer } from "../support/built-server.ts";
import type { LanguageClient } from "../support/language-client.ts";

const manifest = `# The data
# of the web
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec: { storageClassName: standard, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
---
apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  containers: [{ name: c, image: i, volumeMounts: [{ name: v, mountPath: /d }] }]
  volumes: [{ name: v, persistentVolumeClaim: { claimName: data } }]
`;

const scenario = `title: Bound at once
steps:
  - apply: [app.yaml]
  # Too early.
  - expect: [{kind: PersistentVolumeClaim, name: data, phase: Bound}]
`;

interface Registration {
  readonly method: string;
  readonly registerOptions: Record<string, unknown>;
}

const onClaim = { line: 4, character: 18 };

suite("navigation over stdio", function (this: Mocha.Suite) {
  this.timeout(30_000);
  const folder = mkdtempSync(join(tmpdir(), "claimcheck-navigation-"));
  const uri = pathToFileURL(join(folder, "app.yaml")).href;
  const scenarioUri = pathToFileURL(join(folder, "bind.scenario.yaml")).href;
  let client: LanguageClient;

  suiteSetup(async () => {
    writeFileSync(join(folder, "app.yaml"), manifest);
    writeFileSync(join(folder, "claimcheck.yaml"), "profile: kind\n");
    writeFileSync(join(folder, "bind.scenario.yaml"), scenario);
    client = await startBuiltServer();
    await client.request("initialize", {
      processId: null,
      rootUri: pathToFileURL(folder).href,
      capabilities: {
        workspace: {
          workspaceEdit: { documentChanges: true, changeAnnotationSupport: {} },
        },
      },
    });
    client.notify("initialized", {});
    client.notify("textDocument/didOpen", {
      textDocument: { uri, languageId: "yaml", version: 7, text: manifest },
    });
    await client.request("claimcheck/environments", {});
  });
  suiteTeardown(() => {
    client.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  const at = (position: object): object => ({ textDocument: { uri }, position });

  test("a rename has the version of the edited text, and an annotation for each edit", async () => {
    const place = await client.request("textDocument/prepareRename", at(onClaim));
    assert.deepEqual(place, {
      range: { start: { line: 4, character: 18 }, end: { line: 4, character: 22 } },
      placeholder: "data",
    });
    const edit = await client.request<{
      readonly documentChanges: readonly {
        readonly textDocument: object;
        readonly edits: readonly { readonly newText: string; readonly annotationId: string }[];
      }[];
      readonly changeAnnotations: Readonly<
        Record<string, { readonly label: string; readonly description?: string }>
      >;
    }>("textDocument/rename", { ...at(onClaim), newName: "orders" });
    const [change] = edit.documentChanges;
    assert.deepEqual(change?.textDocument, { uri, version: 7 });
    assert.deepEqual(
      change?.edits.map(({ newText, annotationId }) => [newText, annotationId]),
      [
        ["orders", "object"],
        ["orders", "reference"],
      ],
    );
    const { label, description } = edit.changeAnnotations["object"] ?? {};
    assert.equal(label, 'Rename Claim "data" to "orders"');
    assert.equal(description, "A cluster that has the old object keeps it");
  });

  test("a client without version support gets edits without versions, or plain ones without file operations", async () => {
    const renameFor = async (workspaceEdit: object): Promise<string> => {
      const other = await startBuiltServer();
      await other.request("initialize", {
        processId: null,
        rootUri: pathToFileURL(folder).href,
        capabilities: { workspace: { workspaceEdit } },
      });
      other.notify("initialized", {});
      await other.request("claimcheck/environments", {});
      const params = { ...at(onClaim), newName: "orders" };
      const edit = await other.request("textDocument/rename", params);
      other.kill();
      return JSON.stringify(edit);
    };
    const annotated = await renameFor({
      resourceOperations: ["create"],
      changeAnnotationSupport: {},
    });
    assert.match(
      annotated,
      /"documentChanges".+"version":null.+"annotationId".+"changeAnnotations"/,
    );
    const plain = await renameFor({ changeAnnotationSupport: {} });
    assert.match(plain, /^\{"changes":/);
    assert.doesNotMatch(plain, /annotation/i);
  });

  test("an impossible rename is refused with the reason", async () => {
    const onClass = { line: 5, character: 28 };
    await assert.rejects(
      client.request("textDocument/prepareRename", at(onClass)),
      /Class "standard" belongs to the assumed cluster "kind"/,
    );
    await assert.rejects(
      client.request("textDocument/rename", { ...at(onClaim), newName: "No Name" }),
      /lowercase RFC 1123 subdomain/,
    );
  });

  test("a completion item is documented when resolved, and replaces the text at the cursor", async () => {
    const items = await client.request<readonly CompletionItem[]>(
      "textDocument/completion",
      at({ line: 5, character: 28 }),
    );
    const standard = items.find(({ label }) => label === "standard");
    assert.deepEqual(standard?.textEdit, {
      range: { start: { line: 5, character: 26 }, end: { line: 5, character: 34 } },
      newText: "standard",
    });
    const looked = await client.request<CompletionItem>("completionItem/resolve", standard);
    assert.match(
      JSON.stringify(looked.documentation),
      /"markdown".*Of the assumed cluster “kind”.*local-path/,
    );
    const plain = { label: "anything" };
    assert.deepEqual(await client.request("completionItem/resolve", plain), plain);
  });

  test("comments and documents fold, and the selection grows", async () => {
    const folds = await client.request<readonly { readonly kind?: string }[]>(
      "textDocument/foldingRange",
      { textDocument: { uri } },
    );
    assert.deepEqual([...new Set(folds.map(({ kind }) => kind ?? "block"))].sort(), [
      "block",
      "comment",
      "region",
    ]);
    const [selection] = await client.request<
      readonly { readonly range: { readonly start: object }; readonly parent?: object }[]
    >("textDocument/selectionRange", { textDocument: { uri }, positions: [onClaim] });
    assert.deepEqual(selection?.range.start, { line: 4, character: 18 });
    assert.ok(selection?.parent !== undefined);
  });

  test("the storage chain is a call hierarchy", async () => {
    const [claim] = await client.request<readonly { readonly selectionRange: object }[]>(
      "textDocument/prepareCallHierarchy",
      at(onClaim),
    );
    const { name, kind, uri: of, data } = { name: "", kind: 0, uri: "", data: {}, ...claim };
    assert.deepEqual([name, kind, of], ["data", SymbolKind.Interface, uri]);
    assert.deepEqual(data, { ref: "PersistentVolumeClaim/default/data" });
    assert.deepEqual(claim?.selectionRange, {
      start: onClaim,
      end: { line: 4, character: 22 },
    });
    const incoming = await client.request<
      readonly {
        readonly from: { readonly name: string };
        readonly fromRanges: readonly object[];
      }[]
    >("callHierarchy/incomingCalls", { item: claim });
    assert.deepEqual(
      incoming.map(({ from, fromRanges }) => [from.name, fromRanges]),
      [["web", [{ start: { line: 12, character: 59 }, end: { line: 12, character: 63 } }]]],
    );
    const pod = incoming[0]?.from;
    const outgoing = await client.request<
      readonly { readonly to: { readonly name: string }; readonly fromRanges: readonly object[] }[]
    >("callHierarchy/outgoingCalls", { item: pod });
    assert.deepEqual(
      outgoing.map(({ to, fromRanges }) => [to.name, fromRanges]),
      [["data", [{ start: { line: 12, character: 59 }, end: { line: 12, character: 63 } }]]],
    );
  });

  test("a client that supports registration is asked to watch all files that are read, and the settings", async () => {
    const other = await startBuiltServer();
    await other.request("initialize", {
      processId: null,
      rootUri: pathToFileURL(folder).href,
      capabilities: {
        workspace: {
          didChangeWatchedFiles: { dynamicRegistration: true },
          didChangeConfiguration: { dynamicRegistration: true },
        },
      },
    });
    other.notify("initialized", {});
    const registered = (method: string): Promise<Record<string, unknown>> =>
      other.until(() => {
        const all = other.notifications
          .filter((one) => one.method === "client/registerCapability")
          .flatMap(({ params }) => (params as { registrations: Registration[] }).registrations);
        return all.find((one) => one.method === method)?.registerOptions;
      });
    const settings = await registered("workspace/didChangeConfiguration");
    assert.deepEqual(settings, { section: "claimcheck" });
    const { watchers } = await registered("workspace/didChangeWatchedFiles");
    const globs = (watchers as { globPattern: string; kind?: number }[])
      .filter((watcher) => watcher.kind === undefined)
      .map(({ globPattern }) => globPattern);
    const names = [
      ...["a.yaml", "b.yml", "c.json", "Kustomization", "Chart.yaml", ".helmignore"],
      ...["templates/_helpers.tpl", "templates/NOTES.txt", "charts/db-1.0.0.tgz"],
    ];
    const isWatched = globMatcher(globs);
    for (const name of names) assert.ok(isReadAt(name) && isWatched(`app/${name}`), name);
    other.kill();
  });

  test("a pasted event and an object are explained", async () => {
    const event = await client.request<{ readonly text: string }>("claimcheck/explainEvent", {
      uri,
      text: "waiting for first consumer to be created before binding",
    });
    assert.match(event.text, /persistentvolume-binder/);
    const page = await client.request<{ readonly text: string }>("claimcheck/explain", {
      uri,
      position: onClaim,
    });
    assert.match(page.text, /^# Claim data is bound/);
  });

  test("scenario files are listed with their titles, and can be run", async () => {
    const [scenario, ...others] = await client.request<
      readonly { readonly uri: string; readonly title: string }[]
    >("claimcheck/scenarioFiles", {});
    assert.deepEqual(others, []);
    assert.deepEqual([scenario?.uri, scenario?.title], [scenarioUri, "Bound at once"]);
    const run = { uri: scenarioUri };
    const before = await client.request<{ readonly failures: readonly object[] }>(
      "claimcheck/runScenarioFile",
      run,
    );
    assert.deepEqual(before.failures, [
      {
        message:
          "PersistentVolumeClaim/default/data: phase is Pending, not Bound; it is Pending until its pod is scheduled",
        range: { start: { line: 4, character: 13 }, end: { line: 4, character: 68 } },
      },
    ]);
    assert.equal(await client.request("claimcheck/runScenarioFile", { uri }), null);
  });
});
