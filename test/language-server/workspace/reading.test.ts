import assert from "node:assert/strict";
import {
  createLanguageService,
  type LanguageService,
} from "../../../src/language-server/service.ts";
import { memoryFolder, memoryUri } from "../../support/memory-workspace.ts";

const claim = (name: string): string =>
  `apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: ${name} }\n`;

/** What is known about the files if `change` happens while they are read, and the service is notified. */
async function readWhile(
  change: (disk: Map<string, string>) => void,
  tell: (service: LanguageService) => Promise<void>,
): Promise<Readonly<Record<string, string>>> {
  const disk = new Map(["a", "b"].map((name) => [memoryUri(`${name}.yaml`), claim(name)]));
  const service = createLanguageService({
    fileSystem: {
      listFiles: () => Promise.resolve([...disk.keys()].map((uri) => ({ uri }))),
      readFile: (uri) => Promise.resolve(disk.get(uri)),
      canonicalUri: (uri) => uri,
    },
    pause: () => Promise.resolve(),
  });
  let told: Promise<void> | undefined;
  await service.loadFolders([memoryFolder], () => {
    if (told !== undefined) return;
    change(disk);
    told = tell(service);
  });
  await told;
  const [environment] = service.environments();
  return Object.fromEntries(
    environment?.objects.map(({ file, object }) => [file.uri, object.name]) ?? [],
  );
}

suite("files that change while folders are read", () => {
  const [a, b, c] = ["a.yaml", "b.yaml", "c.yaml"].map(memoryUri) as [string, string, string];

  test("have their new text", async () =>
    assert.deepEqual(
      await readWhile(
        (disk) => disk.set(b, claim("changed")),
        (service) => service.reloadFiles([b]),
      ),
      { [a]: "a", [b]: "changed" },
    ));

  test("are dropped if they were deleted", async () =>
    assert.deepEqual(
      await readWhile(
        (disk) => disk.delete(b),
        (service) => service.reloadFiles([b]),
      ),
      { [a]: "a" },
    ));

  test("are dropped with their folder, even if no single file was reported", async () =>
    assert.deepEqual(
      await readWhile(
        (disk) => disk.delete(b),
        (service) => service.syncFolders(),
      ),
      { [a]: "a" },
    ));

  test("are added if they are new", async () =>
    assert.deepEqual(
      await readWhile(
        (disk) => disk.set(c, claim("c")),
        (service) => service.syncFolders(),
      ),
      { [a]: "a", [b]: "b", [c]: "c" },
    ));
});

/** A service whose file system reads texts early, but only hands them over when told to. */
function slowService(disk: ReadonlyMap<string, string>): {
  readonly service: LanguageService;
  /** Holds back what is read from the start of `ask` until the returned function is called. */
  readonly holding: (ask: () => Promise<void>) => Promise<() => Promise<void>>;
} {
  let held: Promise<void> = Promise.resolve();
  const service = createLanguageService({
    fileSystem: {
      listFiles: (folder) =>
        Promise.resolve(
          [...disk.keys()].filter((uri) => uri.startsWith(`${folder}/`)).map((uri) => ({ uri })),
        ),
      async readFile(uri) {
        const text = disk.get(uri);
        await held;
        return text;
      },
      canonicalUri: (uri) => uri,
    },
    pause: () => Promise.resolve(),
  });
  return {
    service,
    holding: async (ask) => {
      let handOver = (): void => {};
      held = new Promise((resolve) => {
        handOver = resolve;
      });
      const asked = ask();
      await turns();
      held = Promise.resolve();
      return () => {
        handOver();
        return asked;
      };
    },
  };
}

/** Enough turns of the event loop for all pending work to finish. */
async function turns(): Promise<void> {
  for (let count = 0; count < 5; count++) await new Promise((resolve) => setImmediate(resolve));
}

