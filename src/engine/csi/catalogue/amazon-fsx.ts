/** Amazon FSx: Lustre, and OpenZFS file systems and volumes. */
import type { CreationRefusal } from "../creation-refusal.ts";
import type { SizesWhere } from "../driver-profile.ts";
import type { MountRefusal } from "../mount-refusal.ts";
import { type CatalogueEntry, fileShare, fileSystemOnly, readWriteOnce } from "./entry.ts";

/** Sizes of hard disks, whose step depends on the throughput per TiB. */
function hardDisks(size: string, ...throughputs: readonly string[]): SizesWhere {
  const throughput = { key: "perUnitStorageThroughput", values: throughputs };
  return {
    where: [
      { key: "storageType", values: ["HDD"] },
      ...(throughputs.length > 0 ? [throughput] : []),
    ],
    minSize: size,
    roundUpTo: size,
    roundLargeUpTo: size,
  };
}

const manyReaders: readonly string[] = ["MULTI_NODE_READER_ONLY"];
const tieredLustre = [{ key: "storageType", values: ["INTELLIGENT_TIERING"] }];
const badTiering = "Invalid INTELLIGENT_TIERING parameters: ";
const cacheSizings: readonly string[] = [
  "NO_CACHE",
  "PROPORTIONAL_TO_THROUGHPUT_CAPACITY",
  "USER_PROVISIONED",
];

const lustre: CatalogueEntry = {
  name: "fsx.csi.aws.com",
  title: "Amazon FSx for Lustre",
  traits: {
    ...fileShare,
    accessModes: [...readWriteOnce, "ReadWriteMany"],
    volumeModes: fileSystemOnly,
    capabilityRefusal: "Volume capabilities not supported",
    hasExactKeys: true,
    // pkg/driver/node.go NodePublishVolume of 01a8927
    stageUnstage: false,
    mountRefusals: [
      { lacks: "dnsname", text: "dnsname is not provided" },
      { modes: manyReaders, text: "Volume capability not supported" },
    ],
    volumeHandle: "fs-<NAME>",
    newAttributes: { dnsname: "<ID>.fsx.us-east-1.amazonaws.com", mountname: "fsx" },
    creationRefusals: [
      {
        where: tieredLustre,
        lacks: "throughputCapacity",
        text: `${badTiering}throughputCapacity is required for INTELLIGENT_TIERING storage type`,
      },
      {
        where: tieredLustre,
        valueOtherThan: { key: "deploymentType", values: ["", "PERSISTENT_2"] },
        text: `${badTiering}deploymentType must be PERSISTENT_2 for INTELLIGENT_TIERING storage type`,
      },
      {
        where: tieredLustre,
        valueOtherThan: { key: "metadataIops", values: ["", "6000", "12000"] },
        text: `${badTiering}metadataIops must be 6000 or 12000 for INTELLIGENT_TIERING, got: <VALUE>`,
      },
      {
        where: tieredLustre,
        valueOtherThan: { key: "dataReadCacheSizingMode", values: ["", ...cacheSizings] },
        text: `${badTiering}dataReadCacheSizingMode must be one of: ${cacheSizings.join(", ")}`,
      },
    ],
    minSize: "1200Gi",
    defaultSize: "1200Gi",
    roundUpTo: "1200Gi",
    roundLargeUpTo: "3600Gi",
    largeAbove: "2400Gi",
    sizesWhere: [
      hardDisks("6000Gi", "12"),
      hardDisks("1800Gi"),
      {
        where: [{ key: "deploymentType", values: ["SCRATCH_2", "PERSISTENT_1", "PERSISTENT_2"] }],
        roundLargeUpTo: "2400Gi",
        largeAbove: "1200Gi",
      },
    ],
    sidecars: { extraCreateMetadata: false },
  },
  parameters: [
    "subnetId",
    "securityGroupIds",
    "deploymentType",
    "storageType",
    "perUnitStorageThroughput",
    "kmsKeyId",
    "s3ImportPath",
    "s3ExportPath",
    "autoImportPolicy",
    "dataCompressionType",
    "weeklyMaintenanceStartTime",
    "fileSystemTypeVersion",
    "extraTags",
    "automaticBackupRetentionDays",
    "dailyAutomaticBackupStartTime",
    "copyTagsToBackups",
    "driveCacheType",
    "efaEnabled",
    "metadataConfigurationMode",
    "metadataIops",
    "throughputCapacity",
    "dataReadCacheSizingMode",
    "dataReadCacheSizeGiB",
    "skipFinalBackup",
  ],
  parameterValues: {
    storageType: ["SSD", "HDD", "INTELLIGENT_TIERING"],
    dataReadCacheSizingMode: cacheSizings,
  },
  source: {
    repository: "kubernetes-sigs/aws-fsx-csi-driver",
    commit: "046f368",
    files: ["pkg/driver/controller.go", "pkg/util/", "deploy/"],
  },
};

