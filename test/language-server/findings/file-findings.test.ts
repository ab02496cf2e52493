import assert from "node:assert/strict";
import type { LanguageService } from "../../../src/language-server/service.ts";
import type { Environment } from "../../../src/language-server/workspace/environment.ts";
import { loadFixture } from "../../support/language-features.ts";
import { readFixture } from "../../support/markers.ts";
import { memoryUri } from "../../support/memory-workspace.ts";

const fixture = `
  #- a.yaml
  apiVersion: v1
  kind: PersistentVolume
  metadata: { name: one }
  spec:
    capacity: { storage: 1Gi }
    accessModes: [ReadWriteOnce]
    csi: { driver: d.example.com, volumeHandle: disk }
  ---
  apiVersion: v1
  kind: PersistentVolume
  metadata: { name: two }
  spec:
    capacity: { storage: 1Gi }
    accessModes: [ReadWriteOnce]
    csi: { driver: d.example.com, volumeHandle: disk }
  #- b.yaml
  apiVersion: v1
  kind: PersistentVolume
  metadata: { name: three }
  spec:
    capacity: { storage: 1Gi }
    accessModes: [ReadWriteOnce]
    csi: { driver: d.example.com, volumeHandle: disk }
`;

const uris = ["a.yaml", "b.yaml"].map(memoryUri);

/** For each finding its line, and the lines of related objects that share its disk. */
function linesToldOf(service: LanguageService): readonly string[] {
  const lineOf = ({ uri, start }: { readonly uri: string; readonly start: number }): number =>
    service.file(uri)?.manifest.text.slice(0, start).split("\n").length ?? 0;
  return uris.flatMap((uri) =>
    service
      .knownDiagnostics(uri)
      .filter(({ code }) => code === "pv-duplicate-handle")
      .map((found) => `${lineOf(found)}: ${(found.related ?? []).map(lineOf).join()}`),
  );
}