suite("changes while something else is being read", () => {
  const [a, b] = ["a/a.yaml", "b/b.yaml"].map(memoryUri) as [string, string];
  const [folderA, folderB] = ["a", "b"].map(memoryUri) as [string, string];

  test("a folder that is closed before it has been read stays closed", async () => {
    const { service, holding } = slowService(new Map([a, b].map((uri) => [uri, claim("data")])));
    const first = await holding(() => service.loadFolders([folderA, folderB]));
    const second = service.loadFolders([folderA]);
    await turns();
    await Promise.all([first(), second]);
    assert.deepEqual(service.manifestUris(), [a]);
  });

  test("a folder that is opened meanwhile is read before loading counts as finished", async () => {
    const { service, holding } = slowService(new Map([a, b].map((uri) => [uri, claim("data")])));
    const first = service.loadFolders([folderA]);
    const second = await holding(() => service.loadFolders([folderA, folderB]));
    let isTold = false;
    void first.then(() => {
      isTold = true;
    });
    await turns();
    assert.equal(isTold, false);
    await Promise.all([first, second()]);
    assert.deepEqual(service.manifestUris(), [a, b]);
  });

  test("a file that is written again has its last text", async () => {
    const disk = new Map([[a, claim("first")]]);
    const { service, holding } = slowService(disk);
    await service.loadFolders([folderA]);
    disk.set(a, claim("second"));
    const slow = await holding(() => service.reloadFiles([a]));
    disk.set(a, claim("third"));
    const last = service.reloadFiles([a]);
    await turns();
    await Promise.all([slow(), last]);
    assert.equal(service.file(a)?.manifest.text, claim("third"));
  });

  test("a file that could not be read is read once it can be", async () => {
    const disk = new Map([[a, claim("data")]]);
    let isReadable = false;
    const service = createLanguageService({
      fileSystem: {
        listFiles: () => Promise.resolve([{ uri: a }]),
        readFile: (uri) => Promise.resolve(isReadable ? disk.get(uri) : undefined),
        canonicalUri: (uri) => uri,
      },
      pause: () => Promise.resolve(),
    });
    await service.loadFolders([folderA]);
    for (const readable of [true, false, true]) {
      isReadable = readable;
      await service.reloadFiles([a]);
      assert.deepEqual(service.manifestUris(), readable ? [a] : []);
    }
  });

  test("before the first folders are requested, loading does not count as finished", async () => {
    const { service } = slowService(new Map());
    assert.equal(service.isLoading(), true);
    await service.loadFolders([]);
    assert.equal(service.isLoading(), false);
  });
});

suite("imported files", () => {
  const [project, listed, dump] = ["claimcheck.yaml", "a.yaml", "cluster.dump"].map(memoryUri) as [
    string,
    string,
    string,
  ];

  async function importing(): Promise<{
    readonly service: LanguageService;
    readonly disk: Map<string, string>;
  }> {
    const disk = new Map([
      [project, "cluster: { import: [a.yaml, cluster.dump] }\n"],
      [listed, claim("a")],
      [dump, claim("dumped")],
    ]);
    const service = createLanguageService({
      fileSystem: {
        listFiles: () =>
          Promise.resolve([...disk.keys()].filter((uri) => uri !== dump).map((uri) => ({ uri }))),
        readFile: (uri) => Promise.resolve(disk.get(uri)),
        canonicalUri: (uri) => uri,
      },
      pause: () => Promise.resolve(),
    });
    await service.loadFolders([memoryFolder]);
    return { service, disk };
  }

  const known = (service: LanguageService): readonly (readonly string[])[] => {
    const [environment] = service.environments();
    return [
      environment?.imported?.objects.map(({ metadata }) =>
        String((metadata as { name: string }).name),
      ) ?? [],
      environment?.objects.map(({ object }) => object.name) ?? [],
    ];
  };

  test("become manifests when they are no longer imported, if they are in the listed files", async () => {
    const { service } = await importing();
    assert.deepEqual(known(service), [["a", "dumped"], []]);
    service.setEditorText(project, "cluster: { import: cluster.dum }\n");
    assert.deepEqual(known(service), [[], ["a"]]);
    service.setEditorText(project, "cluster: { import: cluster.dump }\n");
    await service.readImports();
    assert.deepEqual(known(service), [["dumped"], ["a"]]);
  });

  test("become manifests later even if they were created after the file that names them", async () => {
    const { service, disk } = await importing();
    const late = memoryUri("b.yaml");
    service.setEditorText(project, "cluster: { import: b.yaml }\n");
    disk.set(late, claim("b"));
    await service.readImports();
    await service.syncFolders();
    assert.deepEqual(known(service), [["b"], ["a"]]);
    service.setEditorText(project, "");
    assert.deepEqual(known(service), [[], ["a", "b"]]);
  });

  test("are dropped with their folder and the project file", async () => {
    const { service, disk } = await importing();
    disk.clear();
    await service.syncFolders();
    assert.deepEqual(known(service), [[], []]);
  });

  test("are manifests if the project file was changed before the folders are read again", async () => {
    const { service, disk } = await importing();
    disk.set(project, "profile: eks\n");
    await service.loadFolders([memoryFolder]);
    assert.deepEqual(known(service), [[], ["a"]]);
  });
});
