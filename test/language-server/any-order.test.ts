/**
 * However files are edited, closed, written, removed, opened and configured, and however that overlaps: what is known in the
 * end is what a fresh start finds.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { createLanguageService, type LanguageService } from "../../src/language-server/service.ts";
import type { ServiceSettings } from "../../src/language-server/service-options.ts";
import { isReadAt } from "../../src/language-server/workspace/files/file-system.ts";
import { memoryFolder, memoryUri } from "../support/memory-workspace.ts";

const claim = (name: string): string =>
  `apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: ${name} }\nspec: { storageClassName: x, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }\n`;
const volume = (name: string): string =>
  `apiVersion: v1\nkind: PersistentVolume\nmetadata: { name: ${name} }\nspec: { storageClassName: x, accessModes: [ReadWriteOnce], capacity: { storage: 1Gi }, nfs: { server: s, path: /p } }\n`;
const pod = (of: string): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: { name: p }\nspec: { containers: [{ name: c, image: i, volumeMounts: [{ name: v, mountPath: /d }] }], volumes: [{ name: v, persistentVolumeClaim: { claimName: ${of} } }] }\n`;

const manifests = [claim("a"), claim("b"), volume("v"), pod("a"), "", "apiVersion: v1\nkind: ["];
const template =
  'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: {{ if .Values.bad }}{{ fail "bad" }}{{ end }}a }\n';
const projects = [
  "profile: eks\n",
  "profile: [\n",
  "folders: [../b]\n",
  "cluster: { import: [a.yaml, x.dump] }\n",
  "cluster: { import: gone.yaml }\n",
  "suppressions: [{ rule: pod-claim-missing }]\n",
];

/** Texts that each file may have; a text that begins with an arrow is a link. */
const files: readonly (readonly [uri: string, text: string])[] = Object.entries({
  "a/a.yaml": manifests,
  "a/b.yaml": manifests,
  "b/b.yaml": manifests,
  "a/link.yaml": [claim("a"), "-> a/a.yaml", "-> b/b.yaml"],
  "a/x.dump": [claim("a"), volume("v"), "kind: ["],
  "claimcheck.yaml": projects,
  "a/claimcheck.yaml": projects,
  "a/kustomization.yaml": ["resources: [a.yaml]\nnamePrefix: k-\n", "resources: [\n"],
  "c/Chart.yaml": ["apiVersion: v2\nname: c\nversion: 1.0.0\n", ""],
  "c/values.yaml": ["bad: true\n", "", "["],
  "c/templates/a.yaml": [template, claim("c")],
}).flatMap(([name, texts]) => texts.map((text) => [memoryUri(name), text] as const));

/** The initial files, before random texts replace some. */
const usual = ["a/a.yaml", "a/b.yaml", "a/link.yaml", "a/x.dump", "c/Chart.yaml"]
  .concat("c/values.yaml", "c/templates/a.yaml")
  .map((name) => files.find(([uri]) => uri === memoryUri(name)) ?? assert.fail(name));

/** An action that describes itself; it notifies the service and changes the disk. */
interface Act {
  readonly name: string;
  readonly take: (world: World) => Promise<unknown>;
}

interface World {
  readonly service: LanguageService;
  readonly disk: Map<string, string>;
  readonly editors: Map<string, string>;
  folders: readonly string[];
  settings: ServiceSettings;
}

const isLink = (text: string): boolean => text.startsWith("-> ");

