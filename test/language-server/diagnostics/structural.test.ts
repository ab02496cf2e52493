import assert from "node:assert/strict";
import { createLanguageService } from "../../../src/language-server/service.ts";
import { findingsOf } from "../../support/findings.ts";
import { memoryFileSystem, memoryFolder, memoryUri } from "../../support/memory-workspace.ts";

const manifests = `apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: unknown }
spec: { storageClass: "", accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
---
apiVersion: v1
kind: Pod
metadata: { name: mistyped }
spec: { containers: [{ name: c, image: i, volumeMounts: [{ name: v, mountPath: 7 }] }] }
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: missing }
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: no-modes }
spec: { storageClassName: "", accessModes: [], resources: { requests: { storage: 1Gi } } }
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: no-quantity }
spec: { storageClassName: "", accessModes: [ReadWriteOnce], resources: { requests: { storage: 10GB } } }
---
apiVersion: snapshot.storage.k8s.io/v1
kind: VolumeSnapshotClass
metadata: { name: custom }
deletionPolicy: Delete
`;

/** The names of objects with the finding api-refused. */
async function refused(yamlSchemas: Readonly<Record<string, unknown>>): Promise<readonly string[]> {
  const uri = memoryUri("all.yaml");
  const service = createLanguageService({
    fileSystem: memoryFileSystem(new Map([["all.yaml", manifests]])),
    pause: () => Promise.resolve(),
  });
  service.configure({ yamlSchemas });
  await service.loadFolders([memoryFolder]);
  return findingsOf(service, uri)
    .filter(({ code }) => code === "api-refused")
    .map(({ start }) => /name: ([\w-]+)/.exec(metadataAt(start))?.[1] ?? "");
}

/** The metadata line of the object around an offset. */
function metadataAt(offset: number): string {
  const from = manifests.lastIndexOf("---\n", offset) + 1;
  const to = manifests.indexOf("---\n", offset);
  return /metadata: .*\n/.exec(manifests.slice(from, to < 0 ? undefined : to))?.[0] ?? "";
}

suite("beside another validator with Kubernetes' schema", () => {
  test("everything is reported if there is none", async () =>
    assert.deepEqual(await refused({}), [
      "unknown",
      "mistyped",
      "missing",
      "no-modes",
      "no-quantity",
      "custom",
    ]));

  test("unknown fields, wrong types and missing fields are left to it, validation rules are not", async () =>
    assert.deepEqual(await refused({ kubernetes: "*.yaml" }), [
      "no-modes",
      "no-quantity",
      "custom",
    ]));

  test("everything is reported in files that it does not check", async () =>
    assert.equal((await refused({ kubernetes: "/other/*.yaml" })).length, 6));
});
