import assert from "node:assert/strict";
import { codeLenses } from "../../../src/language-server/features/code-lens.ts";
import { packedText } from "../../../src/language-server/helm/archive/packed-chart.ts";
import {
  createLanguageService,
  type LanguageService,
} from "../../../src/language-server/service.ts";
import { linesOf } from "../../../src/language-server/text-lines.ts";
import { actionsIn } from "../../support/code-actions.ts";
import { findingsOf } from "../../support/findings.ts";
import {
  checkDefinition,
  checkHover,
  checkPredicted,
  loadFixture,
} from "../../support/language-features.ts";
import { readFixture } from "../../support/markers.ts";
import { memoryFileSystem, memoryFolder, memoryUri } from "../../support/memory-workspace.ts";

const parent = (name: string, more = ""): string => `
  #- shop/Chart.yaml
  apiVersion: v2
  name: shop
  version: 1.0.0
  dependencies:
    - version: 1.x${more}
      name: ${name}`;

const chartYaml = "apiVersion: v2\nname: db\nversion: 1.2.3\n";
const claim = `apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec:
  accessModes: [ReadWriteOnce]
  storageClassName: {{ .Values.class }}
  resources: { requests: { storage: 1Gi } }
`;
const storageClass = `
  #- shop/templates/class.yaml
  apiVersion: storage.k8s.io/v1
  kind: StorageClass
  metadata: { name: fast }
  provisioner: csi.example.com`;

function archive(values: string, ...more: readonly (readonly [string, string])[]): string {
  const files = [
    ["Chart.yaml", chartYaml],
    ["values.yaml", values],
    ["templates/claim.yaml", claim],
  ] as const;
  return `
  #- shop/charts/db-1.2.3.tgz
  ${packedText([...files, ...more])}`;
}

/** Next to the chart, in a folder of its own. */
const local = (values: string, template = claim): string => `
  #- db/Chart.yaml
  ${chartYaml.trimEnd().replaceAll("\n", "\n  ")}
  #- db/values.yaml
  ${values}
  #- db/templates/claim.yaml
  ${template.trimEnd().replaceAll("\n", "\n  ")}`;

const repository = '\n      repository: "file://../db"';

async function serviceOf(text: string): Promise<LanguageService> {
  return await loadFixture(readFixture(text), true);
}

function refsIn(service: LanguageService, folder: string): readonly string[] {
  const environment = service.environment(memoryUri(folder));
  return (environment?.objects ?? []).map(({ object }) => object.ref ?? object.kind);
}

