/** Half-written, wrong and hostile manifests: everything gets an answer, nothing throws, nothing takes forever. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { kindSchemas, modelSchemas } from "../../src/engine/api/schema.ts";
import { completions } from "../../src/language-server/features/completion.ts";
import { definition } from "../../src/language-server/features/definition.ts";
import { documentLinks } from "../../src/language-server/features/document-links.ts";
import { foldingRanges } from "../../src/language-server/features/folding-ranges.ts";
import { hover } from "../../src/language-server/features/hover.ts";
import {
  declaration,
  implementation,
  typeDefinition,
} from "../../src/language-server/features/origin.ts";
import {
  documentHighlights,
  findReferences,
} from "../../src/language-server/features/references.ts";
import { prepareRename, rename } from "../../src/language-server/features/rename.ts";
import { selectionRanges } from "../../src/language-server/features/selection-ranges.ts";
import { symbolTree } from "../../src/language-server/features/symbols.ts";
import { createLanguageService, type LanguageService } from "../../src/language-server/service.ts";
import { diskFileSystem } from "../../src/language-server/workspace/files/disk-workspace.ts";
import { fileSizeMax } from "../../src/language-server/workspace/files/file-system.ts";
import { findingsOf } from "../support/findings.ts";
import { memoryFileSystem, memoryFolder, memoryUri } from "../support/memory-workspace.ts";

const uri: string = memoryUri("a.yaml");

/** A value that usually has the shape the API wants, and sometimes another one. */
function anyValue(type: string, depth: number): fc.Arbitrary<unknown> {
  const wrong = fc.oneof(
    fc.string(),
    fc.integer(),
    fc.constant(null),
    fc.constant([]),
    fc.constant({}),
    fc.constant([[null]]),
  );
  return fc.oneof(
    { weight: 9, arbitrary: rightValue(type, depth) },
    { weight: 1, arbitrary: wrong },
  );
}

function rightValue(type: string, depth: number): fc.Arbitrary<unknown> {
  if (type.startsWith("[]")) return fc.array(anyValue(type.slice(2), depth), { maxLength: 2 });
  if (type.startsWith("map[]")) {
    const key = fc.constantFrom(
      "storage",
      "a",
      "kubernetes.io/hostname",
      "csi.storage.k8s.io/provisioner-secret-name",
    );
    return fc.dictionary(key, anyValue(type.slice(5), depth), { maxKeys: 2 });
  }
  const model = modelSchemas[type];
  if (model === undefined || depth === 0) {
    return fc.constantFrom<unknown>(
      "x",
      "data",
      "1Gi",
      "0",
      "ReadWriteOnce",
      "Block",
      true,
      3,
      -1,
      "2026-01-01T00:00:00Z",
    );
  }
  const fields = Object.entries(model).map(
    ([name, [of]]) => [name, anyValue(of, depth - 1)] as const,
  );
  return fc.record(Object.fromEntries(fields), { requiredKeys: [] }).map((object) =>
    // All fields at once would be too large; a handful is enough to meet each combination.
    Object.fromEntries(Object.entries(object).slice(0, 8)),
  );
}

const manifest: fc.Arbitrary<string> = fc
  .constantFrom(...kindSchemas)
  .chain(({ apiVersion, kind, model }) =>
    fc.tuple(anyValue(model, 4), fc.constantFrom("a", "data", "")).map(([value, name]) => {
      const fields =
        typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
      const object = { ...fields, apiVersion, kind };
      return JSON.stringify(name === "" ? object : { ...object, metadata: { name } });
    }),
  );

async function start(): Promise<LanguageService> {
  const service = createLanguageService({
    fileSystem: memoryFileSystem(new Map()),
    pause: () => Promise.resolve(),
  });
  await service.loadFolders([memoryFolder]);
  return service;
}

function askEverything(service: LanguageService, offset: number): void {
  const file = service.file(uri);
  const analysis = service.analysisOf(uri);
  if (file === undefined || analysis === undefined) return;
  const at = Math.min(offset, file.manifest.text.length);
  for (const { start: from, end } of findingsOf(service, uri)) {
    assert.ok(from >= 0 && from <= end && end <= file.manifest.text.length);
  }
  const prediction = service.prediction(analysis.environment);
  hover(analysis, prediction, file, at);
  definition(analysis, prediction, file, at);
  for (const follow of [declaration, typeDefinition, implementation])
    follow(analysis, prediction, file, at);
  findReferences(analysis, file, at, true);
  documentHighlights(analysis, file, at);
  prepareRename(analysis, file, at);
  rename(analysis, file, at, "other");
  for (const { whole, place } of symbolTree(file, analysis))
    assert.ok(whole.start <= place.start && place.end <= whole.end);
  foldingRanges(file);
  selectionRanges(file, at);
  documentLinks(analysis.environment, file);
  completions(analysis, file, at);
}