suite("findings of a file", () => {
  test("stay at their lines while somebody types, with the places that they point to, before anything is judged again", async () => {
    const service = await loadFixture(readFixture(fixture), true);
    const replace = (name: string, text: string, by: string): void => {
      const before = service.file(memoryUri(name))?.manifest.text ?? "";
      assert.ok(before.includes(text));
      service.setEditorText(memoryUri(name), before.replace(text, by));
    };
    assert.deepEqual(linesToldOf(service), ["7: 15,7", "15: 7,7", "7: 7,15"]);
    replace("a.yaml", "metadata: { name: two }", "# a note\nmetadata: { name: two }");
    assert.deepEqual(linesToldOf(service), ["7: 16,7", "16: 7,7", "7: 7,16"]);
    replace("b.yaml", "kind: PersistentVolume", "# a note\nkind: PersistentVolume");
    assert.deepEqual(linesToldOf(service), ["7: 16,8", "16: 7,8", "8: 7,16"]);
    replace("a.yaml", "apiVersion: v1\n", "---\napiVersion: v1\n");
    assert.deepEqual(linesToldOf(service), ["8: 17,8", "17: 8,8", "8: 8,17"]);
    replace(
      "a.yaml",
      "---\napiVersion: v1\nkind: PersistentVolume\nmetadata: { name: one",
      "---\nkind: PersistentVolume\nmetadata: { name: one",
    );
    assert.deepEqual(linesToldOf(service), ["16: 8", "8: 16"]);
  });

  const claimAndUser = `
    #- claim.yaml
    apiVersion: storage.k8s.io/v1
    kind: StorageClass
    metadata: { name: disks }
    provisioner: ebs.csi.aws.com
    volumeBindingMode: WaitForFirstConsumer
    ---
    apiVersion: v1
    kind: PersistentVolumeClaim
    metadata: { name: data }
    spec:
      storageClassName: disks
      accessModes: [ReadWriteOnce]
      resources: { requests: { storage: 1Gi } }
    #- pod.yaml
    apiVersion: v1
    kind: Pod
    metadata: { name: web }
    spec:
      containers: [{ name: c, image: i, volumeMounts: [{ name: v, mountPath: /d }] }]
      volumes: [{ name: v, persistentVolumeClaim: { claimName: data } }]
  `;

  for (const [what, name, text, by] of [
    [
      "a claim in whose document a merge is not finished",
      "claim.yaml",
      "spec:\n  storage",
      "<<<<<<< HEAD\nspec:\n=======\nspec:\n>>>>>>> topic\n  storage",
    ],
    ["a class that is half typed", "claim.yaml", "provisioner:", "mountOptions: [\nprovisioner:"],
    ["the user of a claim, half typed", "pod.yaml", "mountPath: /d }", "mountPath: /d }, {"],
    ["a claim in a template", "claim.yaml", "1Gi", "{{ .Values.size }}"],
  ] as const)
    test(`nothing that may exist is reported missing: ${what}`, async () => {
      const service = await loadFixture(readFixture(claimAndUser), true);
      const all = ["claim.yaml", "pod.yaml"].map(memoryUri);
      const environment = (): Environment => {
        const [only] = service.environments();
        assert.ok(only !== undefined);
        return only;
      };
      const codes = async (): Promise<readonly string[]> => {
        await service.predict(environment());
        const found = all.flatMap((uri) => service.knownDiagnostics(uri));
        return found.map(({ code }) => code).filter((code) => !own.has(code));
      };
      assert.deepEqual(await codes(), []);
      const good = service.file(memoryUri(name))?.manifest.text ?? "";
      assert.ok(good.includes(text));
      service.setEditorText(memoryUri(name), good.replace(text, by));
      assert.deepEqual(await codes(), []);
      service.takeChanged(environment());
      // If nothing of the object is left, findings of its dependents appear, and clients are notified.
      const gone = "apiVersion: v1\nkind: ConfigMap\nmetadata: [\n";
      service.setEditorText(memoryUri(name), gone);
      const changed = service.takeChanged(environment());
      const missing = await codes();
      assert.equal(missing.length, 1, missing.join());
      const other = all.find((uri) => uri !== memoryUri(name)) ?? "";
      assert.ok([...changed, ...service.takeChanged(environment())].includes(other));
    });

  const own: ReadonlySet<string> = new Set(["yaml-syntax", "helm-template"]);

  test("an unsaved text may use what a folder of the workspace has", async () => {
    const service = await loadFixture(
      readFixture(`
        #- class.yaml
        apiVersion: storage.k8s.io/v1
        kind: StorageClass
        metadata: { name: fast }
        provisioner: ebs.csi.aws.com
      `),
      true,
    );
    const told = (className: string): readonly string[] => {
      const uri = "untitled:Untitled-1";
      service.setEditorText(
        uri,
        `{ apiVersion: v1, kind: PersistentVolumeClaim, metadata: { name: data }, spec: { storageClassName: ${className}, accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } } }`,
      );
      const environment = service.environmentOf(uri);
      assert.ok(environment !== undefined);
      for (const _ of service.judge(environment));
      return service.knownDiagnostics(uri).map(({ code }) => code);
    };
    assert.deepEqual(told("fast"), []);
    assert.deepEqual(told("slow"), ["pvc-class-missing"]);
  });

  test("in a chart's template depend on its present values", async () => {
    const service = await loadFixture(
      readFixture(`
        #- Chart.yaml
        apiVersion: v2
        name: a
        version: 1.0.0
        #- values.yaml
        bad: true
        #- templates/a.yaml
        apiVersion: v1
        kind: ConfigMap
        metadata: { name: a }
        {{ if .Values.bad }}{{ fail "bad" }}{{ end }}
      `),
      false,
    );
    const messages = async (): Promise<readonly string[]> => {
      await service.predict(service.environments()[0] ?? assert.fail());
      const found = service.knownDiagnostics(memoryUri("templates/a.yaml"));
      return found.map(({ code }) => code);
    };
    const before = await messages();
    assert.equal(before.length, 1);
    service.setEditorText(memoryUri("values.yaml"), "bad: false\n");
    assert.deepEqual(await messages(), []);
    service.setEditorText(memoryUri("values.yaml"), "bad: true\n");
    assert.deepEqual(await messages(), before);
  });
});
