import assert from "node:assert/strict";
import { quickFixes } from "../../../src/language-server/code-actions/quick-fixes.ts";
import type { Diagnostic } from "../../../src/language-server/diagnostics/rule.ts";
import {
  createLanguageService,
  type LanguageService,
} from "../../../src/language-server/service.ts";
import type { WorkspaceFile } from "../../../src/language-server/workspace/workspace-object.ts";
import { findingsOf } from "../../support/findings.ts";
import { dedent } from "../../support/markers.ts";
import { memoryFileSystem, memoryFolder, memoryUri } from "../../support/memory-workspace.ts";

/** Checks the findings, each as `code text: message`, of a file that was `before` in the last commit. */
async function check(
  before: string,
  after: string,
  wanted: readonly string[],
  kustomization?: string,
): Promise<void> {
  const { text, diagnostics } = await found(before, after, kustomization);
  const lines = diagnostics.map(
    ({ code, start, end, message }) => `${code} ${text.slice(start, end)}: ${message}`,
  );
  const shortened = lines.map((line) => wanted.find((start) => line.startsWith(start)) ?? line);
  assert.deepEqual(shortened.sort(), [...wanted].sort());
}

interface Found {
  readonly service: LanguageService;
  readonly uri: string;
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
}

async function found(
  before: string,
  after: string,
  kustomization?: string,
  version = "1.36",
): Promise<Found> {
  const uri = memoryUri("all.yaml");
  const files = new Map([
    ["claimcheck.yaml", `profile: bare-metal\nkubernetesVersion: "${version}"\n`],
    ["all.yaml", dedent(after)],
    ...(kustomization === undefined ? [] : [["kustomization.yaml", kustomization] as const]),
  ]);
  const service = createLanguageService({
    fileSystem: {
      ...memoryFileSystem(files),
      committedFiles: () => Promise.resolve(new Map([[uri, dedent(before)]])),
    },
    pause: () => Promise.resolve(),
  });
  await service.loadFolders([memoryFolder]);
  const text = service.file(uri)?.manifest.text ?? "";
  const diagnostics = findingsOf(service, uri).filter(
    ({ code }) => code !== "local-class-immediate",
  );
  return { service, uri, text, diagnostics };
}

/** Titles of the fixes offered for a claim that may not grow. */
async function offered(before: string, after: string): Promise<readonly string[]> {
  const { service, uri, diagnostics } = await found(before, after);
  const file = service.file(uri);
  const analysis = service.analysisOf(uri);
  const refused = diagnostics.find(({ code }) => code === "expansion-disallowed");
  assert.ok(file !== undefined && analysis !== undefined && refused !== undefined);
  const findFile = (other: string): WorkspaceFile | undefined => service.file(other);
  const context = { analysis, prediction: undefined, file, diagnostics, range: refused, findFile };
  return quickFixes(context).map(({ title }) => title);
}

const storageClass = (rest: string): string => `
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: fast }
      provisioner: kubernetes.io/no-provisioner
      ${rest}
      ---`;
const claim = (size: string, className = "fast"): string => `
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: ${className}, accessModes: [ReadWriteOnce], resources: { requests: { storage: ${size} } } }
    `;

