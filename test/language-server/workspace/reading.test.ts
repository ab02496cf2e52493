import assert from "node:assert/strict";
import {
  createLanguageService,
  type LanguageService,
} from "../../../src/language-server/service.ts";
import { memoryFolder, memoryUri } from "../../support/memory-workspace.ts";

const claim = (name: string): string =>
  `apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: ${name} }\n`;

/** What is known of the files when `change` has happened while they were read, and the service has been told of it. */
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

  test("are as they have become", async () =>
    assert.deepEqual(
      await readWhile(
        (disk) => disk.set(b, claim("changed")),
        (service) => service.reloadFiles([b]),
      ),
      { [a]: "a", [b]: "changed" },
    ));

  test("are gone where they are gone", async () =>
    assert.deepEqual(
      await readWhile(
        (disk) => disk.delete(b),
        (service) => service.reloadFiles([b]),
      ),
      { [a]: "a" },
    ));

  test("are gone where their folder is, though nobody tells of each", async () =>
    assert.deepEqual(
      await readWhile(
        (disk) => disk.delete(b),
        (service) => service.syncFolders(),
      ),
      { [a]: "a" },
    ));

  test("are there where they have come", async () =>
    assert.deepEqual(
      await readWhile(
        (disk) => disk.set(c, claim("c")),
        (service) => service.syncFolders(),
      ),
      { [a]: "a", [b]: "b", [c]: "c" },
    ));
});
