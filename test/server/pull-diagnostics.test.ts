/** Pull diagnostics over the built server's standard streams. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { builtServer, startBuiltServer } from "../support/built-server.ts";
import type { LanguageClient } from "../support/language-client.ts";

interface Report {
  readonly kind: "full" | "unchanged";
  readonly uri?: string;
  readonly resultId: string;
  readonly items?: readonly { readonly code: string }[];
}

const claim = (name: string, className: string): string =>
  `apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: ${name} }\nspec:\n  storageClassName: ${className}\n  accessModes: [ReadWriteOnce]\n  resources: { requests: { storage: 1Gi } }\n`;

const storageClass =
  "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: { name: nowhere }\nprovisioner: ebs.csi.aws.com\n";

suite("pull diagnostics", function (this: Mocha.Suite) {
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

  const uriOf = (name: string): string => pathToFileURL(join(folder, name)).href;

  async function start(options: object = {}): Promise<{ readonly diagnosticProvider?: object }> {
    const uri = pathToFileURL(folder).href;
    const { capabilities } = await client.request<{ readonly capabilities: object }>("initialize", {
      processId: process.pid,
      rootUri: uri,
      capabilities: {
        textDocument: { diagnostic: {} },
        workspace: { diagnostics: { refreshSupport: true } },
      },
      workspaceFolders: [{ uri, name: "w" }],
      ...options,
    });
    client.notify("initialized", {});
    return capabilities;
  }

  const ask = (name: string, previousResultId?: string): Promise<Report> =>
    client.request("textDocument/diagnostic", {
      textDocument: { uri: uriOf(name) },
      ...(previousResultId !== undefined && { previousResultId }),
    });

  const askAll = async (
    previousResultIds: readonly { readonly uri: string; readonly value: string }[] = [],
  ): Promise<ReadonlyMap<string, Report>> => {
    const { items } = await client.request<{ readonly items: readonly Report[] }>(
      "workspace/diagnostic",
      { previousResultIds },
    );
    return new Map(items.map((report) => [report.uri ?? "", report]));
  };

  function edit(name: string, version: number, text: string): void {
    client.notify("textDocument/didChange", {
      textDocument: { uri: uriOf(name), version },
      contentChanges: [{ text }],
    });
  }

  function open(name: string, text: string): void {
    const textDocument = { uri: uriOf(name), languageId: "yaml", version: 1, text };
    client.notify("textDocument/didOpen", { textDocument });
  }

  /** Asks as a client does: again at each refresh, until the answer is as wanted. */
  function askUntil(
    name: string,
    isWanted: (codes: readonly string[]) => boolean,
  ): Promise<Report> {
    return askAgain(name, (report) => isWanted(codesOf(report)));
  }

  async function askAgain(
    name: string,
    isWanted: (report: Report) => boolean,
    previousResultId?: string,
  ): Promise<Report> {
    const tolds = (): number =>
      client.notifications.filter(({ method }) => method === "workspace/diagnostic/refresh").length;
    for (;;) {
      const before = tolds();
      const report = await ask(name, previousResultId);
      if (isWanted(report)) return report;
      await client.until(() => (tolds() > before ? true : undefined));
    }
  }

  const codesOf = (report: Report | undefined): readonly string[] =>
    (report?.items ?? []).map(({ code }) => code);

  test("of a file are complete, and then reported as unchanged until they change", async () => {
    writeFileSync(join(folder, "a.yaml"), claim("a", "nowhere"));
    await start();
    await askAll();
    open("a.yaml", claim("a", "nowhere"));
    const first = await ask("a.yaml");
    assert.ok(codesOf(first).includes("pvc-class-missing"));
    const second = await ask("a.yaml", first.resultId);
    assert.deepEqual(second, { kind: "unchanged", resultId: first.resultId });
    edit("a.yaml", 2, `${claim("a", "nowhere")}# said\n`);
    assert.equal((await ask("a.yaml", first.resultId)).kind, "unchanged");
    const moved = claim("a", "nowhere").replace("metadata", "# said\nmetadata");
    edit("a.yaml", 3, moved);
    assert.equal((await ask("a.yaml", first.resultId)).kind, "full");
    edit("a.yaml", 4, claim("a", '""'));
    const third = await askUntil("a.yaml", (codes) => !codes.includes("pvc-class-missing"));
    assert.equal(third.kind, "full");
  });

  test("are sent again in full if a severity changes", async () => {
    writeFileSync(join(folder, "a.yaml"), claim("a", "nowhere"));
    writeFileSync(join(folder, "claimcheck.yaml"), "profile: kind\n");
    await start();
    await askAll();
    open("a.yaml", claim("a", "nowhere"));
    const before = await askUntil("a.yaml", (codes) => codes.includes("pvc-class-missing"));
    open("claimcheck.yaml", "profile: kind\nrules: { pvc-class-missing: hint }\n");
    const isFull = ({ kind }: Report): boolean => kind === "full";
    const after = await askAgain("a.yaml", isFull, before.resultId);
    assert.deepEqual(codesOf(after), codesOf(before));
  });

  test("of the file alone are answered at once, the others after a refresh", async () => {
    const many = Array.from({ length: 200 }, (_, i) => claim(`c${i}`, "nowhere")).join("---\n");
    writeFileSync(join(folder, "a.yaml"), many);
    await start();
    open("a.yaml", many);
    await askUntil("a.yaml", (codes) => codes.includes("pvc-class-missing"));
    edit("a.yaml", 2, many.replace("ReadWriteOnce", "Wrong"));
    assert.ok(codesOf(await ask("a.yaml")).includes("api-refused"));
    edit("a.yaml", 3, `${many}---\n${claim("late", "elsewhere")}`);
    const count = (codes: readonly string[]): number =>
      codes.filter((code) => code === "pvc-class-missing").length;
    await askUntil("a.yaml", (codes) => count(codes) === 201);
  });

  test("are complete for a client without refresh support even before the workspace has been read", async () => {
    writeFileSync(join(folder, "a.yaml"), claim("a", "nowhere"));
    await start({ capabilities: { textDocument: { diagnostic: {} } } });
    open("a.yaml", claim("a", "nowhere"));
    assert.ok(codesOf(await ask("a.yaml")).includes("pvc-class-missing"));
  });

  test("are complete for a client without refresh support after an edit", async () => {
    writeFileSync(join(folder, "a.yaml"), claim("a", "nowhere"));
    await start({ capabilities: { textDocument: { diagnostic: {} } } });
    await askAll();
    open("a.yaml", claim("a", "nowhere"));
    edit("a.yaml", 2, claim("a", '""'));
    assert.ok(!codesOf(await ask("a.yaml")).includes("pvc-class-missing"));
  });

  test("of a workspace are sent in parts if the client supports it", async () => {
    const names = Array.from({ length: 120 }, (_, i) => `f${i}.yaml`);
    for (const name of names) writeFileSync(join(folder, name), claim(name, "nowhere"));
    await start();
    const partialResultToken = "parts";
    const { items } = await client.request<{ readonly items: readonly Report[] }>(
      "workspace/diagnostic",
      { previousResultIds: [], partialResultToken },
    );
    assert.deepEqual(items, []);
    const parts = client.notifications.flatMap(({ method, params }) => {
      const { token, value } = params as {
        readonly token: string;
        readonly value: { readonly items: readonly Report[] };
      };
      return method === "$/progress" && token === partialResultToken ? [value.items] : [];
    });
    assert.ok(parts.length > 1);
    assert.deepEqual(
      parts.flat().map(({ uri }) => uri),
      names.map(uriOf).sort(),
    );
  });

  test("of a workspace are sent again only for changed files", async () => {
    writeFileSync(join(folder, "a.yaml"), claim("a", "nowhere"));
    writeFileSync(
      join(folder, "b.yaml"),
      "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: b }\n",
    );
    await start();
    const first = await askAll();
    assert.deepEqual([...first.keys()], [uriOf("a.yaml"), uriOf("b.yaml")]);
    const known = [...first].map(([uri, { resultId }]) => ({ uri, value: resultId }));
    open("c.yaml", storageClass);
    const second = await askAll(known);
    assert.equal(second.get(uriOf("a.yaml"))?.kind, "full");
    assert.ok(!codesOf(second.get(uriOf("a.yaml"))).includes("pvc-class-missing"));
    assert.equal(second.get(uriOf("b.yaml"))?.kind, "unchanged");
  });

  test("are not pushed as well", async () => {
    writeFileSync(join(folder, "a.yaml"), claim("a", "nowhere"));
    await start();
    await askAll();
    assert.equal(client.last("textDocument/publishDiagnostics"), undefined);
  });

  test("are not announced to a client that prefers push", async () => {
    writeFileSync(join(folder, "a.yaml"), claim("a", "nowhere"));
    const { diagnosticProvider } = await start({ initializationOptions: { diagnostics: "push" } });
    assert.equal(diagnosticProvider, undefined);
    await client.until(() => client.last("textDocument/publishDiagnostics"));
  });

  const neovim = { clientInfo: { name: "Neovim" } };

  test("are replaced by push for Neovim, which asks too late", async () => {
    writeFileSync(join(folder, "a.yaml"), claim("a", "nowhere"));
    const { diagnosticProvider } = await start(neovim);
    assert.equal(diagnosticProvider, undefined);
    await client.until(() => client.last("textDocument/publishDiagnostics"));
  });

  test("are used for Neovim if it is configured to prefer them", async () => {
    writeFileSync(join(folder, "a.yaml"), claim("a", "nowhere"));
    await start({ ...neovim, initializationOptions: { diagnostics: "pull" } });
    assert.ok(codesOf((await askAll()).get(uriOf("a.yaml"))).includes("pvc-class-missing"));
    assert.equal(client.last("textDocument/publishDiagnostics"), undefined);
  });

  test("of a text that was edited meanwhile are given up, so that the client asks again", async () => {
    const many = Array.from({ length: 30 }, (_, i) => claim(`c${i}`, "nowhere")).join("---\n");
    writeFileSync(join(folder, "a.yaml"), many);
    await start({ capabilities: { textDocument: { diagnostic: {} } } });
    await askAll();
    open("a.yaml", many);
    const overtaken = ask("a.yaml").catch((error: unknown) => error);
    edit("a.yaml", 2, many.replaceAll("nowhere", "elsewhere"));
    const answer = await ask("a.yaml");
    assert.ok(codesOf(answer).includes("pvc-class-missing"));
    const first = await overtaken;
    const isGivenUp = first instanceof Error && /the text has changed/.test(first.message);
    // On an idle machine, the request may have been answered before the edit arrived.
    assert.ok(isGivenUp || (first as Report).kind === "full");
  });

  test("of the workspace include project files, and leave out files that are not judged", async () => {
    const files = {
      "claim.yaml": claim("data", "standard"),
      "claimcheck.yaml": "profil: kind\n",
      "notes.yaml": "a: 1\n",
      "empty/claimcheck.yaml": "rules: { pvc-class-missing: of }\n",
    };
    mkdirSync(join(folder, "empty"));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    await start();
    const { items } = await client.request<{ readonly items: readonly Report[] }>(
      "workspace/diagnostic",
      { previousResultIds: [] },
    );
    const told = items.map(({ uri = "", items: found = [] }) => [
      uri.slice(uriOf("").length + 1),
      found.map(({ code }) => code).filter((code) => code === "project-file"),
    ]);
    assert.deepEqual(told.sort(), [
      ["claim.yaml", []],
      ["claimcheck.yaml", ["project-file"]],
      ["empty/claimcheck.yaml", ["project-file"]],
    ]);
  });
});
