/** Provisioners that are no CSI drivers: what is said of their volumes, and what is not. */
import { checkDiagnostics, checkPredicted } from "../../support/language-features.ts";

const storageClass = (name: string, provisioner: string): string => `
      apiVersion: storage.k8s.io/v1
      kind: StorageClass
      metadata: { name: ${name} }
      provisioner: ${provisioner}`;

suite("provisioners that are no CSI drivers", () => {
  test("are reported with what is unusual about their volumes, or that nothing is known of them", () =>
    checkDiagnostics(`${storageClass("flex", "oracle.com/oci-block")}
      #            ^^^^^^^^^^^^^^^^^^^^ provisioner-unknown: Nothing provisions volumes for “oracle.com/oci-block” unless it is installed in the cluster; its volumes are FlexVolumes, which are deprecated and need their driver's program on each node
      ---${storageClass("other", "cloud.tencent.com/qcloud-cbs")}
      #            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ provisioner-unknown: Nothing provisions volumes for “cloud.tencent.com/qcloud-cbs” unless it is installed in the cluster; what volumes it makes is not known
      ---${storageClass("gluster", "gluster.org/glusterfile")}
      #            ^^^^^^^^^^^^^^^^^^^^^^^ provisioner-in-tree: The in-tree driver was removed in 1.26; the volumes made by it cannot be mounted
    `));

  test("may expand FlexVolumes, but no iSCSI disks", () =>
    checkDiagnostics(`${storageClass("flex", "alicloud/disk")}
      #            ^^^^^^^^^^^^^ provisioner-unknown
      allowVolumeExpansion: true
      ---${storageClass("iscsi", "openebs.io/provisioner-iscsi")}
      #            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ provisioner-unknown
      allowVolumeExpansion: true
      #                     ^^^^ class-expansion-driver: Nothing expands volumes of “openebs.io/provisioner-iscsi”
    `));

  test("and refuse access modes are reported at the claim", () =>
    checkPredicted(`${storageClass("flex", "oracle.com/oci-block")}
      #            ^^^^^^^^^^^^^^^^^^^^ provisioner-unknown
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata: { name: data }
      #                 ^^^^ claim-stays-pending: Claim data stays Pending: oracle.com/oci-block cannot provision its volume: invalid access mode ReadWriteMany specified. Only ReadWriteOnce is supported
      spec:
        storageClassName: flex
        accessModes: [ReadWriteMany]
        resources: { requests: { storage: 20Gi } }
    `));

  test("of TKE's shared file systems are no misspellings of its driver", () =>
    checkDiagnostics(`${storageClass("cfs", "com.tencent.cloud.csi.tcfs.cfs")}
      #            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ provisioner-unknown
      ---${storageClass("plain", "com.tencent.cloud.csi.tcfs")}
      #            ^^^^^^^^^^^^^^^^^^^^^^^^^^ provisioner-unknown
      ---${storageClass("typo", "com.tencent.cloud.csi.cfss")}
      #            ^^^^^^^^^^^^^^^^^^^^^^^^^^ provisioner-typo
    `));
});