suite("packed subcharts", () => {
  test("have findings at the dependency, with the object's name", () =>
    checkPredicted(`${parent("db")}
  #         ^^ pvc-class-typo: PersistentVolumeClaim data of db-1.2.3.tgz: StorageClass “fastt” does not exist; did you mean “fast”?
${archive("class: fastt")}${storageClass}
  `));

  test("have findings in the parent's values if those set the value", () =>
    checkPredicted(`${parent("db")}
  #- shop/values.yaml
  db: { class: fastt }
  #            ^^^^^ pvc-class-typo: StorageClass “fastt” does not exist; did you mean “fast”?
${archive("class: fast")}${storageClass}
  `));

  test("have findings at the chart's name if they are not declared", () =>
    checkPredicted(`
  #- shop/Chart.yaml
  apiVersion: v2
  name: shop
  #     ^^^^ pvc-class-typo: PersistentVolumeClaim data of db-1.2.3.tgz: StorageClass “fastt” does not exist
  version: 1.0.0
${archive("class: fastt")}${storageClass}
  `));

  test("can only be fixed in the parent's values", async () => {
    const fixture = `${parent("db")}${storageClass}`;
    const inArchive = await serviceOf(`${fixture}${archive("class: fastt")}`);
    assert.deepEqual(fixesOf(inArchive, "shop/Chart.yaml"), []);
    const values = "\n  #- shop/values.yaml\n  db: { class: fastt }";
    const ofParent = await serviceOf(`${fixture}${values}${archive("class: fast")}`);
    assert.deepEqual(fixesOf(ofParent, "shop/values.yaml"), ["shop/values.yaml"]);
  });

  test("have the dependency as the definition of their objects", () =>
    checkDefinition(
      `${parent("db")}${archive("class: fast")}
  #- shop/templates/pod.yaml
  apiVersion: v1
  kind: Pod
  metadata: { name: web }
  spec:
    containers: [{ name: c, image: nginx, volumeMounts: [{ name: v, mountPath: /v }] }]
    volumes: [{ name: v, persistentVolumeClaim: { claimName: da$0ta } }]`,
      ["shop/Chart.yaml:6: db"],
    ));

  test("have lenses at the dependency, with the names of their objects", async () => {
    const service = await serviceOf(`${parent("db")}${archive("class: fast")}${storageClass}`);
    const file = service.file(memoryUri("shop/Chart.yaml"));
    const analysis = service.analysisOf(memoryUri("shop/Chart.yaml"));
    const prediction = analysis && service.prediction(analysis.environment);
    assert.ok(file !== undefined && analysis !== undefined && prediction !== undefined);
    assert.deepEqual(
      codeLenses(analysis, prediction, file).map(
        ({ title, span }) => `${linesOf(file.manifest).positionAt(span.start).line + 1}: ${title}`,
      ),
      ["6: data is bound to a new volume of 1Gi"],
    );
  });

  test("have a hover at the dependency with the outcome of all their objects", () =>
    checkHover(
      `${parent("d$0b")}${archive("class: fast", ["templates/other.yaml", claim.replace("name: data", "name: more")])}${storageClass}`,
      [
        "- PersistentVolumeClaim data is bound to volume",
        "- PersistentVolumeClaim more is bound to volume",
      ],
    ));

  test("are reported if Helm cannot read them", () =>
    checkPredicted(`${parent("db")}
  #         ^^ helm-chart: error unpacking subchart db-1.2.3.tgz in shop: unexpected EOF
  #- shop/charts/db-1.2.3.tgz
  ${packedText({ failed: "unexpected EOF" })}
  `));

  test("that are added, changed or removed cause the chart to be rendered again", async () => {
    const fixture = readFixture(`${parent("db")}${archive("class: fast")}`);
    const uri = memoryUri("shop/charts/db-1.2.3.tgz");
    const files = new Map(fixture.files);
    const packed = files.get("shop/charts/db-1.2.3.tgz") ?? "";
    const texts = new Map<string, string>();
    const service = createLanguageService({
      fileSystem: {
        ...memoryFileSystem(files),
        listFiles: async (folder) =>
          (await memoryFileSystem(files).listFiles(folder)).filter(
            (file) => file.uri !== uri || texts.has(uri),
          ),
        readFile: async (asked) =>
          asked === uri ? texts.get(uri) : await memoryFileSystem(files).readFile(asked),
      },
      pause: () => Promise.resolve(),
    });
    await service.loadFolders([memoryFolder]);
    assert.deepEqual(refsIn(service, "shop"), []);
    texts.set(uri, packed);
    await service.syncFolders();
    assert.deepEqual(refsIn(service, "shop"), ["PersistentVolumeClaim/default/data"]);
    texts.set(uri, packed.replace("name: data", "name: other"));
    await service.reloadFiles([uri]);
    assert.deepEqual(refsIn(service, "shop"), ["PersistentVolumeClaim/default/other"]);
    texts.delete(uri);
    await service.reloadFiles([uri]);
    assert.deepEqual(refsIn(service, "shop"), []);
  });
});