const fileSystem = { key: "ResourceType", values: ["filesystem"] };
const volume = { key: "ResourceType", values: ["volume"] };
const tiered = { key: "StorageType", values: ['"INTELLIGENT_TIERING"'] };

/**
 * Parameters that the driver sets from the claim itself. Upstream: pkg/driver/controller.go containsDriverProvidedParameters.
 */
const ofDriver: readonly CreationRefusal[] = [
  "ClientRequestToken",
  "FileSystemType",
  "Name",
  "OpenZFSConfiguration",
  "StorageCapacity",
  "VolumeId",
  "VolumeType",
].map((key) => ({
  gives: [key],
  text: `Contains parameter that is defined by driver: ${key}`,
}));

/** If the claim does not decide the size, the driver insists on one gibibyte. */
function ofOneGibibyte(
  where: CreationRefusal["where"] & object,
  what: string,
): readonly CreationRefusal[] {
  const text = `${what} expects storage capacity to be 1Gi`;
  return [
    { where, sizeBelow: "1Gi", text },
    { where, sizeAbove: "1Gi", text },
  ];
}

const unmounted: readonly MountRefusal[] = [
  { modes: manyReaders, text: "NodePublishVolume: Volume capability not supported" },
  { lacks: "DNSName", text: "NodePublishVolume: dnsName is not provided" },
  {
    valueOtherThan: { key: "ResourceType", values: ["filesystem", "volume"] },
    text: 'NodePublishVolume: resourceType "<VALUE>" is invalid',
  },
  {
    where: [volume],
    lacks: "VolumePath",
    text: "NodePublishVolume: volumePath must be provided when mounting an OpenZFS volume",
  },
];

const openZfs: CatalogueEntry = {
  name: "fsx.openzfs.csi.aws.com",
  title: "Amazon FSx for OpenZFS",
  traits: {
    ...fileShare,
    hasExactKeys: true,
    accessModes: [...readWriteOnce, "ReadWriteMany"],
    capabilityRefusal: "Volume capabilities not supported",
    creationRefusals: [
      { lacks: "ResourceType", text: "ResourceType is not provided" },
      {
        valueOtherThan: { key: "ResourceType", values: ["filesystem", "volume"] },
        text: "ResourceType is not supported: <VALUE>",
      },
      ...ofDriver,
      {
        where: [fileSystem],
        lacks: "SkipFinalBackupOnDeletion",
        text: "Delete Parameters is incorrectly formatted: SkipFinalBackup is incorrectly formatted: field is required",
      },
      {
        where: [fileSystem],
        source: "snapshot",
        code: "Unimplemented",
        text: "Cannot create new file system from a snapshot. To create a new volume from a snapshot, set ResourceType to volume.",
      },
      ...ofOneGibibyte([fileSystem, tiered], "storageType INTELLIGENT_TIERING"),
      ...ofOneGibibyte([volume], "resourceType Volume"),
    ],
    // pkg/driver/node.go NodePublishVolume of 0f0451b
    stageUnstage: false,
    mountRefusals: unmounted,
    volumeHandle: "fsvol-<NAME>",
    newAttributes: {
      DNSName: "fs-0123456789abcdef0.fsx.us-east-1.amazonaws.com",
      ResourceType: "<@ResourceType>",
      VolumePath: "/fsx/<ID>",
    },
    snapshots: true,
    snapshotRefusals: ofDriver,
    expansion: {
      controller: true,
      node: false,
      online: true,
      refusals: [
        {
          where: [fileSystem, tiered],
          code: "Unimplemented",
          text: "Storage of StorageType INTELLIGENT_TIERING Filesystem can not be scaled",
        },
        {
          where: [volume],
          code: "Unimplemented",
          text: "Storage of ResourceType Volume can not be scaled",
        },
      ],
    },
  },
  requiredParameters: ["ResourceType"],
  parameterValues: { ResourceType: ["volume", "filesystem"] },
  closedParameters: ["ResourceType"],
  // CreateVolume does not check volume modes.
  unknown: ["volumeModes"],
  source: {
    repository: "kubernetes-sigs/aws-fsx-openzfs-csi-driver",
    commit: "079da6d",
    files: [
      "pkg/driver/controller.go",
      "pkg/util/util.go",
      "deploy/kubernetes/base/csidriver.yaml",
    ],
  },
};

export const fsxDrivers: readonly CatalogueEntry[] = [lustre, openZfs];
