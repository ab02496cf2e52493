/** Outcomes are shown at the next start with the very same files, before anything has been run. */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { Diagnostic } from "../../../src/language-server/diagnostics/rule.ts";
import {
  createLanguageService,
  type LanguageService,
} from "../../../src/language-server/service.ts";
import type { TextStorage } from "../../../src/language-server/storage/text-storage.ts";
import type { FileSystem } from "../../../src/language-server/workspace/files/file-system.ts";
import { memoryFileSystem, memoryFolder, memoryUri } from "../../support/memory-workspace.ts";
import { anyFile } from "../../support/random-cluster.ts";

class MemoryStorage implements TextStorage {
  readonly texts = new Map<string, string>();
  readonly #program: string;

  constructor(program = "this program") {
    this.#program = program;
  }

  digest(): { readonly add: (text: string) => void; readonly end: () => string } {
    const added = [this.#program];
    return { add: (text) => added.push(text), end: () => JSON.stringify(added) };
  }

  read(name: string): Promise<string | undefined> {
    return Promise.resolve(this.texts.get(name));
  }

  write(name: string, text: string): Promise<void> {
    this.texts.set(name, text);
    return Promise.resolve();
  }
}

type Files = ReadonlyMap<string, string>;

/** A disk whose files may change. */
function diskOf(files: Files): FileSystem {
  const names = new Map([...files.keys()].map((name) => [memoryUri(name), name]));
  return {
    ...memoryFileSystem(files),
    readFile: (uri) => Promise.resolve(files.get(names.get(uri) ?? "")),
  };
}

/** Starts a service with everything known that needs no run. */
async function start(
  files: Files,
  storage: TextStorage,
  { small = 0, version = "1.36" }: { small?: number; version?: "1.36" | "1.33" } = {},
): Promise<LanguageService> {
  const service = createLanguageService({
    fileSystem: diskOf(files),
    pause: () => Promise.resolve(),
    smallEnvironment: small,
  });
  service.configure({ kubernetesVersion: version });
  service.keepIn(storage);
  await service.loadFolders([memoryFolder]);
  await service.recall();
  compare(service);
  return service;
}

function judge(service: LanguageService): void {
  for (const environment of service.environments()) for (const _ of service.judge(environment));
}

/** Compares objects, without running the engine. */
function compare(service: LanguageService): void {
  for (const environment of service.environments()) for (const _ of service.compare(environment));
}

function keep(service: LanguageService): void {
  for (const environment of service.environments()) for (const _ of service.keep(environment));
}

function said(service: LanguageService, files: Files): Record<string, readonly Diagnostic[]> {
  return Object.fromEntries(
    [...files.keys()].map((name) => [name, service.knownDiagnostics(memoryUri(name))]),
  );
}

/** Judges files and keeps the outcomes for the next start. */
async function kept(files: Files, storage: TextStorage): Promise<LanguageService> {
  const service = await start(files, storage);
  judge(service);
  keep(service);
  return service;
}

const stuckClaim = `apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec:
  storageClassName: ""
  accessModes: [ReadWriteOnce]
  resources: { requests: { storage: 10Gi } }
---
apiVersion: v1
kind: PersistentVolume
metadata: { name: small }
spec:
  capacity: { storage: 5Gi }
  accessModes: [ReadWriteOnce]
  csi: { driver: nfs.csi.k8s.io, volumeHandle: small }
`;
const stuck: Files = new Map([["claim.yaml", stuckClaim]]);

function codes(service: LanguageService, name = "claim.yaml"): readonly string[] {
  return service.knownDiagnostics(memoryUri(name)).map(({ code }) => code);
}

suite("outcomes kept for the next start", function (this: Mocha.Suite) {
  this.timeout(60_000);

  for (const [how, small] of [
    ["apart", 0],
    ["together", 3],
  ] as const)
    test(`give the same files, judged ${how}, all their findings before they are run`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(anyFile, { minLength: 2, maxLength: 4 }), async (texts) => {
          const files = new Map(texts.map((text, index) => [`${index}.yaml`, text]));
          const storage = new MemoryStorage();
          const first = await start(files, storage, { small });
          judge(first);
          keep(first);
          const again = await start(files, storage, { small });
          const [environment] = again.environments();
          const isKept = storage.texts.size > 0;
          if (environment !== undefined && isKept)
            assert.equal(again.prediction(environment), undefined);
          if (isKept) assert.deepEqual(said(again, files), said(first, files));
          judge(again);
          assert.deepEqual(said(again, files), said(first, files));
        }),
        { numRuns: 15, seed: 21 },
      );
    });

  test("do not include unsaved texts", async () => {
    const storage = new MemoryStorage();
    const service = await start(stuck, storage);
    service.setEditorText(memoryUri("claim.yaml"), `# unsaved\n${stuckClaim}`);
    judge(service);
    keep(service);
    assert.equal(storage.texts.size, 0);
  });

  for (const [what, edit] of [
    ["a line before all objects", (text: string) => `# a line\n${text}`],
    ["another size", (text: string) => text.replace("10Gi", "9Gi")],
  ] as const)
    test(`are those of the present text after a saved edit (${what})`, async () => {
      const storage = new MemoryStorage();
      const files = new Map(stuck);
      const service = await kept(files, storage);
      files.set("claim.yaml", edit(stuckClaim));
      await service.reloadFiles([memoryUri("claim.yaml")]);
      judge(service);
      keep(service);
      assert.deepEqual(said(await start(files, storage), files), said(service, files));
    });

  test("are ignored for another text, version or program, and if their own text is truncated", async () => {
    const storage = new MemoryStorage();
    const known = codes(await kept(stuck, storage));
    const own = codes(await start(stuck, new MemoryStorage()));
    assert.notDeepEqual(known, own);
    assert.deepEqual(codes(await start(stuck, storage)), known);

    const other = new Map([["claim.yaml", stuckClaim.replace("10Gi", "11Gi")]]);
    assert.deepEqual(codes(await start(other, storage)), own);
    assert.deepEqual(codes(await start(stuck, storage, { version: "1.33" })), own);
    const elsewhere = new MemoryStorage("another program");
    for (const [name, text] of storage.texts) elsewhere.texts.set(name, text);
    assert.deepEqual(codes(await start(stuck, elsewhere)), own);
    for (const [name, text] of storage.texts) storage.texts.set(name, text.slice(0, -9));
    assert.deepEqual(codes(await start(stuck, storage)), own);
  });

  test("leave a comment in use that accepts one of their findings", async () => {
    const [code = ""] = codes(await kept(stuck, new MemoryStorage()));
    const accepted = new Map([["claim.yaml", `# claimcheck-ignore ${code}: known\n${stuckClaim}`]]);
    const storage = new MemoryStorage();
    const before = codes(await kept(accepted, storage));
    const again = await start(accepted, storage);
    assert.deepEqual(codes(again), before);
  });

  test("do not affect how an edit before the end of the first run is judged", async () => {
    const storage = new MemoryStorage();
    await kept(stuck, storage);
    const again = await start(stuck, storage);
    const mended = stuckClaim.replace("10Gi", "4Gi");
    again.setEditorText(memoryUri("claim.yaml"), mended);
    judge(again);
    const fresh = await start(new Map([["claim.yaml", mended]]), new MemoryStorage());
    judge(fresh);
    assert.deepEqual(said(again, stuck), said(fresh, stuck));
  });

  test("do not include outcomes that depend on an imported cluster", async () => {
    const storage = new MemoryStorage();
    const files = new Map([
      ...stuck,
      ["claimcheck.yaml", "cluster: { import: cluster.yaml }\n"],
      ["cluster.yaml", "apiVersion: v1\nkind: List\nitems: []\n"],
    ]);
    await kept(files, storage);
    assert.equal(storage.texts.size, 0);
  });
});
