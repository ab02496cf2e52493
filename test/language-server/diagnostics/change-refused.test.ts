import assert from "node:assert/strict";
import type { Diagnostic } from "../../../src/language-server/diagnostics/rule.ts";
import { createLanguageService } from "../../../src/language-server/service.ts";
import { findingsOf } from "../../support/findings.ts";
import { dedent } from "../../support/markers.ts";
import { memoryFileSystem, memoryFolder, memoryUri } from "../../support/memory-workspace.ts";

/** Codes and the text they stand at, of a file that was `before` in the last commit. */
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

async function found(
  before: string,
  after: string,
  kustomization?: string,
): Promise<{ readonly text: string; readonly diagnostics: readonly Diagnostic[] }> {
  const uri = memoryUri("all.yaml");
  const files = new Map([
    ["claimcheck.yaml", "profile: bare-metal\n"],
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
  return { text, diagnostics };
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
  test("nothing changed, nothing said", () => check(claim("1Gi", '""'), claim("1Gi", '""'), []));

  test("a class's binding mode", () =>
    check(
      storageClass("volumeBindingMode: Immediate"),
      storageClass("volumeBindingMode: WaitForFirstConsumer"),
      ["class-recreate-needed WaitForFirstConsumer: "],
    ));

  test("a claim that shrinks", () =>
    check(claim("2Gi", '""'), claim("1Gi", '""'), [
      "pvc-shrink 1Gi: Forbidden: field can not be less than status.capacity",
    ]));

  test("a claim that shrinks and that a kustomization names and labels", () =>
    check(
      claim("2Gi", '""'),
      claim("1Gi", '""'),
      ["pvc-shrink 1Gi: Forbidden: field can not be less than status.capacity"],
      "resources: [all.yaml]\nnamespace: default\nnamePrefix: dev-\ncommonLabels: { a: b }\n",
    ));

  test("nothing that a patch sets, whatever the object's own file says", () =>
    check(
      claim("1Gi", '""'),
      claim("3Gi", '""'),
      [],
      `resources: [all.yaml]
patches: [{ target: { name: data }, patch: '[{ "op": "replace", "path": "/spec/resources/requests/storage", "value": "2Gi" }]' }]
`,
    ));

  test("a claim that shrinks, copied from a cluster with its version", () => {
    const copied = (size: string, version: string): string =>
      claim(size, '""').replace("name: data", `name: data, resourceVersion: "${version}"`);
    return check(copied("2Gi", "7"), copied("1Gi", "8"), [
      "pvc-shrink 1Gi: Forbidden: field can not be less than status.capacity",
      "server-metadata resourceVersion: ",
    ]);
  });

  test("a claim that grows where its class does not allow it", () =>
    check(storageClass("") + claim("1Gi"), storageClass("") + claim("2Gi"), [
      "expansion-disallowed 2Gi: ",
    ]));

  test("a claim that may not grow leads to its class", async () => {
    const after = storageClass("") + claim("2Gi");
    const { text, diagnostics } = await found(storageClass("") + claim("1Gi"), after);
    const [place] = diagnostics.find(({ code }) => code === "expansion-disallowed")?.related ?? [];
    assert.match(text.slice(place?.start), /^fast /);
    assert.match(place?.message ?? "", /allowVolumeExpansion: true/);
  });

  test("a claim that grows where its class does", () =>
    check(
      storageClass("allowVolumeExpansion: true") + claim("1Gi"),
      storageClass("allowVolumeExpansion: true") + claim("2Gi"),
      [],
    ));

  test("a claim's class", () =>
    check(claim("1Gi", '""'), claim("1Gi", "fast"), [
      "pvc-class-missing fast: ",
      "pvc-immutable-change ",
    ]));

  test("a volume's capacity", () => {
    const volume = (size: string): string => `
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: disk }
      spec: { capacity: { storage: ${size} }, accessModes: [ReadWriteOnce], nfs: { server: s, path: / } }
    `;
    return check(volume("1Gi"), volume("2Gi"), ["pv-capacity-edit 2Gi: Was 1Gi."]);
  });

  test("the claim of a volume that is kept", () => {
    const volume = `
      apiVersion: v1
      kind: PersistentVolume
      metadata: { name: disk }
      spec: { capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], nfs: { server: s, path: / }, claimRef: { namespace: default, name: data } }
      ---`;
    return check(volume + claim("1Gi", '""'), volume, [
      "pv-claimref-missing-claim data: ",
      "pv-claimref-no-uid { namespace: default, name: data }: Reserved by name only",
      "pv-retain-reuse disk: Its claim default/data goes with this change",
    ]);
  });

  test("a set's claim templates", () => {
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
    return check(set("1Gi"), set("2Gi"), ["sts-template-changed "]);
  });
});
