/** Drivers whose volumes are not disks, by what their volumes are to the programs in a pod. */

/** Drivers that mount SMB shares; Azure's mounts NFS instead if class or volume say so. */
export const smbDrivers: ReadonlySet<string | undefined> = new Set([
  "smb.csi.k8s.io",
  "file.csi.azure.com",
]);

/** Drivers that mount NFS, whatever class and volume say. */
export const nfsDrivers: ReadonlySet<string | undefined> = new Set([
  "nfs.csi.k8s.io",
  "efs.csi.aws.com",
  "filestore.csi.storage.gke.io",
  "nfs.manila.csi.openstack.org",
  "nasplugin.csi.alibabacloud.com",
  "fss.csi.oraclecloud.com",
]);

/**
 * Drivers that mount buckets with FUSE. Their limits are documented by Mountpoint for S3 (doc/SEMANTICS.md), Cloud Storage FUSE
 * (docs/semantics.md), BlobFuse, GeeseFS and ossfs.
 */
export const bucketDrivers: ReadonlySet<string | undefined> = new Set([
  "s3.csi.aws.com",
  "gcsfuse.csi.storage.gke.io",
  "blob.csi.azure.com",
  "ossplugin.csi.alibabacloud.com",
  "ru.yandex.s3.csi",
]);

/**
 * Drivers that read the Secret of an inline volume themselves, in the pod's namespace whatever `secretNamespace` says.
 * Upstream: pkg/azurefile, pkg/blob and pkg/smb nodeserver.go NodePublishVolume of 003de68, 02f1b3f and 00209de.
 */
export const loginByAttribute: ReadonlySet<unknown> = new Set([
  "blob.csi.azure.com",
  "file.csi.azure.com",
  "smb.csi.k8s.io",
]);
