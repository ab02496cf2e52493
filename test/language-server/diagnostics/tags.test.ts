import assert from "node:assert/strict";
import { toLspDiagnostic } from "../../../src/language-server/protocol-handlers/to-lsp.ts";
import { findingsOf } from "../../support/findings.ts";
import { loadFixture } from "../../support/language-features.ts";
import { memoryUri } from "../../support/memory-workspace.ts";

async function tagsIn(text: string): Promise<Readonly<Record<string, readonly number[]>>> {
  const service = await loadFixture({ files: new Map([["a.yaml", text]]), labels: [] }, false);
  const found = findingsOf(service, memoryUri("a.yaml")).map((one) =>
    toLspDiagnostic(one, service.file, (uri) => uri),
  );
  return Object.fromEntries(found.map(({ code, tags = [] }) => [code, tags]));
}

suite("tags of findings", () => {
  test("a deprecated field is struck through, a useless one is faded", async () => {
    const text = `apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: fast, uid: 0b3f4e0a-5f3e-4f5e-9d59-3f0e8c1f0a11 }
provisioner: ebs.csi.aws.com
parameters: { fstype: ext4, nosuch: x }
`;
    const tags = await tagsIn(text);
    assert.deepEqual(tags["class-fstype-legacy-key"], [2]);
    assert.deepEqual(tags["server-metadata"], [1]);
    assert.deepEqual(tags["class-unknown-parameter"], []);
  });

  test("a field that the API server calls deprecated is struck through, other warnings are not", async () => {
    const volume = `apiVersion: v1
kind: PersistentVolume
metadata: { name: old }
spec:
  capacity: { storage: 1Gi }
  accessModes: [ReadWriteOnce]
  persistentVolumeReclaimPolicy: Recycle
  hostPath: { path: /tmp/old }
`;
    assert.deepEqual((await tagsIn(volume))["api-warning"], [2]);
    const pod = `apiVersion: v1
kind: Pod
metadata: { name: twice }
spec: { containers: [{ name: c, image: i, env: [{ name: A, value: one }, { name: A, value: two }] }] }
`;
    assert.deepEqual((await tagsIn(pod))["api-warning"], []);
  });
});
