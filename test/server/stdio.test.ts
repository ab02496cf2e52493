/** The built server over real standard streams, as any editor uses it. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type {
  EnvironmentsParams,
  OutcomeReply,
  ScenarioReply,
  StatusReply,
} from "../../src/protocol/messages.ts";
import { builtServer, startBuiltServer } from "../support/built-server.ts";
import type { LanguageClient } from "../support/language-client.ts";

interface Diagnostics {
  readonly uri: string;
  readonly diagnostics: readonly {
    readonly code: string;
    readonly source: string;
    readonly range: { readonly start: object };
  }[];
}

interface Item {
  readonly label: string;
  readonly textEdit: { readonly newText: string };
  readonly insertTextMode?: number;
  readonly command?: { readonly command: string };
}

const manifest = `apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec:
  storageClassName: nowhere
  accessModes: [ReadWriteOnce]
  resources: { requests: { storage: 1Gi } }
---
apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  containers: [{ name: c, image: i, volumeMounts: [{ name: v, mountPath: /d }] }]
  volumes: [{ name: v, persistentVolumeClaim: { claimName: data } }]
`;

/** A claim that requests more than its volume has, which only the engine finds. */
function tooSmallFor(at: number): string {
  return `apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data-${at} }
spec:
  storageClassName: class-${at}
  accessModes: [ReadWriteOnce]
  resources: { requests: { storage: 2Gi } }
---
apiVersion: v1
kind: PersistentVolume
metadata: { name: volume-${at} }
spec:
  storageClassName: class-${at}
  capacity: { storage: 1Gi }
  accessModes: [ReadWriteOnce]
  nfs: { server: s, path: /p${at} }
`;
}

