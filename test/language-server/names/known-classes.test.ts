/** The order in which possible classes are listed: a folder may contain classes for several clouds. */
import assert from "node:assert/strict";
import { actionsIn } from "../../support/code-actions.ts";
import { findingsOf } from "../../support/findings.ts";
import { memoryUri } from "../../support/memory-workspace.ts";
import { loadFiles } from "../../support/rule-page.ts";

const storageClass = (name: string, provisioner: string): string =>
  `---\napiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: { name: ${name} }\nprovisioner: ${provisioner}\n`;

const claim = (name: string, mode: string): string =>
  `---\napiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: data }\nspec: { storageClassName: ${name}, accessModes: [${mode}], resources: { requests: { storage: 1Gi } } }\n`;

const classes =
  storageClass("a-share", "file.csi.azure.com") +
  storageClass("z-disk", "ebs.csi.aws.com") +
  storageClass("b-share", "efs.csi.aws.com") +
  storageClass("by-hand", "kubernetes.io/no-provisioner");

async function offered(text: string, code: string): Promise<readonly string[]> {
  const files = new Map([
    ["claimcheck.yaml", "profile: eks\n"],
    ["all.yaml", text],
  ]);
  const service = await loadFiles(files, false);
  const finding = findingsOf(service, memoryUri("all.yaml")).find((one) => one.code === code);
  assert.ok(finding !== undefined);
  const titles = actionsIn(service, "all.yaml", finding).map(({ title }) => title);
  return [finding.message, ...titles];
}

suite("suggested classes", () => {
  test("begin with those of the cluster's drivers, followed by those of other clouds, sorted by name", async () => {
    const [message = "", ...titles] = await offered(
      `${classes}${claim("nowhere", "ReadWriteOnce")}`,
      "pvc-class-missing",
    );
    assert.match(message, /known are “b-share”, “by-hand”, “gp2”, “z-disk” and “a-share”$/);
    const order = ["b-share", "by-hand", "gp2", "z-disk", "a-share"];
    const changes = titles.filter((title) => title.startsWith("Change to"));
    assert.deepEqual(
      changes,
      order.map((name) => `Change to “${name}”`),
    );
  });

  test("only include shared ones, in the same order, if several nodes use the claim", async () => {
    const pod = `---\napiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\nspec:\n  replicas: 2\n  selector: { matchLabels: { a: b } }\n  template:\n    metadata: { labels: { a: b } }\n    spec:\n      containers: [{ name: c, image: i, volumeMounts: [{ name: d, mountPath: /d }] }]\n      volumes: [{ name: d, persistentVolumeClaim: { claimName: data } }]\n`;
    const [, ...titles] = await offered(
      `${classes}${claim("z-disk", "ReadWriteOnce")}${pod}`,
      "rwo-replicas",
    );
    const named = titles.flatMap((title) => /of class “([^”]*)”/.exec(title)?.[1] ?? []);
    assert.deepEqual(named, ["b-share", "a-share"]);
  });
});