suite("half-written and wrong manifests", () => {
  test("requests about objects of every kind with fields of every type are answered", async function (this: Mocha.Context) {
    this.timeout(60_000);
    const service = await start();
    fc.assert(
      fc.property(
        fc.array(manifest, { minLength: 1, maxLength: 3 }),
        fc.nat(400),
        (documents, offset) => {
          service.setEditorText(uri, documents.join("\n---\n"));
          askEverything(service, offset);
        },
      ),
      { seed: 21, numRuns: 300 },
    );
  });

  for (const name of ["constructor", "toString", "hasOwnProperty", "__proto__"])
    test(`${name}, which every JavaScript object has, is a name like any other`, async () => {
      const service = await start();
      const text = `apiVersion: v1
kind: ${name}
metadata: { name: ${name} }
spec: { ${name}: {}, template: { spec: { volumes: [{ ${name}: {} }] } } }
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data, labels: { ${name}: x } }
spec: { storageClassName: ${name}, accessModes: [${name}], resources: { requests: { ${name}: 1Gi } } }
---
apiVersion: v1
kind: Pod
metadata: { name: web, annotations: { ${name}: x } }
spec:
  nodeSelector: { ${name}: x }
  containers: [{ name: c, image: i, ${name}: 1 }]
  volumes: [{ name: v, ${name}: {} }]
---
apiVersion: v1
kind: PersistentVolume
metadata: { name: disk }
spec:
  ${name}: {}
  capacity: { storage: 1Gi }
  accessModes: [ReadWriteOnce]
  nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: ${name}, operator: In, values: [a] }] }] } }
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: fast }
provisioner: ${name}
parameters: { ${name}: x }
`;
      service.setEditorText(uri, text);
      for (let offset = 0; offset < text.length; offset += 3) askEverything(service, offset);
      for (const environment of service.environments()) await service.predict(environment);
      for (let offset = 0; offset < text.length; offset += 3) askEverything(service, offset);
      for (const { message } of findingsOf(service, uri)) assert.equal(typeof message, "string");
    });

  test("requests about a manifest cut off anywhere are answered", async () => {
    const service = await start();
    const whole =
      "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\nspec:\n  containers:\n    - name: c\n      image: i\n  volumes:\n    - name: v\n      persistentVolumeClaim: { claimName: data }\n";
    for (let length = 0; length <= whole.length; length++) {
      service.setEditorText(uri, whole.slice(0, length));
      askEverything(service, length);
    }
  });
});

