import assert from "node:assert/strict";
import { actionsAtCursor, afterAction } from "../../support/code-actions.ts";
import { findingsOf } from "../../support/findings.ts";
import { loadFixture } from "../../support/language-features.ts";
import { readFixture } from "../../support/markers.ts";
import { memoryUri } from "../../support/memory-workspace.ts";

const claimOf = (className: string): string => `
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec:
  storageClassName: ${className}$0
  accessModes: [ReadWriteOnce]
  resources: { requests: { storage: 1Gi } }
---
apiVersion: v1
kind: Pod
metadata: { name: db }
spec:
  containers: [{ name: c, image: i, volumeMounts: [{ name: data, mountPath: /d }] }]
  volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
`;

const on = (profile: string, text: string): string =>
  `#- claimcheck.yaml\nprofile: ${profile}\n#- app.yaml${text}`;

/** The titles of offered fixes; for those that create a class, also the file's findings afterwards. */
async function offered(text: string): Promise<readonly (readonly string[])[]> {
  const fixture = readFixture(text);
  const actions = actionsAtCursor(await loadFixture(fixture, true), fixture).filter(
    ({ title, kind }) => kind === "quickfix" && !title.startsWith("Ignore"),
  );
  return Promise.all(
    actions.map(async (action) => {
      if (!action.title.startsWith("Create StorageClass")) return [action.title];
      const files = afterAction(fixture.files, action);
      const after = await loadFixture({ files, labels: [] }, true);
      const codes = findingsOf(after, memoryUri("app.yaml")).map(({ code }) => code);
      return [action.title, ...codes];
    }),
  );
}

suite("a missing class", () => {
  test("is created as in the distribution that ships one of that name", async () => {
    assert.deepEqual(await offered(on("bare-metal", claimOf("rook-ceph-block"))), [
      ["Create StorageClass “rook-ceph-block” as in rook-ceph", "provisioner-unknown"],
    ]);
  });

  test("is created like a class of the cluster, which is offered itself as well", async () => {
    assert.deepEqual(await offered(on("eks", claimOf("fast"))), [
      ["Change to “gp2”"],
      ["Create StorageClass “fast” like “gp2”"],
    ]);
  });

  test("is not created as in another cloud, whose driver is not installed", async () => {
    assert.deepEqual(await offered(on("bare-metal", claimOf("premium-rwo"))), []);
  });

  test("is not a default class even if its model is", async () => {
    const fixture = readFixture(on("kind", claimOf("fast")));
    const actions = actionsAtCursor(await loadFixture(fixture, true), fixture);
    const written = actions.find(({ title }) => title.startsWith("Create StorageClass"));
    assert.ok(written !== undefined);
    const text = afterAction(fixture.files, written).get("app.yaml") ?? "";
    assert.match(text, /metadata:\n {2}name: fast\nprovisioner: rancher.io\/local-path/);
  });
});
