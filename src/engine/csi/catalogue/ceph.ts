/** Ceph: RBD and CephFS, by their own names and by Rook's, which begin with the operator's namespace. */
import { type CatalogueEntry, fileShare, readWriteOnce } from "./entry.ts";

const source = {
  repository: "ceph/ceph-csi",
  commit: "52fcb7b",
  files: ["internal/rbd/", "internal/cephfs/", "docs/deploy-rbd.md", "docs/deploy-cephfs.md"],
};
const sidecars = {
  isProvisionerBeforeV6: true,
  provisionTimeoutMs: 150_000,
  retryStartMs: 500,
  handlesInUseError: false,
};

export const cephDrivers: readonly CatalogueEntry[] = [
  {
    name: "rbd.csi.ceph.com",
    title: "Ceph RBD",
    traits: {
      fsGroupPolicy: "File",
      seLinuxMount: true,
      // ReadOnlyMany is for copies of snapshots and claims.
      accessModes: [...readWriteOnce, "ReadOnlyMany"],
      blockAccessModes: [...readWriteOnce, "ReadOnlyMany", "ReadWriteMany"],
      capabilityRefusal: "multi node access modes are only supported on rbd `block` type volumes",
      expansion: { controller: true, node: true, online: true, nodeForBlock: false },
      snapshots: true,
      clone: true,
      roundUpTo: "1Mi",
      sidecars: { ...sidecars, immediateTopology: false, defaultFsType: "ext4" },
    },
    parameters: [
      "clusterID",
      "pool",
      "dataPool",
      "imageFeatures",
      "mounter",
      "mapOptions",
      "unmapOptions",
      "mkfsOptions",
      "tryOtherMounters",
      "volumeNamePrefix",
      "snapshotNamePrefix",
      "encrypted",
      "encryptionKMSID",
      "encryptionType",
      "stripeUnit",
      "stripeCount",
      "objectSize",
      "radosNamespace",
      "topologyConstrainedPools",
    ],
    requiredParameters: ["clusterID", "pool"],
    unknown: ["modify"],
    parameterValues: {
      mounter: ["rbd", "rbd-nbd"],
      encryptionType: ["block", "file"],
      encrypted: ["true", "false"],
    },
    source,
  },
  {
    name: "cephfs.csi.ceph.com",
    title: "CephFS",
    traits: {
      ...fileShare,
      fsGroupPolicy: "File",
      seLinuxMount: true,
      accessModes: [...readWriteOnce, "ReadWriteMany"],
      capabilityRefusal: "readOnly accessMode is supported only with content source",
      snapshots: true,
      clone: true,
      roundUpTo: "4Mi",
      singleNodeMultiWriter: true,
      sidecars,
    },
    parameters: [
      "clusterID",
      "fsName",
      "pool",
      "mounter",
      "kernelMountOptions",
      "fuseMountOptions",
      "volumeNamePrefix",
      "snapshotNamePrefix",
      "backingSnapshot",
      "encrypted",
      "encryptionKMSID",
    ],
    requiredParameters: ["clusterID", "fsName"],
    parameterValues: {
      mounter: ["kernel", "fuse"],
      backingSnapshot: ["true", "false"],
      encrypted: ["true", "false"],
    },
    source,
  },
];