/** Uses a service for one folder on disk, which is removed afterwards. */
async function onDisk(use: (folder: string, service: LanguageService) => Promise<void>) {
  const folder = mkdtempSync(join(tmpdir(), "claimcheck-robust-"));
  const service = createLanguageService({
    fileSystem: diskFileSystem,
    pause: () => Promise.resolve(),
  });
  try {
    await use(folder, service);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function codesOf(service: LanguageService, of: string = uri): readonly string[] {
  return [...new Set(findingsOf(service, of).map(({ code }) => code))];
}

const claim = (name: string): string =>
  `apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: ${name} }\nspec:\n  storageClassName: ""\n  accessModes: [ReadWriteOnce]\n  resources: { requests: { storage: 1Gi } }\n`;

suite("hostile files", function (this: Mocha.Suite) {
  this.timeout(60_000);

  test("any bytes are read as some text, and requests about it are answered", async () => {
    const service = await start();
    const bytes = fc.uint8Array({ maxLength: 300 }).map((all) => Buffer.from(all).toString("utf8"));
    const lines = fc
      .array(
        fc.constantFrom(
          "apiVersion: v1",
          "kind: Pod",
          "---",
          "- &a [*a]",
          "\t- x: y",
          "metadata:",
          "  name: \u{1f600}",
          "? !!binary |",
          "<<: *b",
          "\u0000",
        ),
        { maxLength: 8 },
      )
      .map((all) => all.join("\n"));
    fc.assert(
      fc.property(fc.oneof(bytes, lines), fc.oneof(bytes, lines), fc.nat(300), (a, b, offset) => {
        service.setEditorText(uri, `apiVersion: v1\n${a}\n---\n${b}`);
        askEverything(service, offset);
      }),
      { seed: 31, numRuns: 300 },
    );
  });

  test("deep nesting is refused with a message", async () => {
    const service = await start();
    const depth = 20_000;
    service.setEditorText(uri, `apiVersion: v1\nkind: Pod\nspec: ${"[".repeat(depth)}`);
    assert.ok(codesOf(service).length > 0);
    service.setEditorText(
      uri,
      `apiVersion: v1\nkind: Pod\nspec: ${"[".repeat(depth)}${"]".repeat(depth)}`,
    );
    assert.deepEqual(codesOf(service), ["yaml-limit"]);
  });

  test("aliases that expand without end are refused with a message", async () => {
    const service = await start();
    const bomb = Array.from({ length: 12 }, (_, i) =>
      i === 0
        ? "a0: &a0 [x, x, x, x, x, x, x, x, x, x]"
        : `a${i}: &a${i} [${`*a${i - 1}, `.repeat(10)}]`,
    ).join("\n");
    service.setEditorText(uri, `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: b }\n${bomb}\n`);
    assert.ok(codesOf(service).includes("yaml-limit"));
  });

  test("a document of ten megabytes is refused with a message", async () => {
    const service = await start();
    const data = `${"x".repeat(100)}\n    `.repeat(100_000);
    service.setEditorText(
      uri,
      `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: big }\ndata:\n  big: |\n    ${data}\n`,
    );
    assert.deepEqual(codesOf(service), ["yaml-limit"]);
    askEverything(service, 5_000_000);
  });

  for (const name of ["a.yaml", "claimcheck.yaml", "kustomization.yaml", "a.scenario.yaml"])
    test(`${name} of nothing but line ends is read at once`, async () => {
      const service = await start();
      service.setEditorText(memoryUri(name), `${"\n".repeat(300_000)}x`);
      assert.ok(service.file(memoryUri(name)) !== undefined);
      assert.equal(service.knownDiagnostics(memoryUri(name)).length <= 2, true);
    });

  test("an edit in a file of five thousand documents only reads one of them again", async () => {
    const service = await start();
    const documents = Array.from({ length: 5000 }, (_, i) => claim(`c${i}`));
    service.setEditorText(uri, documents.join("---\n"));
    const before = service.file(uri)?.manifest.documents ?? [];
    documents[2500] = claim("other");
    service.setEditorText(uri, documents.join("---\n"));
    const after = service.file(uri)?.manifest.documents ?? [];
    assert.equal(after.filter((document, i) => document !== before[i]).length, 1);
    assert.ok(service.knownDiagnostics(uri).length <= 5000);
  });

  test("carriage returns, a byte order mark and wide characters keep places correct", async () => {
    const service = await start();
    const text = `\ufeff# \u{1f600} \u{1f600}\n${claim("a")}`.replace(
      "storage: 1Gi",
      "storage: 1Qi",
    );
    const [unix] = await placed(service, text);
    const [windows] = await placed(service, text.replaceAll("\n", "\r\n"));
    assert.equal(unix, "1Qi");
    assert.equal(windows, "1Qi");
  });

  test("a tab is a mistake with a place and does not end the reading", async () => {
    const service = await start();
    service.setEditorText(
      uri,
      `${claim("a")}---\napiVersion: v1\nkind: Pod\nmetadata:\n\tname: x\n`,
    );
    assert.ok(codesOf(service).includes("yaml-syntax"));
    assert.equal(service.analysisOf(uri)?.environment.objects.length, 1);
  });

  test("drive letters in either case name the same file", () => {
    const { canonicalUri } = diskFileSystem;
    if (process.platform !== "win32") return;
    assert.equal(canonicalUri("file:///c%3A/w/a.yaml"), canonicalUri("file:///C:/w/a.yaml"));
  });

  test("circular links and files that vanish are skipped", () =>
    onDisk(async (folder, service) => {
      mkdirSync(join(folder, "a"));
      symlinkSync(folder, join(folder, "a", "back"), "dir");
      symlinkSync(join(folder, "nowhere.yaml"), join(folder, "dead.yaml"));
      writeFileSync(join(folder, "a", "x.yaml"), claim("x"));
      writeFileSync(join(folder, "y.yaml"), claim("y"));
      const folderUri = pathToFileURL(folder).href;
      await service.loadFolders([folderUri]);
      assert.equal(service.environments()[0]?.objects.length, 2);
      rmSync(join(folder, "y.yaml"));
      await service.reloadFiles([`${folderUri}/y.yaml`, `${folderUri}/never.yaml`]);
      assert.equal(service.environments()[0]?.objects.length, 1);
    }));

  test("devices and pipes in place of files block nothing", () => {
    if (process.platform === "win32") return;
    return onDisk(async (folder, service) => {
      const git = (...args: readonly string[]): void => {
        const name = ["-c", "user.name=a", "-c", "user.email=a@b.c"];
        execFileSync("git", ["-C", folder, ...name, ...args]);
      };
      writeFileSync(join(folder, "x.yaml"), claim("x"));
      writeFileSync(join(folder, "piped.yaml"), claim("piped"));
      symlinkSync("/dev/zero", join(folder, "endless.yaml"));
      git("init", "-q");
      git("add", ".");
      git("commit", "-q", "-m", "first");
      rmSync(join(folder, "piped.yaml"));
      for (const name of ["piped.yaml", "pipe"]) execFileSync("mkfifo", [join(folder, name)]);
      symlinkSync("/dev/zero", join(folder, ".gitignore"));
      writeFileSync(join(folder, "claimcheck.yaml"), "cluster: { import: pipe }\n");
      await service.loadFolders([pathToFileURL(folder).href]);
      assert.deepEqual(
        service.environments()[0]?.objects.map(({ object }) => object.name),
        ["x"],
      );
    });
  });

  test("links that lead out of the folder are reported and not read, whatever names them", () =>
    onDisk(async (folder, service) => {
      const [inside, outside] = [join(folder, "inside"), join(folder, "outside")];
      for (const path of [inside, outside]) mkdirSync(path);
      writeFileSync(join(outside, "secret.yaml"), claim("secret"));
      writeFileSync(join(inside, "x.yaml"), claim("x"));
      symlinkSync("x.yaml", join(inside, "same.yaml"));
      symlinkSync("../outside/secret.yaml", join(inside, "link.yaml"));
      symlinkSync("../outside", join(inside, "folder"), "dir");
      const project = "cluster: { import: folder/secret.yaml }\n";
      writeFileSync(join(inside, "claimcheck.yaml"), project);
      const uriOf = (name: string): string => `${pathToFileURL(inside).href}/${name}`;
      const refsOf = (): readonly string[] =>
        service.environments().flatMap(({ objects }) => objects.map(({ object }) => object.name));
      await service.loadFolders([pathToFileURL(inside).href]);
      assert.deepEqual(refsOf(), ["x"]);
      const [told] = findingsOf(service, uriOf("link.yaml"));
      assert.equal(
        told?.message,
        "This file is a link that leads out of the folder, and is not read",
      );
      const imported = findingsOf(service, uriOf("claimcheck.yaml"));
      assert.match(imported[0]?.message ?? "", /outside the folders that are open/);
      rmSync(join(inside, "x.yaml"));
      symlinkSync("../outside/secret.yaml", join(inside, "x.yaml"));
      await service.reloadFiles([uriOf("x.yaml"), uriOf("same.yaml")]);
      assert.deepEqual(refsOf(), []);
      await service.loadFolders([inside, outside].map((path) => pathToFileURL(path).href));
      assert.ok(refsOf().includes("secret"));
    }));

  test("a link to a manifest adds no objects unless nothing else has them", () =>
    onDisk(async (folder, service) => {
      writeFileSync(join(folder, "x.yaml"), claim("x"));
      mkdirSync(join(folder, "prod"));
      symlinkSync("x.yaml", join(folder, "first.yaml"));
      symlinkSync("first.yaml", join(folder, "link.yaml"));
      symlinkSync("../x.yaml", join(folder, "prod", "built.yaml"));
      writeFileSync(join(folder, "notes.txt"), claim("noted"));
      for (const name of ["noted-1.yaml", "noted-2.yaml"])
        symlinkSync("notes.txt", join(folder, name));
      const folderUri = pathToFileURL(folder).href;
      const files = (): readonly string[] =>
        service
          .environments()
          .flatMap(({ objects }) =>
            objects.map(({ file }) => file.uri.slice(folderUri.length + 1)),
          );
      await service.loadFolders([folderUri]);
      assert.deepEqual(files(), ["noted-1.yaml", "x.yaml"]);
      // The object that kustomize builds from the link is a different one.
      writeFileSync(
        join(folder, "prod", "kustomization.yaml"),
        "namePrefix: prod-\nresources: [built.yaml]\n",
      );
      await service.syncFolders();
      assert.deepEqual(files(), ["noted-1.yaml", "prod/built.yaml", "x.yaml"]);
      writeFileSync(join(folder, "x.yaml"), claim("z"));
      await service.reloadFiles([`${folderUri}/x.yaml`]);
      const built = service.environments()[0]?.objects.map(({ object }) => object.name);
      assert.deepEqual(built, ["noted", "prod-z", "z"]);
      rmSync(join(folder, "link.yaml"));
      writeFileSync(join(folder, "link.yaml"), claim("z"));
      await service.reloadFiles([`${folderUri}/link.yaml`]);
      assert.deepEqual(files(), ["link.yaml", "noted-1.yaml", "prod/built.yaml", "x.yaml"]);
      writeFileSync(join(folder, "link.yaml"), claim("y"));
      await service.reloadFiles([`${folderUri}/link.yaml`]);
      rmSync(join(folder, "link.yaml"));
      symlinkSync("x.yaml", join(folder, "link.yaml"));
      await service.reloadFiles([`${folderUri}/link.yaml`]);
      assert.deepEqual(files(), ["noted-1.yaml", "prod/built.yaml", "x.yaml"]);
    }));

  test("findings of a file are shown once, and also in a link to it while that is open", () =>
    onDisk(async (folder, service) => {
      const text = claim("x").replace("spec:", "spek:");
      for (const name of ["x.yaml", "y.yaml"]) writeFileSync(join(folder, name), text);
      symlinkSync("x.yaml", join(folder, "link.yaml"));
      const folderUri = pathToFileURL(folder).href;
      const [file, link] = [`${folderUri}/x.yaml`, `${folderUri}/link.yaml`];
      await service.loadFolders([folderUri]);
      const [environment] = service.environments();
      assert.ok(environment !== undefined);
      await service.predict(environment);
      const said = (uri: string): readonly (readonly [string, number])[] =>
        service.knownDiagnostics(uri).map(({ code, start }) => [code, start]);
      assert.deepEqual(
        [...service.environmentDiagnostics(environment).keys()],
        [file, `${folderUri}/y.yaml`],
      );
      assert.deepEqual(said(link), []);
      service.setEditorText(link, text);
      assert.ok(said(link).some(([code]) => code === "duplicate-object"));
      assert.deepEqual(said(link), said(file));
      assert.ok(service.knownDiagnostics(link).every(({ uri }) => uri === link));
      service.takeChanged(environment);
      service.setEditorText(`${folderUri}/y.yaml`, "");
      const now = service.environments()[0] ?? assert.fail();
      await service.predict(now);
      assert.ok(service.takeChanged(now).includes(link));
      assert.deepEqual(said(link), said(file));
      // Until it is saved, its text does not affect other files.
      service.setEditorText(link, "apiVersion: v1\nkind: [");
      assert.deepEqual(
        said(link).map(([code]) => code),
        ["yaml-syntax"],
      );
      service.closeEditor(link);
      assert.deepEqual(said(link), []);
    }));

  test("an import is not written through a link that leads out of the folder, whether its target exists or not", () =>
    onDisk(async (folder, service) => {
      const [inside, outside] = [join(folder, "inside"), join(folder, "outside")];
      for (const path of [inside, outside]) mkdirSync(path);
      const uri = pathToFileURL(inside).href;
      await service.loadFolders([uri]);
      const imported = (file: string): Promise<readonly unknown[]> =>
        service
          .importCluster({ text: claim("x"), folder: uri, file })
          .then(({ objectCount, problems }) => [objectCount, ...problems]);
      symlinkSync("../outside/new.yaml", join(inside, "cluster.yaml"));
      symlinkSync("same.yaml", join(inside, "own.yaml"));
      symlinkSync("circle.yaml", join(inside, "circle.yaml"));
      const refused = "is a link that leads out of the folder, and is not written";
      assert.deepEqual(await imported("cluster.yaml"), [0, `cluster.yaml ${refused}`]);
      writeFileSync(join(outside, "new.yaml"), "");
      assert.deepEqual(await imported("cluster.yaml"), [0, `cluster.yaml ${refused}`]);
      for (const file of ["own.yaml", "circle.yaml", "none.yaml"])
        assert.deepEqual(await imported(file), [1]);
      symlinkSync("../outside/new.yaml", join(inside, "claimcheck.yaml"));
      assert.deepEqual(await imported("none.yaml"), [0, `claimcheck.yaml ${refused}`]);
    }));

  test("more keys and items than a call can take arguments are read like any others", async () => {
    const count = 150_000;
    const template = `apiVersion: v1\nkind: ConfigMap\nx: {{ a }}\n${"a:\n".repeat(count)}`;
    const listed = `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: A }\nx: [${"1,".repeat(count)}1]\n`;
    const service = createLanguageService({
      fileSystem: memoryFileSystem(
        new Map([
          ["a.yaml", template],
          ["b.yaml", listed],
          // Makes the rules check whether its class is one of them.
          ["c.yaml", claim("c").replace(`""`, "c")],
        ]),
      ),
      pause: () => Promise.resolve(),
    });
    await service.loadFolders([memoryFolder]);
    const environment = service.environments()[0] ?? assert.fail();
    await service.predict(environment);
    const found = [...service.environmentDiagnostics(environment)];
    assert.deepEqual(
      found.map(([uri]) => uri),
      ["a.yaml", "b.yaml", "c.yaml"].map(memoryUri),
    );
  });

  test("the one invalid value among thousands is found even if it is the last", async () => {
    const items = Array.from({ length: 9999 }, (_, i) => `    - { name: e${i}, value: x }\n`);
    const container = "apiVersion: v1\nkind: Pod\nmetadata: { name: a }\nspec:\n  containers:\n";
    const text = `${container}  - name: a\n    image: a\n    env:\n${items.join("")}    - { name: last, value: { a: b } }\n`;
    const service = await start();
    service.setEditorText(uri, text);
    const [found] = findingsOf(service, uri).filter(({ code }) => code === "api-refused");
    assert.equal(text.slice(found?.start, found?.end), "{ a: b }");
  });

  test("thousands of numbers that must be texts are each found, and a completely wrong list is reported once", async () => {
    const lines = Array.from({ length: 20_000 }, (_, i) => `  k${i}: ${i}\n`).join("");
    const numbers = `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata:\n${lines}`;
    const service = await start();
    service.setEditorText(uri, numbers);
    const found = findingsOf(service, uri);
    assert.deepEqual(
      found.map(({ start, end }) => numbers.slice(start, end)),
      found.map((_, i) => `${i}`),
    );
    assert.equal(found.length, 1000);
    const wrong = `apiVersion: v1\nkind: Pod\nmetadata: { name: a }\nspec: { containers: [{ name: a, image: a }], volumes: [1${",1".repeat(100_000)}] }\n`;
    service.setEditorText(uri, wrong);
    const [only, ...others] = findingsOf(service, uri);
    assert.match(only?.message ?? "", /cannot unmarshal number into Go struct field/);
    assert.deepEqual(others, []);
  });

  test("a file beyond the size limit is reported and not read", () =>
    onDisk(async (folder, service) => {
      const name = join(folder, "huge.yaml");
      writeFileSync(name, `apiVersion: v1\nkind: Pod\n# ${"x".repeat(fileSizeMax)}\n`);
      const folderUri = pathToFileURL(folder).href;
      await service.loadFolders([folderUri]);
      const [finding] = findingsOf(service, `${folderUri}/huge.yaml`);
      assert.match(finding?.message ?? "", /larger than 16 MiB/);
    }));

  test("a manifest in UTF-16 with a byte order mark is read like one in UTF-8, as kubectl does", () =>
    onDisk(async (folder, service) => {
      const [name, text] = [join(folder, "a.yaml"), `${claim("data")}---\n${claim("more")}`];
      const folderUri = pathToFileURL(folder).href;
      const uriOfFile = `${folderUri}/a.yaml`;
      writeFileSync(name, text);
      await service.loadFolders([folderUri]);
      const expected = findingsOf(service, uriOfFile);
      const utf16 = Buffer.from(`\uFEFF${text}`, "utf16le");
      for (const bytes of [utf16, Buffer.from(utf16).swap16()]) {
        writeFileSync(name, bytes);
        await service.reloadFiles([uriOfFile]);
        assert.equal(service.environments()[0]?.objects.length, 2);
        assert.deepEqual(findingsOf(service, uriOfFile), expected);
      }
    }));
});

/** The texts underlined by the findings of a refused quantity. */
async function placed(service: LanguageService, text: string): Promise<readonly string[]> {
  service.setEditorText(uri, text);
  return findingsOf(service, uri)
    .filter(({ code }) => code.startsWith("quantity") || code === "api-refused")
    .map(({ start: from, end }) => text.slice(from, end));
}
