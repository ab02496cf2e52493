/** Ceph: RBD and CephFS, under their own names and Rook's, which begin with the operator's namespace. */
import { allAccessModes } from "../../api/access-modes.ts";
import type { CreationRefusal } from "../creation-refusal.ts";
import type { MountRefusal } from "../mount-refusal.ts";
import type { SecretRefusal } from "../secret-refusal.ts";
import { type CatalogueEntry, fileShare, readWriteOnce, truths, untruths } from "./entry.ts";

const source = {
  repository: "ceph/ceph-csi",
  commit: "52fcb7b",
  files: ["internal/rbd/", "internal/cephfs/", "docs/deploy-rbd.md", "docs/deploy-cephfs.md"],
};
/**
 * Rook v1.20 ships csi-provisioner v6.2 with ceph-csi v3.17. Its classes have a secret for modification, which older
 * provisioners refuse.
 */
const sidecars = {
  provisionTimeoutMs: 150_000,
  retryStartMs: 500,
  handlesInUseError: false,
};

/** ReadOnlyMany is allowed only for copies of snapshots and claims. */
const emptyReadOnly: CreationRefusal = {
  modes: ["MULTI_NODE_READER_ONLY"],
  source: "none",
  text: "readOnly accessMode is supported only with content source",
};

/** Upstream: internal/util/credentials.go newCredentialsFromSecret, as of 071f491. */
const noCredentials = {
  lacksSecrets: true,
  text: "provided secret is empty",
} as const satisfies CreationRefusal;

/** Keys of other Ceph drivers, and of CephFS's driver before version 3.14. */
const mistaken = {
  adminID: "userID",
  adminKey: "userKey",
  userSecret: "userKey",
  user: "userID",
} as const;
/** A secret for the in-tree plugin, which has only `key`, is accepted too: NewUserCredentialsWithMigration. */
const noUser = withoutUser("key");

function withoutUser(...instead: readonly string[]): readonly SecretRefusal[] {
  return [
    {
      secretNeed: { oneOf: ["userID", ...instead], mistaken },
      text: "missing ID field 'userID' in secrets",
    },
    {
      secretNeed: { oneOf: ["userKey", ...instead], mistaken },
      text: "missing key field 'userKey' in secrets",
    },
  ];
}

/** Upstream: internal/rbd/controllerserver.go CreateSnapshot, DeleteSnapshot, as of 010e4a3: NewUserCredentials. */
const noSnapshotUser = [noCredentials, ...withoutUser()].map(
  (refusal): SecretRefusal => ({ ...refusal, code: "Internal" }),
);
/**
 * NewAdminCredentials: from version 3.14 on (pull request 4988) it prefers the user's credentials; before, it took only the
 * administrator's.
 */
const noAdmin: readonly SecretRefusal[] = [
  {
    secretNeed: { oneOf: ["adminID"], instead: ["userID", "userKey"] },
    text: "missing ID field 'adminID' in secrets",
  },
  {
    secretNeed: { oneOf: ["adminKey"], instead: ["userID", "userKey"] },
    text: "missing key field 'adminKey' in secrets",
  },
];
const isEncrypted = { key: "encrypted", values: truths };
/**
 * For encryption without another key management. Upstream: internal/kms/kms.go GetKMS, secretskms.go newSecretsKMS, as of
 * 010e4a3, 0863c1b.
 */
const noPassphrase: CreationRefusal = {
  where: [isEncrypted, { key: "encryptionKMSID", values: ["", "default"] }],
  secretNeed: { oneOf: ["encryptionPassphrase"], mistaken: { passphrase: "encryptionPassphrase" } },
  text: "invalid encryption kms configuration: missing encryption passphrase in secrets",
};
/** Upstream: internal/rbd/encryption.go ParseEncryptionOpts, initKMS. */
const imageEncryption: readonly CreationRefusal[] = [
  {
    unreadable: { key: "encrypted", as: "truth value" },
    text: 'strconv.ParseBool: parsing "<VALUE>": invalid syntax',
  },
  {
    where: [isEncrypted],
    valueOtherThan: { key: "encryptionType", values: ["", "block", "file"] },
    text: "invalid encryption type",
  },
  noPassphrase,
];
const noShareKey = "failed to init KMS: ";
/** The driver encrypts such a share nevertheless, with the secret's passphrase: it checks only the type. */
const notEncrypted = { key: "encrypted", values: untruths };
const hasEncrypted = { key: "encrypted", values: [...isEncrypted.values, ...notEncrypted.values] };
const otherShareType = (number: number): string =>
  `${noShareKey}unsupported encryption type ${number}. only supported type is 'file'`;
