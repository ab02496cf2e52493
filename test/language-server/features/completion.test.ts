import assert from "node:assert/strict";
import { completions } from "../../../src/language-server/features/completion.ts";
import { loadFixture } from "../../support/language-features.ts";
import { readFixture } from "../../support/markers.ts";
import { memoryUri } from "../../support/memory-workspace.ts";

/** Labels at the cursor. */
async function labels(text: string): Promise<readonly string[]> {
  return (await at(text)).map(({ label }) => label);
}

async function at(text: string): Promise<ReturnType<typeof completions>> {
  const fixture = readFixture(text);
  const { cursor } = fixture;
  assert.ok(cursor !== undefined);
  const service = await loadFixture(fixture, false);
  const uri = memoryUri(cursor.file);
  service.setEditorText(uri, fixture.files.get(cursor.file) ?? "");
  const file = service.file(uri);
  assert.ok(file !== undefined);
  return completions(service.analysisOf(uri), file, cursor.offset);
}

const claim = (spec: string): string => `
  apiVersion: v1
  kind: PersistentVolumeClaim
  metadata: { name: data }
  spec:
    ${spec}
`;

suite("completion", () => {
  test("fields of the model at hand, without those that are there", async () => {
    const found = await labels(claim("volumeMode: Block\n    $0"));
    assert.ok(found.includes("accessModes") && found.includes("storageClassName"));
    assert.ok(!found.includes("volumeMode") && !found.includes("spec"));
  });

  test("a half written field is replaced as a whole", async () => {
    const found = await at(claim("stor$0"));
    const item = found.find(({ label }) => label === "storageClassName");
    assert.equal(item?.insert, "storageClassName: ");
    assert.equal((item?.replace.end ?? 0) - (item?.replace.start ?? 0), "stor".length);
  });

  test("enumerated values, in a block list and in a flow list without those taken", async () => {
    assert.deepEqual(await labels(claim("volumeMode: $0")), ["Filesystem", "Block"]);
    assert.deepEqual(await labels(claim("accessModes:\n      - $0")), [
      "ReadWriteOnce",
      "ReadOnlyMany",
      "ReadWriteMany",
      "ReadWriteOncePod",
    ]);
    assert.deepEqual(await labels(claim("accessModes: [ReadWriteOnce, $0]")), [
      "ReadOnlyMany",
      "ReadWriteMany",
      "ReadWriteOncePod",
    ]);
  });

  test("names of classes, those of the assumed cluster too", async () => {
    const text = `
      #- claimcheck.yaml
      profile: k3s
      #- class.yaml
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: fast }
      provisioner: example.com/x
      #- claim.yaml
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec: { storageClassName: $0 }
    `;
    assert.deepEqual(await labels(text), ["fast", "local-path"]);
  });

  test("claims of the pod's own namespace", async () => {
    const text = `
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: mine, namespace: shop }
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: other, namespace: elsewhere }
      ---
      apiVersion: v1
      kind: Pod
      metadata: { name: web, namespace: shop }
      spec:
        volumes:
          - name: v
            persistentVolumeClaim:
              claimName: $0
    `;
    assert.deepEqual(await labels(text), ["mine"]);
  });

  test("a list of objects offers their fields", async () => {
    const text =
      "apiVersion: v1\nkind: Pod\nmetadata: { name: a }\nspec:\n  volumes:\n    - na$0\n";
    assert.ok((await labels(text)).includes("persistentVolumeClaim"));
  });

  test("kinds, and the version that goes with a kind", async () => {
    assert.ok((await labels("apiVersion: v1\nkind: $0\n")).includes("PersistentVolume"));
    assert.deepEqual(await labels("kind: StorageClass\napiVersion: $0\n"), ["storage.k8s.io/v1"]);
  });

  test("the project file's keys, profiles and rules", async () => {
    const text = (yaml: string): string => `#- claimcheck.yaml\n${yaml}`;
    assert.deepEqual(await labels(text("$0\n")), ["profile", "kubernetesVersion", "rules"]);
    assert.ok((await labels(text("profile: $0\n"))).includes("bare-metal"));
    assert.ok((await labels(text("rules:\n  pvc$0\n"))).includes("pvc-class-missing"));
    assert.deepEqual(await labels(text("rules:\n  pvc-class-missing: $0\n")), [
      "error",
      "warning",
      "information",
      "hint",
      "off",
    ]);
  });

  test("nothing in comments and in files of other programs", async () => {
    assert.deepEqual(await labels(claim("# stor$0")), []);
    assert.deepEqual(await labels("services:\n  web:\n    im$0\n"), []);
  });
});