const file = fc.constantFrom(...files);
const edit = file.map(([uri, text]): Act => {
  const take = async ({ service, editors }: World): Promise<void> => {
    if (isLink(text)) return;
    editors.set(uri, text);
    service.setEditorText(uri, text);
    await service.readImports();
  };
  return { name: `edit ${uri} ${text}`, take };
});
const close = file.map(([uri]): Act => {
  const take = ({ service, editors }: World): Promise<void> => {
    editors.delete(uri);
    return Promise.resolve(service.closeEditor(uri));
  };
  return { name: `close ${uri}`, take };
});
const write = file.map(([uri, text]): Act => {
  const take = async ({ service, disk }: World): Promise<void> => {
    disk.set(uri, text);
    await service.reloadFiles([uri]);
    await service.syncFolders();
  };
  return { name: `write ${uri} ${text}`, take };
});
const remove = fc.constantFrom("a/", "b/", "c/", "a/a.yaml", "claimcheck.yaml").map((path): Act => {
  const take = async ({ service, disk }: World): Promise<void> => {
    for (const uri of [...disk.keys()]) if (uri.startsWith(memoryUri(path))) disk.delete(uri);
    await service.reloadFiles([memoryUri(path)]);
    await service.syncFolders();
  };
  return { name: `remove ${path}`, take };
});
const open = fc.constantFrom(["."], ["a"], ["a", "b"], [".", "b"], []).map((names): Act => {
  const take = (world: World): Promise<void> => {
    world.folders = names.map((name) => (name === "." ? memoryFolder : memoryUri(name)));
    return world.service.loadFolders(world.folders);
  };
  return { name: `open ${names}`, take };
});
const settings: readonly ServiceSettings[] = [
  {},
  { profile: "gke" },
  { exclude: { "**/b": true } },
];
const set = fc.constantFrom(...settings).map((given): Act => {
  const take = async (world: World): Promise<void> => {
    world.settings = { ...given, overlays: new Map() };
    if (world.service.configure(world.settings)) await world.service.rereadFolders();
  };
  return { name: `set ${JSON.stringify(given)}`, take };
});
const judge: Act = {
  name: "judge",
  take: async ({ service }) => {
    for (const environment of service.environments()) {
      const isStale = (): boolean => service.environment(environment.id) !== environment;
      await service.predict(environment, isStale);
      if (!isStale()) service.environmentDiagnostics(environment);
    }
  },
};
const act = fc
  .oneof(edit, edit, close, write, write, remove, open, set, fc.constant(judge), fc.constant(judge))
  .map(({ name, take }) => ({ take, toString: () => name }));

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function start(disk: ReadonlyMap<string, string>): LanguageService {
  const targetOf = (uri: string): string => {
    const text = disk.get(uri) ?? "";
    return isLink(text) ? memoryUri(text.slice(3)) : uri;
  };
  const textAt = (uri: string): string | undefined => disk.get(targetOf(uri));
  return createLanguageService({
    fileSystem: {
      async listFiles(folder) {
        await turn();
        const uris = [...disk.keys()].filter((uri) => uri.startsWith(`${folder}/`)).sort();
        return uris
          .filter((uri) => isReadAt(uri) && textAt(uri) !== undefined)
          .map((uri) => ({ uri, ...(targetOf(uri) !== uri && { linkTo: targetOf(uri) }) }));
      },
      async readFile(uri) {
        await turn();
        return textAt(uri);
      },
      linkTarget: (uri) => Promise.resolve(targetOf(uri)),
      canonicalUri: (uri) => uri,
    },
    pause: turn,
  });
}

async function known(service: LanguageService): Promise<readonly unknown[]> {
  for (const environment of service.environments()) await service.predict(environment);
  return service.environments().map((environment) => ({
    ...service.describe(environment),
    revision: 0,
    files: environment.files.map(({ uri }) => uri),
    objects: environment.objects.map(({ file, object }) => `${file.uri} ${object.ref}`),
    found: [...service.environmentDiagnostics(environment)],
    outcome: service.outcome({ environment: environment.id }),
  }));
}

suite("a long-used service", function (this: Mocha.Suite) {
  this.timeout(60_000);

  for (const overlaps of [false, true])
    test(`knows what a fresh one does, ${overlaps ? "though one thing comes before the other has ended" : "one thing after the other"}`, () =>
      fc.assert(
        fc.asyncProperty(
          fc.array(file, { maxLength: 4 }),
          fc.array(act, { minLength: 1, maxLength: 12 }),
          async (before, acts) => {
            const disk = new Map([...usual, ...before]);
            const service = start(disk);
            const folders = [memoryFolder];
            const world: World = { service, disk, editors: new Map(), folders, settings: {} };
            await service.loadFolders(folders);
            const going: Promise<unknown>[] = [];
            for (const { take } of acts) {
              going.push(take(world));
              if (!overlaps) await going.at(-1);
            }
            await Promise.all(going);
            const fresh = start(disk);
            fresh.configure(world.settings);
            await fresh.loadFolders(world.folders);
            for (const [uri, text] of world.editors) fresh.setEditorText(uri, text);
            await fresh.readImports();
            assert.deepEqual(await known(service), await known(fresh));
          },
        ),
        { numRuns: 100, seed: 5 },
      ));
});