suite("the language server over stdio", function (this: Mocha.Suite) {
  // Each test starts a process, possibly on a busy machine.
  this.timeout(30_000);
  let folder = "";
  let client: LanguageClient;

  suiteSetup(builtServer);
  setup(async () => {
    folder = mkdtempSync(join(tmpdir(), "claimcheck-workspace-"));
    client = await startBuiltServer();
  });
  teardown(() => {
    client.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  function write(name: string, text: string): string {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return pathToFileURL(path).href;
  }

  async function start(options: object = {}): Promise<void> {
    const uri = pathToFileURL(folder).href;
    await client.request("initialize", {
      processId: process.pid,
      rootUri: uri,
      capabilities: {},
      workspaceFolders: [{ uri, name: "w" }],
      ...options,
    });
    client.notify("initialized", {});
  }

  function open(uri: string, text: string): void {
    client.notify("textDocument/didOpen", {
      textDocument: { uri, languageId: "yaml", version: 1, text },
    });
  }

  test("a finding has its source, its page and its related place", async () => {
    const namespace = "apiVersion: v1\nkind: Namespace\nmetadata: { name: shop }\n";
    const [one, other] = [write("a.yaml", namespace), write("b.yaml", namespace)];
    await start();
    const found = await client.until(() => {
      const last = client.last<{ readonly uri: string; readonly diagnostics: readonly object[] }>(
        "textDocument/publishDiagnostics",
        ({ uri, diagnostics }) => uri === one && diagnostics.length > 0,
      );
      return last?.diagnostics[0];
    });
    const { code, source, codeDescription, relatedInformation } = found as Record<string, unknown>;
    assert.deepEqual([code, source], ["duplicate-object", "claimcheck"]);
    assert.match(JSON.stringify(codeDescription), /"href":"https:.*duplicate-object/);
    const name = { start: { line: 2, character: 18 }, end: { line: 2, character: 22 } };
    const [related] = relatedInformation as readonly { readonly location: object }[];
    assert.deepEqual(related?.location, { uri: other, range: name });
  });

  /** Codes of the newest findings of a file, once `matches` holds for them. */
  function codes(
    uri: string,
    matches: (codes: readonly string[]) => boolean,
  ): Promise<readonly string[]> {
    return client.until(() => {
      const last = client.last<Diagnostics>(
        "textDocument/publishDiagnostics",
        (params) => params.uri === uri,
      );
      const found = last?.diagnostics.map(({ code }) => code);
      return found !== undefined && matches(found) ? found : undefined;
    });
  }

  test("a compared revision and a notebook cell are not files of the workspace, an unsaved document is", async () => {
    const uri = write("a.yaml", manifest.replaceAll("nowhere", "fast"));
    await start();
    const elsewhere = [`${uri.replace("file:", "git:")}?ref=HEAD`, "vscode-notebook-cell:/n#a"];
    for (const shown of elsewhere) open(shown, manifest);
    const params = { textDocument: { uri: elsewhere[0] }, position: { line: 2, character: 19 } };
    assert.equal(await client.request("textDocument/hover", params), null);
    open("untitled:Untitled-1", manifest);
    assert.ok((await codes("untitled:Untitled-1", (all) => all.length > 0)).length > 0);
    for (const shown of elsewhere)
      client.notify("textDocument/didClose", { textDocument: { uri: shown } });
    const { fileCount } = await client.request<StatusReply>("claimcheck/status", {});
    assert.equal(fileCount, 2);
    for (const shown of elsewhere)
      assert.equal(
        client.last<Diagnostics>(
          "textDocument/publishDiagnostics",
          (params) => params.uri === shown,
        ),
        undefined,
      );
  });

  test("the second of two hints at one place has its space in the label, as not every editor adds padding", async () => {
    write("claimcheck.yaml", "profile: eks\n");
    const uri = write(
      "a.yaml",
      `apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: { name: nowhere }\nprovisioner: ebs.csi.aws.com\n---\n${manifest}`,
    );
    await start({ capabilities: { workspace: { inlayHint: { refreshSupport: true } } } });
    await client.until(() => client.notifications.find((n) => /inlayHint/.test(n.method)));
    const range = { start: { line: 0, character: 0 }, end: { line: 30, character: 0 } };
    const params = { textDocument: { uri }, range };
    const hints = await client.request<
      readonly { readonly label: string; readonly paddingLeft?: boolean }[]
    >("textDocument/inlayHint", params);
    assert.deepEqual(
      hints.map(({ label, paddingLeft = false }) => [label, paddingLeft]),
      [
        ["one node", true],
        ["→ new volume, 1Gi", true],
        [" in us-east-1a", false],
      ],
    );
  });

  test("findings are sent for files that are not open, with source and code", async () => {
    const uri = write("a/claim.yaml", manifest);
    await start();
    await codes(uri, (found) => found.includes("pvc-class-missing"));
    const [first] = client.last<Diagnostics>("textDocument/publishDiagnostics")?.diagnostics ?? [];
    assert.equal(first?.source, "claimcheck");
    assert.deepEqual(first?.range.start, { line: 4, character: 20 });
  });

  for (const isAsked of [true, false])
    test(`completing a key ${isAsked ? "triggers completion below it" : "triggers nothing without commands"}`, async () => {
      const uri = write("claim.yaml", manifest);
      await start({ initializationOptions: { commandLinks: isAsked } });
      await codes(uri, (found) => found.includes("pvc-class-missing"));
      open(uri, "kind: PersistentVolumeClaim\nspec:\n  \n");
      const items = await client.request<readonly Item[]>("textDocument/completion", {
        textDocument: { uri },
        position: { line: 2, character: 2 },
      });
      const item = items.find(({ label }) => label === "accessModes");
      assert.equal(item?.textEdit.newText, "accessModes:\n    - ");
      assert.equal(item?.insertTextMode, 1);
      assert.equal(item?.command?.command, isAsked ? "editor.action.triggerSuggest" : undefined);
    });

  test("an unsaved edit is judged at once, and closing reverts it", async () => {
    const uri = write("claim.yaml", manifest);
    await start();
    await codes(uri, (found) => found.length > 0);
    open(uri, manifest);
    client.notify("textDocument/didChange", {
      textDocument: { uri, version: 2 },
      contentChanges: [
        {
          range: { start: { line: 2, character: 0 }, end: { line: 2, character: 8 } },
          text: "metadata: [",
        },
      ],
    });
    await codes(uri, (found) => found.includes("yaml-syntax"));
    client.notify("textDocument/didClose", { textDocument: { uri } });
    await codes(uri, (found) => !found.includes("yaml-syntax"));
  });

  test("a file that claimcheck.yaml names again after closing without saving is read", async () => {
    const uri = write("claimcheck.yaml", "cluster: { import: saved.dump }\n");
    await start();
    await codes(uri, (found) => found.includes("cluster-import"));
    open(uri, "profile: kind\n");
    await codes(uri, (found) => found.length === 0);
    write("saved.dump", "apiVersion: v1\nkind: Node\nmetadata: { name: one, uid: a }\n");
    client.notify("textDocument/didClose", { textDocument: { uri } });
    await client.until(() => {
      const told = client.last<EnvironmentsParams>("claimcheck/environmentsChanged");
      return told?.environments[0]?.profileFrom === "imported" ? told : undefined;
    });
    await codes(uri, (found) => found.length === 0);
  });

  test("a document that is closed without being saved leaves neither findings nor an environment", async () => {
    await start();
    const uri = "untitled:Untitled-1";
    open(uri, manifest);
    await codes(uri, (found) => found.length > 0);
    client.notify("textDocument/didClose", { textDocument: { uri } });
    await codes(uri, (found) => found.length === 0);
    await client.until(() => {
      const told = client.last<EnvironmentsParams>("claimcheck/environmentsChanged");
      return told?.environments.length === 0 ? told : undefined;
    });
  });

  test("a file that comes and goes on disk is noticed", async () => {
    await start();
    await client.request("claimcheck/environments", {});
    const uri = write("late.yaml", manifest);
    client.notify("workspace/didChangeWatchedFiles", { changes: [{ uri, type: 1 }] });
    await codes(uri, (found) => found.includes("pvc-class-missing"));
    rmSync(join(folder, "late.yaml"));
    client.notify("workspace/didChangeWatchedFiles", { changes: [{ uri, type: 3 }] });
    await codes(uri, (found) => found.length === 0);
  });

  test("findings of a file disappear while .gitignore ignores it", async () => {
    const uri = write("build/claim.yaml", manifest);
    await start();
    await codes(uri, (found) => found.includes("pvc-class-missing"));
    const ignored = write(".gitignore", "build/\n");
    client.notify("workspace/didChangeWatchedFiles", { changes: [{ uri: ignored, type: 1 }] });
    await codes(uri, (found) => found.length === 0);
    write(".gitignore", "dist/\n");
    client.notify("workspace/didChangeWatchedFiles", { changes: [{ uri: ignored, type: 2 }] });
    await codes(uri, (found) => found.includes("pvc-class-missing"));
  });

  for (const [who, changed, type] of [
    ["a git checkout", ".git/HEAD", 2],
    ["a user", "branch", 3],
  ] as const)
    test(`a folder that ${who} removes is noticed`, async () => {
      const uri = write("branch/inner/claim.yaml", manifest);
      await start();
      await codes(uri, (found) => found.includes("pvc-class-missing"));
      rmSync(join(folder, "branch"), { recursive: true });
      const changes = [{ uri: uri.replace("branch/inner/claim.yaml", changed), type }];
      client.notify("workspace/didChangeWatchedFiles", { changes });
      await codes(uri, (found) => found.length === 0);
    });

  test("definition leads from a pod's volume to the claim", async () => {
    const uri = write("claim.yaml", manifest);
    await start();
    await client.request("claimcheck/environments", {});
    const position = { line: 13, character: 62 };
    const places = await client.request<
      readonly { readonly uri: string; readonly range: object }[]
    >("textDocument/definition", { textDocument: { uri }, position });
    assert.deepEqual(places, [
      { uri, range: { start: { line: 2, character: 18 }, end: { line: 2, character: 22 } } },
    ]);
  });

  test("hover on a claim starts with its outcome", async () => {
    const uri = write("claim.yaml", manifest);
    await start();
    await client.request("claimcheck/environments", {});
    const hover = await client.request<{ readonly contents: { readonly value: string } }>(
      "textDocument/hover",
      { textDocument: { uri }, position: { line: 2, character: 19 } },
    );
    assert.match(
      hover.contents.value,
      /^\*\*Claim data stays Pending: class "nowhere" does not exist\*\* · generic/,
    );
  });

  const showsTrees = {
    capabilities: { textDocument: { documentSymbol: { hierarchicalDocumentSymbolSupport: true } } },
  };

  test("symbols are the objects", async () => {
    const uri = write("claim.yaml", manifest);
    await start(showsTrees);
    await client.request("claimcheck/environments", {});
    const symbols = await client.request<
      readonly { readonly name: string; readonly detail: string }[]
    >("textDocument/documentSymbol", { textDocument: { uri } });
    assert.deepEqual(
      symbols.map(({ name, detail }) => `${name}: ${detail}`),
      ["data: PersistentVolumeClaim in default · 1Gi ReadWriteOnce nowhere", "web: Pod in default"],
    );
  });

  test("a client without tree support gets all symbols as a list, each with its location", async () => {
    const uri = write("claim.yaml", manifest);
    await start();
    await client.request("claimcheck/environments", {});
    const symbols = await client.request<
      readonly {
        readonly name: string;
        readonly containerName: string;
        readonly location: { readonly uri: string; readonly range: { readonly start: object } };
      }[]
    >("textDocument/documentSymbol", { textDocument: { uri } });
    assert.deepEqual(
      symbols.map(({ name, containerName }) => `${name} in ${containerName}`),
      [
        "data in PersistentVolumeClaim in default · 1Gi ReadWriteOnce nowhere",
        "web in Pod in default",
        "c in web",
        "v in c",
        "v in web",
      ],
    );
    assert.deepEqual(symbols[1]?.location.uri, uri);
    assert.deepEqual(symbols[1]?.location.range.start, { line: 8, character: 0 });
  });

  test("the outline of a large file does not delay later requests", async () => {
    const pod = (i: number): string =>
      `apiVersion: v1\nkind: Pod\nmetadata: { name: web-${i} }\nspec: { containers: [{ name: c, image: i }] }\n`;
    const uri = write("large.yaml", Array.from({ length: 1000 }, (_, i) => pod(i)).join("---\n"));
    await start(showsTrees);
    await client.request("claimcheck/environments", {});
    const answered: string[] = [];
    const ask = async (method: string): Promise<unknown> => {
      const params = { textDocument: { uri }, position: { line: 1, character: 7 } };
      const answer = await client.request(method, params);
      answered.push(method);
      return answer;
    };
    const outline = ask("textDocument/documentSymbol");
    await Promise.all([outline, ask("textDocument/hover")]);
    assert.deepEqual(answered, ["textDocument/hover", "textDocument/documentSymbol"]);
    assert.equal(((await outline) as readonly unknown[]).length, 1000);
  });

  test("environments and scenario wait for the workspace and name the profile", async () => {
    write("eks/claimcheck.yaml", "profile: eks\n");
    const uri = write("eks/claim.yaml", manifest);
    write("other.yaml", manifest);
    await start();
    const environments = await client.request<
      readonly { readonly name: string; readonly profile: string; readonly profileFrom: string }[]
    >("claimcheck/environments", {});
    assert.deepEqual(environments.map((e) => [e.profile, e.profileFrom]).sort(), [
      ["eks", "project"],
      ["generic", "default"],
    ]);
    const reply = await client.request<{
      readonly scenario: { readonly cluster: { readonly name: string } };
      readonly sources: readonly { readonly ref: string; readonly uri: string }[];
    }>("claimcheck/scenario", { uri });
    assert.equal(reply.scenario.cluster.name, "eks");
    assert.deepEqual(
      reply.sources.map(({ ref }) => ref),
      ["PersistentVolumeClaim/default/data", "Pod/default/web"],
    );
  });

  test("an imported cluster is judged without any manifest", async () => {
    write("claimcheck.yaml", "cluster: { import: cluster.yaml }\n");
    write("cluster.yaml", manifest.replace("{ name: data }", '{ name: data, uid: "1" }'));
    await start();
    const [environment] = await client.request<EnvironmentsParams["environments"]>(
      "claimcheck/environments",
      {},
    );
    assert.deepEqual([environment?.profileFrom, environment?.objectCount], ["imported", 0]);
    const told = await client.until(() =>
      client.last<EnvironmentsParams>("claimcheck/environmentsChanged"),
    );
    assert.deepEqual(told.environments, [environment]);
    const wanted = { environment: environment?.id };
    await client.request("workspace/diagnostic", { previousResultIds: [] });
    const outcome = await client.request<OutcomeReply>("claimcheck/outcome", wanted);
    assert.deepEqual(outcome.groups[0]?.rows[0]?.name, "data");
    const scenario = await client.request<ScenarioReply>("claimcheck/scenario", {});
    assert.deepEqual(scenario.environment, environment);
  });

  test("explain, locate and status answer once the workspace has been read", async () => {
    const uri = write("claim.yaml", manifest);
    await start();
    const explained = await client.request<{ readonly ref: string; readonly text: string }>(
      "claimcheck/explain",
      { uri, position: { line: 10, character: 19 } },
    );
    assert.equal(explained.ref, "Pod/default/web");
    assert.match(explained.text, /Pod web stays Pending/);
    const [environment] = await client.request<readonly { readonly id: string }[]>(
      "claimcheck/environments",
      {},
    );
    const located = await client.request<{ readonly range: { readonly start: object } }>(
      "claimcheck/locate",
      { environment: environment?.id, ref: "Pod/default/web", field: "spec.volumes[0]" },
    );
    assert.deepEqual(located.range.start, { line: 13, character: 12 });
    const status = await client.request<{ readonly objectCount: number }>("claimcheck/status", {});
    assert.equal(status.objectCount, 2);
  });

  test("a folder that is added is read, and one that is removed is forgotten", async () => {
    const uri = write("a/claim.yaml", manifest);
    const other = write("b/claim.yaml", manifest);
    const folderOf = (name: string): object => ({
      uri: pathToFileURL(join(folder, name)).href,
      name,
    });
    await start({
      workspaceFolders: [folderOf("a")],
      capabilities: { workspace: { workspaceFolders: true } },
    });
    await codes(uri, (found) => found.length > 0);
    const event = { added: [folderOf("b")], removed: [folderOf("a")] };
    client.notify("workspace/didChangeWorkspaceFolders", { event });
    await codes(other, (found) => found.includes("pvc-class-missing"));
    await codes(uri, (found) => found.length === 0);
  });

  test("settings choose the profile, at the start and later", async () => {
    write("claim.yaml", manifest);
    await start({ initializationOptions: { profile: "gke", kubernetesVersion: "1.33" } });
    const profile = async (): Promise<unknown> => {
      const [first] = await client.request<
        readonly { readonly profile: string; readonly kubernetesVersion: string }[]
      >("claimcheck/environments", {});
      return [first?.profile, first?.kubernetesVersion];
    };
    assert.deepEqual(await profile(), ["gke", "1.33"]);
    client.notify("workspace/didChangeConfiguration", {
      settings: { claimcheck: { profile: "k3s", kubernetesVersion: "" } },
    });
    assert.deepEqual(await profile(), ["k3s", "1.36"]);
  });

  test("settings are requested if none were passed", async () => {
    write("claim.yaml", manifest);
    client.replies.set("workspace/configuration", [{ profile: "gke" }]);
    await start({
      initializationOptions: { commandLinks: true },
      capabilities: { workspace: { configuration: true } },
    });
    const [first] = await client.request<readonly { readonly profile: string }[]>(
      "claimcheck/environments",
      {},
    );
    assert.equal(first?.profile, "gke");
  });

  test("an unknown profile is reported, and the default is assumed", async () => {
    write("claim.yaml", manifest);
    await start({ initializationOptions: { profile: "gek" } });
    const [first] = await client.request<readonly { readonly profileFrom: string }[]>(
      "claimcheck/environments",
      {},
    );
    assert.equal(first?.profileFrom, "default");
    assert.match(
      client.last<{ readonly message: string }>("window/showMessage")?.message ?? "",
      /^Claimcheck's setting profile must be one of generic, eks, .*, not gek$/,
    );
  });

  test("a message about a setting shows its value without a link", async () => {
    await start({ initializationOptions: { profile: "[more](command:workbench.action.quit)" } });
    await client.request("claimcheck/environments", {});
    assert.match(
      client.last<{ readonly message: string }>("window/showMessage")?.message ?? "",
      /, not \[more\] \(command:workbench\.action\.quit\)$/,
    );
  });

  test("a stored outcome is used at the next start", async () => {
    const uris = Array.from({ length: 21 }, (_, at) => write(`${at}.yaml`, tooSmallFor(at)));
    const kept = mkdtempSync(join(tmpdir(), "claimcheck-storage-"));
    const recalledBy = async (): Promise<readonly string[]> => {
      await start({ initializationOptions: { storageFolder: kept } });
      for (const uri of uris) await codes(uri, (found) => found.includes("pv-claim-too-small"));
      return (await client.request<StatusReply>("claimcheck/status", {})).recalled;
    };
    assert.deepEqual(await recalledBy(), []);
    while (!readdirSync(kept).some((name) => name.endsWith(".txt")))
      await client.request("claimcheck/status", {});
    client.kill();

    client = await startBuiltServer();
    assert.deepEqual(await recalledBy(), [pathToFileURL(folder).href]);
    rmSync(kept, { recursive: true });
  });

  test("a version that cannot be simulated is reported once, and the newest is used", async () => {
    write("claim.yaml", manifest);
    await start({ initializationOptions: { kubernetesVersion: "1.31" } });
    const settings = { claimcheck: { kubernetesVersion: "1.31" } };
    client.notify("workspace/didChangeConfiguration", { settings });
    const [first] = await client.request<readonly { readonly kubernetesVersion: string }[]>(
      "claimcheck/environments",
      {},
    );
    assert.equal(first?.kubernetesVersion, "1.36");
    const told = client.notifications.filter(({ method }) => method === "window/showMessage");
    assert.deepEqual(
      told.map(({ params }) => (params as { readonly message: string }).message),
      [
        "Claimcheck's setting kubernetesVersion must be one of 1.32, 1.33, 1.34, 1.35, 1.36, not 1.31",
      ],
    );
  });

  test("a request for a missing file has an empty answer", async () => {
    await start();
    const at = {
      textDocument: { uri: pathToFileURL(join(folder, "gone.yaml")).href },
      position: { line: 3, character: 1 },
    };
    assert.equal(await client.request("textDocument/hover", at), null);
    assert.deepEqual(await client.request("textDocument/definition", at), []);
  });

  test("requests before initialize, after shutdown and a second initialize are refused", async () => {
    const other = await startBuiltServer();
    const asked = { textDocument: { uri: "file:///a.yaml" }, position: { line: 0, character: 0 } };
    const params = { processId: null, rootUri: null, capabilities: {} };
    await assert.rejects(other.request("textDocument/hover", asked), /No initialize has come yet/);
    await other.request("initialize", params);
    await assert.rejects(other.request("initialize", params), /initialized already/);
    assert.equal(await other.request("textDocument/hover", asked), null);
    await other.request("shutdown", null);
    await assert.rejects(other.request("textDocument/hover", asked), /is shut down/);
    other.notify("exit", null);
    assert.equal(await other.exited, 0);
  });

  test("params of wrong types are refused, and the server goes on", async () => {
    const textDocument = { uri: write("app.yaml", manifest) };
    await start();
    const at = { line: 0, character: 0 };
    const wrong: readonly (readonly [method: string, params: unknown, message: string])[] = [
      ["textDocument/hover", null, "params is no object"],
      ["textDocument/hover", [1], "params is no object"],
      ["textDocument/definition", { textDocument: 3 }, "params.textDocument is no object"],
      ["textDocument/hover", { textDocument }, "params.position is no object"],
      [
        "textDocument/completion",
        { textDocument, position: { ...at, line: "0" } },
        "params.position.line is no number",
      ],
      [
        "textDocument/codeAction",
        { textDocument, range: { start: at, end: at } },
        "params.context is no object",
      ],
      [
        "textDocument/selectionRange",
        { textDocument, positions: [at, 1] },
        "params.positions[1] is no object",
      ],
      ["textDocument/rename", { textDocument, position: at }, "params.newName is no string"],
      ["callHierarchy/incomingCalls", {}, "params.item is no object"],
      ["workspace/diagnostic", {}, "params.previousResultIds is no list"],
      ["workspace/executeCommand", { command: "c", arguments: 1 }, "params.arguments is no list"],
      ["claimcheck/explain", { uri: 1, position: at }, "params.uri is no string"],
      ["claimcheck/explainEvent", { text: ["x"] }, "params.text is no string"],
      ["claimcheck/saveScenario", { environment: "e", steps: 1 }, "params.steps is no list"],
    ];
    for (const [method, params, message] of wrong)
      await assert.rejects(client.request(method, params), { code: -32602, message });
    assert.equal((await client.request<unknown[]>("claimcheck/environments", {})).length, 1);
  });

  test("invalid JSON and invalid messages are refused with id null, and the server goes on", async () => {
    for (const body of ["{bad}", "5", '{ "jsonrpc": "2.0", "id": true, "method": "shutdown" }'])
      client.write(body);
    await client.until(() => (client.refusals.length === 3 ? true : undefined));
    const told = client.refusals.map(({ id, error }) => [id, error?.code]);
    assert.deepEqual(told, [
      [null, -32700],
      [null, -32600],
      [null, -32600],
    ]);
    await start();
    assert.deepEqual(await client.request("claimcheck/environments", {}), []);
  });

  test("shutdown and exit end the process with 0, and nothing is written to standard error", async () => {
    await start();
    await client.request("shutdown", null);
    client.notify("exit", null);
    assert.equal(await client.exited, 0);
    assert.equal(client.errorOutput, "");
  });
});
