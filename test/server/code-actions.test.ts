/** Code actions over real standard streams: which kinds a client gets, and what their edits look like. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { CodeActionKind } from "vscode-languageserver";
import { startBuiltServer } from "../support/built-server.ts";
import type { LanguageClient } from "../support/language-client.ts";

const volume = `apiVersion: v1
kind: PersistentVolume
metadata: { name: disk }
spec: { storageClassName: manual, capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], nfs: { server: s, path: / } }
`;
const claim = `apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec: { storageClassName: manual, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
`;
const wrong = `apiVersion: v1
kind: ConfigMap
metadata: { name: config, labels: { lit: yes } }
`;

interface Action {
  readonly title: string;
  readonly kind: string;
  readonly isPreferred?: boolean;
  readonly diagnostics?: readonly { readonly code: string }[];
  readonly edit: {
    readonly documentChanges: readonly {
      readonly textDocument: { readonly uri: string };
      readonly edits: readonly { readonly annotationId?: string }[];
    }[];
    readonly changeAnnotations?: object;
  };
}

suite("code actions over stdio", function (this: Mocha.Suite) {
  this.timeout(30_000);
  const folder = mkdtempSync(join(tmpdir(), "claimcheck-actions-"));
  const uriOf = (name: string): string => pathToFileURL(join(folder, name)).href;
  let client: LanguageClient;

  suiteSetup(async () => {
    writeFileSync(join(folder, "claimcheck.yaml"), "profile: bare-metal\n");
    writeFileSync(join(folder, "volume.yaml"), volume);
    writeFileSync(join(folder, "claim.yaml"), claim);
    writeFileSync(join(folder, "wrong.yaml"), wrong);
    client = await startBuiltServer();
    await client.request("initialize", {
      processId: null,
      rootUri: pathToFileURL(folder).href,
      capabilities: {
        workspace: { workspaceEdit: { documentChanges: true, changeAnnotationSupport: {} } },
      },
    });
    client.notify("initialized", {});
    const onName = { line: 2, character: 18 };
    // Waits for the prediction.
    await client.request("claimcheck/explain", { uri: uriOf("claim.yaml"), position: onName });
  });
  suiteTeardown(() => {
    client.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  function ask(name: string, at: object, only?: readonly string[]): Promise<readonly Action[]> {
    return client.request("textDocument/codeAction", {
      textDocument: { uri: uriOf(name) },
      range: { start: at, end: at },
      context: { diagnostics: [], ...(only !== undefined && { only }) },
    });
  }

  const onName = { line: 2, character: 18 };
  const onLabel = { line: 2, character: 41 };

  test("edits of several files have an annotation in each", async () => {
    const actions = await ask("claim.yaml", onName, [CodeActionKind.Refactor]);
    assert.ok(actions.every(({ kind }) => kind === CodeActionKind.RefactorRewrite));
    const binding = actions.find(({ title }) => title.startsWith("Bind to volume “disk”"));
    assert.ok(binding !== undefined);
    const { title, edit } = binding;
    assert.deepEqual(
      edit.documentChanges.map(({ textDocument: { uri }, edits }) => [
        uri,
        edits.map(({ annotationId }) => annotationId),
      ]),
      [
        [uriOf("claim.yaml"), [title]],
        [uriOf("volume.yaml"), [title]],
      ],
    );
    assert.deepEqual(edit.changeAnnotations, { [title]: { label: title } });
  });

  test("a fix has its finding, has no annotation in a single file, and is alone if only fixes are requested", async () => {
    const [fix, ...others] = await ask("wrong.yaml", onLabel, [CodeActionKind.QuickFix]);
    assert.ok(fix !== undefined);
    assert.deepEqual([fix.title, fix.isPreferred], ['Change to "yes"', true]);
    assert.deepEqual(
      fix.diagnostics?.map(({ code }) => code),
      ["yaml-bool-value"],
    );
    assert.equal(fix.edit.changeAnnotations, undefined);
    assert.ok(others.every(({ kind }) => kind === CodeActionKind.QuickFix));
  });

  test("fixing all of a file is returned only if requested", async () => {
    const kinds = async (only?: readonly string[]): Promise<readonly string[]> =>
      (await ask("wrong.yaml", onLabel, only)).map(({ kind }) => kind);
    assert.ok(!(await kinds()).includes("source.fixAll.claimcheck"));
    assert.deepEqual(await kinds([CodeActionKind.SourceFixAll]), ["source.fixAll.claimcheck"]);
  });
});
