/** However files, editors and folders come and go: the last findings sent for each file are those that a fresh start finds. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { Background } from "../../../src/language-server/background.ts";
import type { Diagnostic } from "../../../src/language-server/diagnostics/rule.ts";
import { Publisher } from "../../../src/language-server/publishing/publisher.ts";
import {
  createLanguageService,
  type LanguageService,
} from "../../../src/language-server/service.ts";
import { fileSystemOf, memoryFolder, memoryUri } from "../../support/memory-workspace.ts";

const claim = (name: string, storageClass = "x"): string =>
  `apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: ${name} }\nspec: { storageClassName: ${storageClass}, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }\n`;
const volume =
  "apiVersion: v1\nkind: PersistentVolume\nmetadata: { name: v }\nspec: { storageClassName: x, accessModes: [ReadWriteOnce], capacity: { storage: 1Gi }, nfs: { server: s, path: /p } }\n";
const pod =
  "apiVersion: v1\nkind: Pod\nmetadata: { name: p }\nspec: { containers: [{ name: c, image: i, volumeMounts: [{ name: v, mountPath: /d }] }], volumes: [{ name: v, persistentVolumeClaim: { claimName: a } }] }\n";
const manifests = [
  claim("a"),
  claim("a", "y"),
  claim("b"),
  volume,
  pod,
  `# p\n${pod}`,
  "",
  "kind: [",
];
const projects = [
  "profile: eks\n",
  "profile: [\n",
  "folders: [../b]\n",
  "cluster: { import: [a.yaml, x.dump] }\n",
  "suppressions: [{ rule: pod-claim-missing }]\n",
];
const files: readonly (readonly [uri: string, text: string])[] = Object.entries({
  "a/a.yaml": manifests,
  "a/b.yaml": manifests,
  "b/b.yaml": manifests,
  "a/x.dump": [claim("a"), ""],
  "claimcheck.yaml": projects,
  "a/claimcheck.yaml": projects,
  "a/kustomization.yaml": ["resources: [a.yaml]\nnamePrefix: k-\n", "resources: [\n"],
  "c/Chart.yaml": ["apiVersion: v2\nname: c\nversion: 1.0.0\n", ""],
  "c/templates/a.yaml": [claim("c"), "{{ fail .Values.x }}\n"],
}).flatMap(([name, texts]) => texts.map((text) => [memoryUri(name), text] as const));

class World {
  readonly disk: Map<string, string>;
  readonly editors = new Map<string, string>();
  folders: readonly string[] = [memoryFolder];
  readonly service: LanguageService;
  readonly publisher: Publisher;
  readonly told = new Map<string, readonly Diagnostic[]>();

  constructor(disk: Map<string, string>) {
    this.disk = disk;
    this.service = start(disk);
    const client = {
      wants: (): boolean => true,
      publish: (uri: string, found: readonly Diagnostic[]) => void this.told.set(uri, found),
      changed: (): void => {},
      predicted: (): void => {},
      gone: (): void => {},
      failed: (error: unknown): void => assert.fail(String(error)),
    };
    this.publisher = new Publisher(this.service, client, new Background(turn));
  }

  async edit(uri: string, text: string): Promise<void> {
    this.editors.set(uri, text);
    this.service.setEditorText(uri, text);
    this.publisher.fileChanged(uri, this.editors.size);
    await this.service.readImports();
    await this.publisher.everythingChanged();
  }

  async close(uri: string): Promise<void> {
    this.editors.delete(uri);
    this.service.closeEditor(uri);
    await this.service.readImports();
    await this.publisher.fileClosed(uri);
  }

  async write(uri: string, text: string | undefined): Promise<void> {
    if (text === undefined) this.disk.delete(uri);
    else this.disk.set(uri, text);
    await this.service.reloadFiles([uri]);
    await this.service.syncFolders();
    await this.publisher.everythingChanged();
  }

  async open(names: readonly string[]): Promise<void> {
    this.folders = names.map((name) => (name === "." ? memoryFolder : memoryUri(name)));
    await this.service.loadFolders(this.folders);
    await this.publisher.everythingChanged();
  }
}

type Act = (world: World) => Promise<void>;

const named = (name: string, take: Act): Act => Object.assign(take, { toString: () => name });
const file = fc.constantFrom(...files);
const act = fc.oneof(
  file.map(([uri, text]) => named(`edit ${uri} ${text}`, (world) => world.edit(uri, text))),
  file.map(([uri]) => named(`close ${uri}`, (world) => world.close(uri))),
  file.map(([uri, text]) => named(`write ${uri} ${text}`, (world) => world.write(uri, text))),
  file.map(([uri]) => named(`remove ${uri}`, (world) => world.write(uri, undefined))),
  fc
    .constantFrom(["."], ["a"], ["a", "b"], [".", "b"], [])
    .map((names) => named(`open ${names}`, (world) => world.open(names))),
);

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function start(disk: ReadonlyMap<string, string>): LanguageService {
  return createLanguageService({ fileSystem: fileSystemOf(disk), pause: turn });
}

suite("the findings that a client got last", function (this: Mocha.Suite) {
  this.timeout(60_000);

  for (const overlaps of [false, true])
    test(`are those of a fresh start, ${overlaps ? "though one thing comes before the other has ended" : "one thing after the other"}`, () =>
      fc.assert(
        fc.asyncProperty(
          fc.array(file, { maxLength: 8 }),
          fc.array(act, { minLength: 1, maxLength: 8 }),
          async (before, acts) => {
            const world = new World(new Map(before));
            const going = [world.open(["."])];
            for (const take of acts) {
              if (!overlaps) await going.at(-1);
              going.push(take(world));
            }
            await Promise.all(going);
            await world.publisher.settled(Promise.resolve());
            const fresh = start(world.disk);
            for (const [uri, text] of world.editors) fresh.setEditorText(uri, text);
            await fresh.loadFolders(world.folders);
            await fresh.readImports();
            for (const environment of fresh.environments()) await fresh.predict(environment);
            for (const uri of new Set(files.map(([one]) => one)))
              assert.deepEqual(world.told.get(uri) ?? [], fresh.knownDiagnostics(uri), uri);
          },
        ),
        { numRuns: 60, seed: 7 },
      ));
});
