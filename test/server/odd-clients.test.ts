/** Unusual clients, folders and files: the server answers nevertheless. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type {
  EnvironmentsParams,
  ScenarioReply,
  StatusReply,
} from "../../src/protocol/messages.ts";
import { builtServer, startBuiltServer } from "../support/built-server.ts";
import type { LanguageClient } from "../support/language-client.ts";

interface Diagnostics {
  readonly uri: string;
  readonly diagnostics: readonly { readonly code: string }[];
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

suite("odd clients over stdio", function (this: Mocha.Suite) {
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
    const workspaceFolders = [{ uri: pathToFileURL(folder).href, name: "w" }];
    const params = { processId: process.pid, rootUri: null, capabilities: {}, workspaceFolders };
    await client.request("initialize", { ...params, ...options });
    client.notify("initialized", {});
  }

  function open(uri: string, text: string): void {
    const textDocument = { uri, languageId: "yaml", version: 1, text };
    client.notify("textDocument/didOpen", { textDocument });
  }

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

  test("a client that refuses what it has announced is served nevertheless, and the log says so once", async () => {
    const methods = [
      "client/registerCapability",
      "window/workDoneProgress/create",
      "workspace/applyEdit",
      "workspace/codeLens/refresh",
      "workspace/configuration",
      "workspace/inlayHint/refresh",
    ];
    for (const method of methods) client.refused.add(method);
    const uri = write("base/claim.yaml", manifest);
    write("base/kustomization.yaml", "resources: [claim.yaml]\n");
    const overlay = "resources: [../base]\nnamePrefix: ";
    const [, other] = ["a", "b"].map((name) =>
      write(`${name}/kustomization.yaml`, `${overlay}${name}-\n`),
    );
    const canRefresh = { refreshSupport: true };
    await start({
      capabilities: {
        window: { workDoneProgress: true },
        workspace: {
          codeLens: canRefresh,
          configuration: true,
          didChangeConfiguration: { dynamicRegistration: true },
          didChangeWatchedFiles: { dynamicRegistration: true },
          inlayHint: canRefresh,
          workspaceEdit: { resourceOperations: ["create"] },
        },
      },
    });
    await codes(uri, (found) => found.includes("pvc-class-missing"));
    const judge = { command: "claimcheck.judgeOverlay", arguments: [other] };
    assert.equal(await client.request("workspace/executeCommand", judge), null);
    open(uri, manifest.replace("claimName: data", "claimName: date"));
    await codes(uri, (found) => found.includes("pod-claim-missing"));
    const asked = client.notifications.map(({ method }) => method);
    for (const method of methods) assert.ok(asked.includes(method), method);
    const logged = client.notifications.filter(({ method }) => method === "window/logMessage");
    const refusals = logged
      .map(({ params }) => (params as { readonly message: string }).message)
      .filter((message) => message.startsWith("The client refuses"));
    assert.equal(new Set(refusals).size, refusals.length);
    assert.ok(refusals.includes("The client refuses workspace/codeLens/refresh: not here"));
  });

  test("folders that are not on a local disk do not delay the others", async () => {
    const uri = write("claim.yaml", manifest);
    const folders = [pathToFileURL(folder).href, "memfs:/x", "file://host/share", "no URI", ""];
    await start({ workspaceFolders: folders.map((uri) => ({ uri, name: "w" })) });
    await codes(uri, (found) => found.includes("pvc-class-missing"));
    assert.equal((await client.request<unknown[]>("claimcheck/environments", {})).length, 1);
  });

  test("objects that may be in other files are not reported missing before the folders have been read", async () => {
    const [claim = "", pod = ""] = manifest.replace("nowhere", "standard").split("---\n");
    write("claim.yaml", claim);
    const uri = write("pod.yaml", pod);
    await start({ capabilities: { window: { workDoneProgress: true } } });
    open(uri, pod);
    await client.request("claimcheck/environments", {});
    await client.until(() =>
      client.last<EnvironmentsParams>("claimcheck/environmentsChanged", (params) =>
        params.environments.some(({ objectCount }) => objectCount === 2),
      ),
    );
    const told = client.notifications.filter(({ method, params }) => {
      const of = params as Diagnostics;
      return method === "textDocument/publishDiagnostics" && of.uri === uri;
    });
    assert.deepEqual(
      told.flatMap(({ params }) => (params as Diagnostics).diagnostics),
      [],
    );
  });

  test("saved files are read again even if the client does not watch files", async () => {
    const old = write("old.yaml", manifest);
    const text = manifest.replaceAll(": data ", ": other ");
    await start();
    await codes(old, (found) => found.includes("pvc-class-missing"));
    for (const [uri, name] of [
      [old, "old.yaml"],
      [pathToFileURL(join(folder, "new.yaml")).href, "new.yaml"],
    ] as const) {
      open(uri, text);
      write(name, text);
      client.notify("textDocument/didSave", { textDocument: { uri } });
      client.notify("textDocument/didClose", { textDocument: { uri } });
    }
    const written = async (): Promise<string> => {
      const { sources } = await client.request<ScenarioReply>("claimcheck/scenario", {});
      return sources.map(({ ref, uri }) => `${uri.split("/").at(-1)} ${ref}`).join();
    };
    const all = ["new.yaml", "old.yaml"].flatMap((name) => [
      `${name} PersistentVolumeClaim/default/other`,
      `${name} Pod/default/web`,
    ]);
    while ((await written()) !== all.join());
  });

  test("requests without params may have null params", async () => {
    write("claim.yaml", manifest);
    await start();
    for (const params of [undefined, null, {}]) {
      assert.equal((await client.request<unknown[]>("claimcheck/environments", params)).length, 1);
      const { fileCount } = await client.request<StatusReply>("claimcheck/status", params);
      assert.equal(fileCount, 1);
    }
  });

  test("a setting that is removed has its default again", async () => {
    const uri = write("claim.yaml", manifest);
    await start({ capabilities: { workspace: { inlayHint: { refreshSupport: true } } } });
    const set = (settings: object): void =>
      client.notify("workspace/didChangeConfiguration", { settings: { claimcheck: settings } });
    const range = { start: { line: 0, character: 0 }, end: { line: 20, character: 0 } };
    const hasBytes = async (): Promise<boolean> => {
      const params = { textDocument: { uri }, range };
      const hints = await client.request<{ label: string }[]>("textDocument/inlayHint", params);
      return hints.some(({ label }) => label.startsWith("= 1"));
    };
    set({ inlayHints: { quantity: true }, profile: "gek" });
    while (!(await hasBytes())) await client.request("claimcheck/environments", {});
    set({ profile: "" });
    while (await hasBytes()) await client.request("claimcheck/environments", {});
    set({ profile: "gek" });
    await client.request("claimcheck/status", null);
    const told = client.notifications.filter(({ method }) => method === "window/showMessage");
    assert.equal(told.length, 2);
  });

  test("a folder is closed even if its URI is spelled differently", async () => {
    const uri = write("a b/claim.yaml", manifest);
    const [own, other] = [dirname(uri), `${dirname(uri).replace("/a%20b", "/%61%20b")}/`];
    await start({
      workspaceFolders: [{ uri: own, name: "w" }],
      capabilities: { workspace: { workspaceFolders: true } },
    });
    await codes(uri, (found) => found.includes("pvc-class-missing"));
    const event = { added: [], removed: [{ uri: other, name: "w" }] };
    client.notify("workspace/didChangeWorkspaceFolders", { event });
    await codes(uri, (found) => found.length === 0);
  });

  test("a symbolic link to a manifest has the manifest's lenses and findings while it is open", async () => {
    write("claim.yaml", manifest);
    symlinkSync("claim.yaml", join(folder, "link.yaml"));
    const uri = pathToFileURL(join(folder, "link.yaml")).href;
    await start();
    await client.request("claimcheck/environments", {});
    open(uri, manifest);
    await codes(uri, (found) => found.includes("pvc-class-missing"));
    const textDocument = { uri };
    const lenses = await client.request<{ readonly command: { readonly title: string } }[]>(
      "textDocument/codeLens",
      { textDocument },
    );
    assert.match(lenses[0]?.command.title ?? "", /^stays Pending/);
    client.notify("textDocument/didClose", { textDocument });
    await codes(uri, (found) => found.length === 0);
  });
});