suite("changes since the last commit", () => {
  test("an unchanged file has no finding", () => check(claim("1Gi", '""'), claim("1Gi", '""'), []));

  test("a class with another binding mode has to be recreated", () =>
    check(
      storageClass("volumeBindingMode: Immediate"),
      storageClass("volumeBindingMode: WaitForFirstConsumer"),
      ["class-recreate-needed WaitForFirstConsumer: "],
    ));

  test("the finding about a class follows the punctuation of each release's message", async () => {
    const told = async (version: string): Promise<string | undefined> => {
      const [before, after] = ["Delete", "Retain"].map((policy) =>
        storageClass(`reclaimPolicy: ${policy}`),
      );
      const { diagnostics } = await found(before ?? "", after ?? "", undefined, version);
      return diagnostics.find(({ code }) => code === "class-recreate-needed")?.message;
    };
    const advice = "ive the class a new name, or delete and recreate it";
    const forbidden = "Forbidden: updates to reclaimPolicy are forbidden.";
    assert.equal(await told("1.35"), `${forbidden} G${advice}`);
    assert.equal(await told("1.36"), `Invalid value: "Retain": field is immutable: g${advice}`);
  });

  test("only the changed parameter of a class is reported", () =>
    check(
      storageClass("parameters: { type: a, size: one }"),
      storageClass("parameters: { type: a, size: two }"),
      ["class-recreate-needed two: "],
    ));

  test("a claim cannot shrink", () =>
    check(claim("2Gi", '""'), claim("1Gi", '""'), [
      "pvc-shrink 1Gi: Forbidden: field can not be less than status.capacity",
    ]));

  test("a claim that a kustomization renames and labels cannot shrink", () =>
    check(
      claim("2Gi", '""'),
      claim("1Gi", '""'),
      ["pvc-shrink 1Gi: Forbidden: field can not be less than status.capacity"],
      "resources: [all.yaml]\nnamespace: default\nnamePrefix: dev-\ncommonLabels: { a: b }\n",
    ));

  test("a field that a patch sets does not change with the object's own file", () =>
    check(
      claim("1Gi", '""'),
      claim("3Gi", '""'),
      [],
      `resources: [all.yaml]
patches: [{ target: { name: data }, patch: '[{ "op": "replace", "path": "/spec/resources/requests/storage", "value": "2Gi" }]' }]
`,
    ));

  test("a resourceVersion copied from a cluster hides no change", () => {
    const copied = (size: string, version: string): string =>
      claim(size, '""').replace("name: data", `name: data, resourceVersion: "${version}"`);
    return check(copied("2Gi", "7"), copied("1Gi", "8"), [
      "pvc-shrink 1Gi: Forbidden: field can not be less than status.capacity",
      "server-metadata resourceVersion: ",
    ]);
  });

  test("a claim cannot grow if its class does not allow it", () =>
    check(storageClass("") + claim("1Gi"), storageClass("") + claim("2Gi"), [
      "expansion-disallowed 2Gi: ",
    ]));

  test("a claim with empty annotations cannot grow either", () =>
    check(
      storageClass("") + claim("1Gi"),
      storageClass("") + claim("2Gi").replace("name: data", "name: data, annotations: null"),
      ["expansion-disallowed 2Gi: "],
    ));

  test("a claim that cannot grow leads to its class", async () => {
    const after = storageClass("") + claim("2Gi");
    const { text, diagnostics } = await found(storageClass("") + claim("1Gi"), after);
    const [place] = diagnostics.find(({ code }) => code === "expansion-disallowed")?.related ?? [];
    assert.match(text.slice(place?.start), /^fast /);
    assert.match(place?.message ?? "", /allowVolumeExpansion: true/);
  });

  test("a claim can grow if its class allows it", () =>
    check(
      storageClass("allowVolumeExpansion: true") + claim("1Gi"),
      storageClass("allowVolumeExpansion: true") + claim("2Gi"),
      ["class-expansion-driver true: "],
    ));

  test("a claim without a class cannot grow", () =>
    check(claim("1Gi", '""'), claim("2Gi", '""'), ["expansion-disallowed 2Gi: "]));

  test("a claim whose class exists only as a name cannot grow", () => {
    const volume = `
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: disk }
      spec: { storageClassName: fast, capacity: { storage: 2Gi }, accessModes: [ReadWriteOnce], nfs: { server: s, path: / } }
      ---`;
    return check(volume + claim("1Gi"), volume + claim("2Gi"), ["expansion-disallowed 2Gi: "]);
  });

  test("the fix allows expansion in the class if its driver can expand, else it undoes the change", async () => {
    const grown = "Allow claims of class “fast” to be expanded (allowVolumeExpansion)";
    const back = "Change back to 1Gi";
    for (const [provisioner, wanted] of [
      ["ebs.csi.aws.com", [grown, back]],
      ["disks.example.com", [grown, back]],
      ["kubernetes.io/no-provisioner", [back]],
    ] as const) {
      const made = storageClass("").replace("kubernetes.io/no-provisioner", provisioner);
      assert.deepEqual(await offered(made + claim("1Gi"), made + claim("2Gi")), wanted);
    }
  });

  test("the finding about a claim that cannot grow says what would allow it, or to copy the data", async () => {
    for (const [provisioner, way] of [
      ["ebs.csi.aws.com", 'set allowVolumeExpansion: true in class "fast"'],
      ["kubernetes.io/no-provisioner", "make a larger claim and copy the data"],
    ] as const) {
      const made = storageClass("").replace("kubernetes.io/no-provisioner", provisioner);
      const { diagnostics } = await found(made + claim("1Gi"), made + claim("2Gi"));
      const refused = diagnostics.find(({ code }) => code === "expansion-disallowed");
      assert.equal(refused?.message.split("\n").at(-1), `To change: ${way}`);
    }
  });

  test("a claim keeps its class", () =>
    check(claim("1Gi", '""'), claim("1Gi", "fast"), [
      "pvc-class-missing fast: ",
      "pvc-immutable-change fast: ",
    ]));

  test("several changes of a claim are reported once, at the first of them", async () => {
    const after = claim("1Gi", "fast").replace("ReadWriteOnce", "ReadWriteMany");
    const { text, diagnostics } = await found(claim("1Gi", '""'), after);
    const change = diagnostics.find(({ code }) => code === "pvc-immutable-change");
    assert.equal(text.slice(change?.start, change?.end), "fast");
    assert.match(
      change?.message ?? "",
      /\+ {2}"ReadWriteMany"[\s\S]*\nTo change: make a new claim/,
    );
  });

  test("changing a volume's capacity changes no disk", () => {
    const volume = (size: string): string => `
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: disk }
      spec: { capacity: { storage: ${size} }, accessModes: [ReadWriteOnce], nfs: { server: s, path: / } }
    `;
    return Promise.all([
      check(volume("1Gi"), volume("2Gi"), ["pv-capacity-edit 2Gi: Was 1Gi."]),
      check(volume("1Gi"), volume("1073741824"), []),
    ]);
  });

  test("a Retain volume is not available again after its claim is deleted", () => {
    const volume = `
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: disk }
      spec: { capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], nfs: { server: s, path: / }, claimRef: { namespace: default, name: data } }
      ---`;
    return check(volume + claim("1Gi", '""'), volume, [
      "pv-claimref-missing-claim data: ",
      "pv-retain-reuse disk: Its claim default/data is removed by this change",
    ]);
  });

  test("a StatefulSet's claim templates cannot change", async () => {
    const set = (size: string): string => `
      apiVersion: apps/v1
      kind: StatefulSet
      metadata: { name: db }
      spec:
        serviceName: db
        selector: { matchLabels: { a: b } }
        template:
          metadata: { labels: { a: b } }
          spec: { containers: [{ name: c, image: i, volumeMounts: [{ name: data, mountPath: /d }] }] }
        volumeClaimTemplates:
          - metadata: { name: data }
            spec: { storageClassName: "", accessModes: [ReadWriteOnce], resources: { requests: { storage: ${size} } } }
    `;
    const advice = "Run kubectl delete sts db --cascade=orphan and apply again";
    const told = async (after: string): Promise<string | undefined> => {
      const { text, diagnostics } = await found(set("1Gi"), after);
      const change = diagnostics.find(({ code }) => code === "sts-template-changed");
      const [, said] = change?.message.split(". ") ?? [];
      return `${text.slice(change?.start, change?.end)}: ${said}`;
    };
    assert.equal(
      await told(set("2Gi").replace("containers", "initContainers: [], containers")),
      `2Gi: ${advice}; its claims keep their size until you expand each claim`,
    );
    assert.equal(
      await told(set("500Mi")),
      `500Mi: ${advice}; its claims keep their size, because claims cannot shrink`,
    );
    assert.equal(
      await told(set("1Gi").replace("ReadWriteOnce", "ReadWriteMany")),
      `ReadWriteMany: ${advice}; its claims stay as they are`,
    );
    assert.equal(
      await told(set("1Gi").replace("serviceName: db", "serviceName: shop")),
      `shop: ${advice}`,
    );
  });
});
