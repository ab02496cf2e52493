/** A missing class whose name a cloud or an installer is known for is said to be theirs. */
import { checkDiagnostics } from "../../support/language-features.ts";

const claimOf = (className: string): string => `
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      spec:
        accessModes: [ReadWriteOnce]
        resources: { requests: { storage: 50Gi } }
        storageClassName: ${className}`;

suite("a missing class", () => {
  test("of a cloud without a profile is said to be that cloud's", () =>
    checkDiagnostics(`${claimOf("vultr-block-storage")}
      #                   ^^^^^^^^^^^^^^^^^^^ pvc-class-missing: StorageClass “vultr-block-storage” does not exist; the claim stays Pending; Vultr VKE has a class of this name, with driver “block.csi.vultr.com”
    `));

  test("of an optional driver of a profile, or of an operator, is said to be theirs", async () => {
    await checkDiagnostics(`${claimOf("azureblob-nfs-premium")}
      #                   ^^^^^^^^^^^^^^^^^^^^^ pvc-class-missing: StorageClass “azureblob-nfs-premium” does not exist; the claim stays Pending; Azure AKS with its Blob driver has a class of this name, with driver “blob.csi.azure.com”
    `);
    await checkDiagnostics(`${claimOf("ocs-storagecluster-cephfs")}
      #                   ^^^^^^^^^^^^^^^^^^^^^^^^^ pvc-class-missing: StorageClass “ocs-storagecluster-cephfs” does not exist; the claim stays Pending; OpenShift Data Foundation has a class of this name, with driver “openshift-storage.cephfs.csi.ceph.com”
    `);
  });

  test("of another profile than the named one is said to be of that profile", () =>
    checkDiagnostics(`
      #- claimcheck.yaml
      profile: eks
      #- claim.yaml${claimOf("premium-rwo")}
      #                   ^^^^^^^^^^^ pvc-class-missing: StorageClass “premium-rwo” does not exist; the claim stays Pending; known are “gp2”; Google GKE (profile “gke”) has a class of this name, with driver “pd.csi.storage.gke.io”
    `));

  test("that is only often named so is said to be of that driver", () =>
    checkDiagnostics(`
      #- claimcheck.yaml
      profile: bare-metal
      #- claim.yaml${claimOf("gp3")}
      #                   ^^^ pvc-class-missing: StorageClass “gp3” does not exist; the claim stays Pending; classes of driver “ebs.csi.aws.com” are often named so
    `));
});
