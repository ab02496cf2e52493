/** Names that people mean when they mistype one. */

export const knownDrivers: readonly string[] = [
  "ebs.csi.aws.com",
  "efs.csi.aws.com",
  "fsx.csi.aws.com",
  "s3.csi.aws.com",
  "disk.csi.azure.com",
  "file.csi.azure.com",
  "blob.csi.azure.com",
  "pd.csi.storage.gke.io",
  "filestore.csi.storage.gke.io",
  "gcsfuse.csi.storage.gke.io",
  "csi.vsphere.vmware.com",
  "cinder.csi.openstack.org",
  "manila.csi.openstack.org",
  "nfs.csi.k8s.io",
  "smb.csi.k8s.io",
  "hostpath.csi.k8s.io",
  "rbd.csi.ceph.com",
  "cephfs.csi.ceph.com",
  "rook-ceph.rbd.csi.ceph.com",
  "rook-ceph.cephfs.csi.ceph.com",
  "driver.longhorn.io",
  "dobs.csi.digitalocean.com",
  "csi.hetzner.cloud",
  "linodebs.csi.linode.com",
  "diskplugin.csi.alibabacloud.com",
  "nasplugin.csi.alibabacloud.com",
  "com.tencent.cloud.csi.cbs",
  "csi.trident.netapp.io",
  "local.csi.openebs.io",
  "zfs.csi.openebs.io",
  "io.openebs.csi-mayastor",
  "openebs.io/local",
  "topolvm.io",
  "linstor.csi.linbit.com",
  "pxd.portworx.com",
  "csi.juicefs.com",
  "secrets-store.csi.k8s.io",
  "rancher.io/local-path",
  "kubernetes.io/no-provisioner",
  "docker.io/hostpath",
  "k8s.io/minikube-hostpath",
  "microk8s.io/hostpath",
];

/** Rook puts its operator's namespace before Ceph's names. */
export function isKnownDriver(name: string): boolean {
  return knownDrivers.includes(name) || /(?:^|\.)(?:rbd|cephfs|nfs)\.csi\.ceph\.com$/.test(name);
}

/** Names that Kubernetes itself answers for, by doing nothing or by redirecting to a CSI driver. */
export function isBuiltIn(provisioner: string): boolean {
  return provisioner.startsWith("kubernetes.io/");
}
