/**
 * Provisioners whose volumes are neither of a CSI driver nor directories or shares: what their public sources, or volumes that
 * they have made, show. Upstream: oracle/oci-cloud-controller-manager pkg/volume/provisioner/block/block.go, commit 1d797f0;
 * rook/rook pkg/operator/ceph/provisioner/provisioner.go, commit 0561504; kubernetes-retired/external-storage gluster/block,
 * gluster/file, openebs; the documentation of Huawei CCE, Alibaba ACK and IBM Cloud for the others.
 */

/** The FlexVolume drivers of their volumes. Rook's second part is its operator's namespace; this is the usual one. */
const flexDrivers: ReadonlyMap<string, string> = new Map([
  ["alicloud/disk", "alicloud/disk"],
  ["alicloud/nas", "alicloud/nas"],
  ["ceph.rook.io/block", "ceph.rook.io/rook-ceph-system"],
  ["flexvolume-huawei.com/fuxiefs", "huawei.com/fuxiefs"],
  ["flexvolume-huawei.com/fuxinfs", "huawei.com/fuxinfs"],
  ["flexvolume-huawei.com/fuxiobs", "huawei.com/fuxiobs"],
  ["flexvolume-huawei.com/fuxivol", "huawei.com/fuxivol"],
  ["ibm.io/ibmc-block", "ibm/ibmc-block"],
  ["ibm.io/ibmc-s3fs", "ibm/ibmc-s3fs"],
  ["oracle.com/oci", "oracle/oci"],
  ["oracle.com/oci-block", "oracle/oci"],
  ["rook.io/block", "rook.io/rook"],
]);

/** Returns the FlexVolume driver of the provisioner's volumes; undefined if they are of another type, or if that is unknown. */
export function flexDriverOf(provisioner: string): string | undefined {
  return flexDrivers.get(provisioner);
}

/** Those that mount a disk, on one node at a time, and say so: they refuse all other access modes. */
export const refusesSharing: ReadonlySet<string> = new Set([
  "oracle.com/oci",
  "oracle.com/oci-block",
]);

export const flexProvisioners: readonly string[] = [...flexDrivers.keys()];
