/** Ceph: RBD and CephFS, by their own names and by Rook's, which begin with the operator's namespace. */
import { allAccessModes } from "../../api/access-modes.ts";
import type { CreationRefusal } from "../creation-refusal.ts";
import type { MountRefusal } from "../mount-refusal.ts";
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

/** Only copies of snapshots and claims may be read by many. */
const emptyReadOnly: CreationRefusal = {
  modes: ["MULTI_NODE_READER_ONLY"],
  source: "none",
  text: "readOnly accessMode is supported only with content source",
};

/** Upstream: internal/util/credentials.go newCredentialsFromSecret, as of 071f491. */
const noCredentials: CreationRefusal = { lacksSecrets: true, text: "provided secret is empty" };
/** Upstream: internal/util/validate.go ValidateNodeStageVolumeRequest, as of 2561792. */
const noStageSecret: MountRefusal = {
  lacksSecrets: true,
  text: "stage secrets cannot be nil or empty",
};

/** Upstream: internal/rbd/rbd_util.go supportedFeatures, validateImageFeatures. */
const imageFeatures: readonly string[] = [
  "layering",
  "exclusive-lock",
  "object-map",
  "fast-diff",
  "deep-flatten",
  "journaling",
];
const neededFeatures: readonly (readonly [string, string])[] = [
  ["object-map", "exclusive-lock"],
  ["fast-diff", "object-map"],
  ["journaling", "exclusive-lock"],
];

export const cephDrivers: readonly CatalogueEntry[] = [
  {
    name: "rbd.csi.ceph.com",
    title: "Ceph RBD",
    traits: {
      fsGroupPolicy: "File",
      seLinuxMount: true,
      hasExactKeys: true,
      accessModes: [...readWriteOnce, "ReadOnlyMany"],
      blockAccessModes: [...readWriteOnce, "ReadOnlyMany", "ReadWriteMany"],
      capabilityRefusal: "multi node access modes are only supported on rbd `block` type volumes",
      earlyRefusals: [
        {
          lacks: "clusterID",
          text: "missing or empty cluster ID to provision volume from",
        },
        { lacks: "pool", text: "missing or empty pool name to provision volume from" },
        { empty: ["dataPool"], text: "empty datapool name to provision volume from" },
        { empty: ["radosNamespace"], text: "empty namespace name to provision volume from" },
        { empty: ["volumeNamePrefix"], text: "empty volume name prefix to provision volume from" },
        emptyReadOnly,
        noCredentials,
      ],
      creationRefusals: [
        { empty: ["imageFeatures"], text: "empty imageFeatures parameter" },
        {
          valueOtherThan: { key: "imageFeatures", values: ["", ...imageFeatures], isList: true },
          text: "invalid feature <ITEM>",
        },
        ...neededFeatures.map(
          ([item, without]): CreationRefusal => ({
            unpaired: { key: "imageFeatures", item, without },
            text: `feature ${item} requires ${without} to be set`,
          }),
        ),
        {
          unpaired: { key: "imageFeatures", item: "journaling" },
          valueOtherThan: { key: "mounter", values: ["rbd-nbd"] },
          text: "feature journaling requires rbd-nbd for mounter",
        },
      ],
      stageRefusals: [
        noStageSecret,
        {
          volumeMode: "Filesystem",
          modes: ["MULTI_NODE_MULTI_WRITER"],
          text: "rbd: RWX access mode request is only valid for volumes with access type `block`",
        },
      ],
      growthWithoutSecret: { code: "InvalidArgument", text: noCredentials.text },
      expansion: { controller: true, node: true, online: true, nodeForBlock: false },
      snapshots: true,
      clone: true,
      roundUpTo: "1Mi",
      roundLargeUpTo: "1Gi",
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
      hasExactKeys: true,
      accessModes: allAccessModes,
      earlyRefusals: [
        { volumeMode: "Block", code: "Unimplemented", text: "block volume not supported" },
        emptyReadOnly,
        noCredentials,
      ],
      creationRefusals: [
        { lacks: "clusterID", text: "clusterID must be set" },
        { lacks: "fsName", text: "missing required field fsName" },
        {
          valueOtherThan: { key: "mounter", values: ["", "fuse", "kernel"] },
          text: "unknown mounter '<VALUE>'. Valid options are 'fuse' and 'kernel'",
        },
      ],
      stageRefusals: [noStageSecret],
      growthWithoutSecret: { code: "InvalidArgument", text: noCredentials.text },
      snapshots: true,
      clone: true,
      roundUpTo: "4Mi",
      roundLargeUpTo: "1Gi",
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

/** Upstream: rook pkg/operator/ceph/csi/secrets.go createOrUpdateCSISecret, commit 0226134. */
const rookSecrets: readonly string[] = ["rbd", "cephfs"].flatMap((type) =>
  ["provisioner", "node"].map((role) => `rook-csi-${type}-${role}`),
);

/** By Ceph's names, which stand at the end of Rook's. */
export const rookDrivers: readonly CatalogueEntry[] = cephDrivers.map((entry) => ({
  ...entry,
  operatorSecrets: rookSecrets,
}));