/** Upstream: internal/cephfs/store/volumeoptions.go parseEncryptionOpts, InitKMS; internal/util/crypto.go FetchEncryptionKMSID. */
const shareEncryption: readonly CreationRefusal[] = [
  {
    unreadable: { key: "encrypted", as: "truth value" },
    text: `${noShareKey}invalid value set in 'encrypted': <VALUE> (should be "true" or "false"): strconv.ParseBool: parsing "<VALUE>": invalid syntax`,
  },
  {
    where: [hasEncrypted, { key: "encryptionType", values: ["block"] }],
    valueOtherThan: { key: "encryptionType", values: ["", "file"] },
    text: otherShareType(2),
  },
  {
    where: [hasEncrypted],
    valueOtherThan: { key: "encryptionType", values: ["", "file"] },
    text: otherShareType(0),
  },
  ...[noPassphrase, { ...noPassphrase, where: [notEncrypted] }].map((refusal) => ({
    ...refusal,
    text: `${noShareKey}${refusal.text}`,
  })),
];
const empty = "parameter '<KEY>' cannot be empty";
const isShallow = { key: "backingSnapshot", values: truths };
const notShallow = "backingSnapshot option requires snapshot volume source";
/** Upstream: internal/cephfs/store/volumeoptions.go NewVolumeOptions. */
const shareOptions: readonly CreationRefusal[] = [
  { lacks: "clusterID", text: "clusterID must be set" },
  { empty: ["fsName"], text: empty },
  { lacks: "fsName", text: "missing required field fsName" },
  { empty: ["pool", "mounter"], text: empty },
  {
    valueOtherThan: { key: "mounter", values: ["", "fuse", "kernel"] },
    text: "unknown mounter '<VALUE>'. Valid options are 'fuse' and 'kernel'",
  },
  {
    empty: ["kernelMountOptions", "fuseMountOptions", "volumeNamePrefix", "backingSnapshot"],
    text: empty,
  },
  ...shareEncryption,
  {
    unreadable: { key: "backingSnapshot", as: "truth value" },
    text: 'failed to parse backingSnapshot: strconv.ParseBool: parsing "<VALUE>": invalid syntax',
  },
  { where: [isShallow], source: "none", text: notShallow },
  { where: [isShallow], source: "volume", text: notShallow },
];
/** Upstream: CreateSnapshot, which needs the cluster again: internal/util/csiconfig.go GetClusterID. */
const noCluster: CreationRefusal = {
  lacks: "clusterID",
  code: "Internal",
  text: "clusterID must be set",
};
/** Upstream: internal/util/validate.go ValidateNodeStageVolumeRequest, as of 2561792. */
const noStageSecret: MountRefusal = {
  lacksSecrets: true,
  text: "stage secrets cannot be nil or empty",
};

/**
 * A static volume is mounted as the user, any other as the administrator, whose credentials are checked when the volume is
 * looked up. Upstream: internal/cephfs/nodeserver.go getVolumeOptions, getCredentialsForVolume, as of bd8be6c.
 */
const noShareUser: readonly MountRefusal[] = [
  ...withoutUser().map(
    (refusal): MountRefusal => ({
      ...refusal,
      where: [{ key: "staticVolume", values: ["true"] }],
      code: "Internal",
      text: `failed to get user credentials from node stage secrets: ${refusal.text}`,
    }),
  ),
  ...noAdmin.map(
    (refusal): MountRefusal => ({
      ...refusal,
      where: [
        { key: "staticVolume", values: ["", "false"] },
        // Volumes made by the driver's first version have monitors.
        { key: "monitors", values: [""] },
      ],
      code: "Internal",
      text: `rpc error: code = Internal desc = ${refusal.text}`,
    }),
  ),
];

/** Upstream: internal/rbd/controllerserver.go validateStriping. */
const striping: readonly CreationRefusal[] = [
  ...[["stripeUnit", "stripeCount"] as const, ["stripeCount", "stripeUnit"] as const].map(
    ([key, lacks]) => ({
      gives: [key],
      lacks,
      text: `${lacks} must be specified when ${key} is specified`,
    }),
  ),
  {
    unreadable: { key: "objectSize", as: "whole number" },
    text: 'failed to parse objectSize <VALUE>: strconv.ParseUint: parsing "<VALUE>": invalid syntax',
  },
  {
    unreadable: { key: "objectSize", as: "power of two" },
    text: "objectSize <VALUE> is not power of 2",
  },
];

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
        ...striping,
        noCredentials,
        ...noUser,
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
        ...imageEncryption,
      ],
      // internal/rbd/nodeserver.go NodeStageVolume, populateRbdVol, as of 010e4a3.
      stageRefusals: [
        noStageSecret,
        ...noUser,
        {
          volumeMode: "Filesystem",
          modes: ["MULTI_NODE_MULTI_WRITER"],
          text: "rbd: RWX access mode request is only valid for volumes with access type `block`",
        },
      ],
      secretRefusals: {
        ControllerExpandVolume: [noCredentials, ...noUser],
        CreateSnapshot: noSnapshotUser,
        DeleteSnapshot: noSnapshotUser,
        DeleteVolume: [noCredentials, ...noUser],
      },
      expansion: { controller: true, node: true, online: true, nodeForBlock: false },
      snapshots: true,
      snapshotRefusals: [
        {
          empty: ["snapshotNamePrefix"],
          text: "empty snapshot name prefix to provision snapshot from",
        },
        { empty: ["pool"], text: "empty pool name in which rbd image will be created" },
        noCluster,
      ],
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
        ...noAdmin,
      ],
      creationRefusals: shareOptions,
      stageRefusals: [noStageSecret, ...noShareUser],
      secretRefusals: {
        ControllerExpandVolume: [noCredentials, ...noAdmin],
        // CreateSnapshot returns this error without a code.
        CreateSnapshot: [noCredentials, ...noAdmin].map(
          (refusal): SecretRefusal => ({ ...refusal, code: "Unknown" }),
        ),
        DeleteSnapshot: [noCredentials, ...noAdmin],
      },
      snapshots: true,
      snapshotRefusals: [noCluster],
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
      "encryptionType",
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

/** Listed under Ceph's names, with which Rook's names end. */
export const rookDrivers: readonly CatalogueEntry[] = cephDrivers.map((entry) => ({
  ...entry,
  operatorSecrets: rookSecrets,
}));