suite("charts in other folders", () => {
  const elsewhere = `${parent("db", repository)}${storageClass}`;
  const together = `
  #- claimcheck.yaml
  charts: [{ chart: shop }]${elsewhere}`;

  test("have findings in their own files if they are in the same environment", () =>
    checkPredicted(`${together}
  #- db/Chart.yaml
  apiVersion: v2
  name: db
  version: 1.2.3
  #- db/values.yaml
  class: fastt
  #      ^^^^^ pvc-class-typo: StorageClass “fastt” does not exist; did you mean “fast”?
  #- db/templates/claim.yaml
  ${claim.trimEnd().replaceAll("\n", "\n  ")}
  `));

  test("that are other environments have findings at the dependency", async () => {
    const service = await serviceOf(`${elsewhere}${local("class: fastt")}`);
    const uri = memoryUri("shop/Chart.yaml");
    const text = service.file(uri)?.manifest.text ?? "";
    const found = findingsOf(service, uri);
    assert.deepEqual(
      found.map(({ start, end, message }) => [text.slice(start, end), message]),
      [
        [
          "db",
          "PersistentVolumeClaim data of file://../db: StorageClass “fastt” does not exist; did you mean “fast”?",
        ],
      ],
    );
    const [at] = found[0]?.related ?? [];
    const template = service.file(memoryUri("db/templates/claim.yaml"));
    assert.equal(at?.uri, template?.uri);
    assert.equal(template?.manifest.text.slice(at?.start, at?.end), "{{ .Values.class }}");
  });

  test("that are other environments may have keys from files that are not read", async () => {
    const settings = [
      "apiVersion: v1",
      "kind: ConfigMap",
      "metadata: { name: settings }",
      "data:",
      '  {{- (.Files.Glob "settings/*").AsConfig | nindent 2 }}',
      "---",
      "apiVersion: v1",
      "kind: Pod",
      "metadata: { name: web }",
      "spec:",
      "  containers: [{ name: c, image: nginx, volumeMounts: [{ name: v, mountPath: /v }] }]",
      "  volumes: [{ name: v, configMap: { name: settings, items: [{ key: a.txt, path: a }] } }]",
    ].join("\n");
    const service = await serviceOf(`${parent("db", repository)}${local("a: b", settings)}`);
    assert.deepEqual(findingsOf(service, memoryUri("shop/Chart.yaml")), []);
    const packedSettings = await serviceOf(
      `${parent("db")}${archive("class: fast", ["templates/b.yaml", settings])}`,
    );
    const codes = findingsOf(packedSettings, memoryUri("shop/Chart.yaml")).map(({ code }) => code);
    assert.ok(codes.includes("pod-does-not-start"), codes.join());
  });

  test("that do not exist are reported missing at the dependency, with what to do", () =>
    checkPredicted(`${parent("db", repository)}
  #         ^^ helm-chart: found in Chart.yaml, but missing in charts/ directory: db. Run \`helm dependency build\` in the chart's folder
  `));

  test("cause the charts that depend on them to be rendered again, also in other environments", async () => {
    for (const scene of [elsewhere, together]) {
      const service = await serviceOf(`${scene}${local("class: fast")}`);
      const id = scene === elsewhere ? "shop" : "";
      const folder = memoryUri(id).replace(/\/$/, "");
      const classOf = (): unknown => {
        const objects = service.environment(folder)?.objects ?? [];
        const claims = objects.map(
          ({ object }) => object.value as { spec?: { storageClassName?: string } },
        );
        return claims
          .map(({ spec }) => spec?.storageClassName)
          .filter((name) => name !== undefined);
      };
      assert.deepEqual(classOf(), ["fast"]);
      const uri = memoryUri("db/values.yaml");
      service.setEditorText(uri, "class: slow");
      assert.deepEqual(classOf(), ["slow"]);
      assert.deepEqual(service.madeOf(uri), scene === elsewhere ? [folder] : []);
      service.setEditorText(
        memoryUri("db/templates/more.yaml"),
        claim.replace("name: data", "name: more"),
      );
      assert.deepEqual(classOf(), ["slow", "slow"]);
    }
  });

  test("are used as soon as they exist", async () => {
    const service = await serviceOf(elsewhere);
    const files = readFixture(local("class: fast")).files;
    for (const [name, text] of files) service.setEditorText(memoryUri(name), text);
    assert.deepEqual(refsIn(service, "shop"), [
      "StorageClass//fast",
      "PersistentVolumeClaim/default/data",
    ]);
  });

  test("are compared with the last commit", async () => {
    const fixture = readFixture(`${elsewhere}${local("class: fast")}`);
    const service = createLanguageService({
      fileSystem: {
        ...memoryFileSystem(fixture.files),
        committedFiles: () =>
          Promise.resolve(new Map([[memoryUri("db/values.yaml"), "class: slow"]])),
      },
      pause: () => Promise.resolve(),
    });
    await service.loadFolders([memoryFolder]);
    const codes = findingsOf(service, memoryUri("shop/Chart.yaml")).map(({ code }) => code);
    assert.ok(codes.includes("pvc-immutable-change"), codes.join());
  });
});

/** The files that are changed by quick fixes for a file's findings. */
function fixesOf(service: LanguageService, name: string): readonly string[] {
  const found = findingsOf(service, memoryUri(name)).filter(
    ({ code }) => code === "pvc-class-typo",
  );
  assert.ok(found.length > 0);
  return found
    .flatMap((one) => actionsIn(service, name, one))
    .filter(({ kind, title }) => kind === "quickfix" && !title.startsWith("Ignore"))
    .flatMap(({ edits = [] }) => edits.map(({ uri }) => uri.slice(memoryFolder.length + 1)));
}
