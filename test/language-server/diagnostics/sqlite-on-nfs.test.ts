/** SQLite databases on NFS that two pods write to. */
import assert from "node:assert/strict";
import { findingsOf } from "../../support/findings.ts";
import { memoryUri } from "../../support/memory-workspace.ts";
import { loadFiles } from "../../support/rule-page.ts";

interface Case {
  readonly image?: string;
  /** The class's provisioner. */
  readonly provisioner?: string;
  /** More fields of the Deployment's spec. */
  readonly says?: string;
  /** More fields of the pods' spec. */
  readonly podSays?: string;
  /** More fields of the claim's spec. */
  readonly claims?: string;
  /** The claim's access modes. */
  readonly modes?: string;
}

function manifests({
  image = "louislam/uptime-kuma:2",
  provisioner = "nfs.csi.k8s.io",
  says = "",
  podSays = "",
  claims = "storageClassName: shares",
  modes = "ReadWriteMany",
}: Case): string {
  return `apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: { name: shares }
provisioner: ${provisioner}
---
apiVersion: v1
kind: PersistentVolume
metadata: { name: share }
spec:
  storageClassName: ""
  capacity: { storage: 1Gi }
  accessModes: [ReadWriteMany]
  nfs: { server: nas.home.arpa, path: /srv }
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: data }
spec: { ${claims}, accessModes: [${modes}], resources: { requests: { storage: 1Gi } } }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: status }
spec:
  ${says}
  selector: { matchLabels: { app: status } }
  template:
    metadata: { labels: { app: status } }
    spec:
      ${podSays}
      containers:
        - name: status
          image: ${image}
          volumeMounts: [{ name: data, mountPath: /app/data }]
      volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }]
`;
}

async function messagesIn(given: Case): Promise<readonly string[]> {
  const text = manifests(given);
  const service = await loadFiles(new Map([["a.yaml", text]]), false);
  return findingsOf(service, memoryUri("a.yaml"))
    .filter(({ code }) => code === "sqlite-on-nfs")
    .map(({ start, end, message }) => `${text.slice(start, end)}: ${message}`);
}

function told(who: string, advice: string): readonly string[] {
  const database = "The image louislam/uptime-kuma keeps an SQLite database in /app/data, and";
  const locks = "locks over NFS are unreliable, so it may become corrupt.";
  return [`/app/data: ${database} ${who} write to it: ${locks} ${advice}`];
}

suite("an SQLite database on NFS", () => {
  const atRollouts = told("at each rollout two pods", "Use the strategy Recreate");

  test("is reported if a rollout starts the new pod beside the old one", async () => {
    assert.deepEqual(await messagesIn({}), atRollouts);
  });

  test("is reported if it has several pods", async () => {
    const says = "replicas: 3\n  strategy: { type: Recreate }";
    const advice = "Run one, or have it use another database";
    assert.deepEqual(await messagesIn({ says }), told("its 3 pods", advice));
  });

  for (const [whose, given] of [
    ["of nfs-subdir", { provisioner: "k8s-sigs.io/nfs-subdir-external-provisioner" }],
    ["of EFS", { provisioner: "efs.csi.aws.com" }],
    ["of Filestore", { provisioner: "filestore.csi.storage.gke.io" }],
    ["of Manila", { provisioner: "nfs.manila.csi.openstack.org" }],
    ["of Alibaba Cloud NAS", { provisioner: "nasplugin.csi.alibabacloud.com" }],
    ["of Oracle's file storage", { provisioner: "fss.csi.oraclecloud.com" }],
    [
      "of Azure with protocol nfs",
      { provisioner: "file.csi.azure.com\nparameters: { protocol: nfs }" },
    ],
    ["that Longhorn exports", { provisioner: "driver.longhorn.io" }],
    ["of a static volume", { claims: 'storageClassName: "", volumeName: share' }],
  ] as const)
    test(`is reported on a share ${whose}`, async () => {
      assert.deepEqual(await messagesIn(given), atRollouts);
    });

  for (const [what, given] of [
    ["of one pod at a time", { says: "strategy: { type: Recreate }" }],
    ["of no pod", { says: "replicas: 0" }],
    ["of pods on one node", { podSays: "nodeName: worker-1" }],
    ["on SMB, which another rule reports", { provisioner: "smb.csi.k8s.io" }],
    ["on an Azure share that uses SMB", { provisioner: "file.csi.azure.com" }],
    [
      "on a Longhorn volume for one node",
      { provisioner: "driver.longhorn.io", modes: "ReadWriteOnce" },
    ],
    ["of an unknown image", { image: "nginx" }],
  ] as const)
    test(`${what} is left alone`, async () => {
      assert.deepEqual(await messagesIn(given), []);
    });
});
