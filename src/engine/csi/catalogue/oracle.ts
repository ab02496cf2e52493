/** Oracle's cloud: disks, file systems and Lustre. */
import type { CreationRefusal } from "../creation-refusal.ts";
import { type CatalogueEntry, fileShare, noExpansion, readWriteOnce } from "./entry.ts";

const oracle = { repository: "oracle/oci-cloud-controller-manager", commit: "0328d24" };
const oracleTags: readonly string[] = [
  "oci.oraclecloud.com/initial-freeform-tags-override",
  "oci.oraclecloud.com/initial-defined-tags-override",
];
const attachmentTypes: readonly string[] = ["iscsi", "paravirtualized"];
const backupTypes: readonly string[] = ["incremental", "full"];

/** A gRPC error that is wrapped in another. */
const wrapped = "rpc error: code = InvalidArgument desc = ";
const badClass = `failed to parse storageclass parameters ${wrapped}`;
const badPerformance = `${badClass}${wrapped}invalid performance option : <VALUE> provided  for storage class. Supported values for performance options are between 0 and 120`;

const performanceTiers: readonly string[] = [125, 250, 500, 1000].map(
  (speed) => `MBPS_PER_TB_${speed}`,
);

/** In the order of checks. Upstream: lustre_params.go extractLustreStorageClassParameters. */
const lustreRefusals: readonly CreationRefusal[] = [
  { lacks: "subnetId", text: "Missing required parameter: subnetId" },
  { lacks: "performanceTier", text: "Missing required parameter: performanceTier" },
  {
    valueOtherThan: { key: "performanceTier", values: performanceTiers, foldsCase: true },
    text: "Invalid performanceTier: <VALUE>. Supported values: …",
  },
  noLustreTruth("rootSquashEnabled"),
  ...["rootSquashUid", "rootSquashGid"].map((key) => ({
    valueUnlike: { key, pattern: String.raw`^\s*(\+?\d+|-0+)\s*$` },
    text: "Invalid <KEY>: <VALUE>",
  })),
  noLustreTruth("setupLnet"),
  {
    valueUnlike: { key: "fileSystemName", pattern: String.raw`^\s*.{1,8}\s*$` },
    text: "Invalid fileSystemName: length must be <= 8",
  },
  {
    valueUnlike: { key: "fileSystemName", pattern: String.raw`^\s*\w+\s*$` },
    text: "Invalid fileSystemName: allowed characters are [A-Za-z0-9_]",
  },
  { lacks: "availabilityDomain", text: "Missing required parameter: availabilityDomain" },
];

function noLustreTruth(key: string): CreationRefusal {
  return {
    valueOtherThan: { key, values: ["", "true", "false"], foldsCase: true },
    text: "Invalid <KEY>: <VALUE>. Allowed values: true or false",
  };
}

export const oracleDrivers: readonly CatalogueEntry[] = [
  {
    name: "blockvolume.csi.oraclecloud.com",
    title: "Oracle Cloud block volume",
    traits: {
      fsGroupPolicy: "File",
      hasExactKeys: true,
      topologyKey: "topology.kubernetes.io/zone",
      extraTopologyKeys: ["failure-domain.beta.kubernetes.io/zone"],
      accessModes: readWriteOnce,
      capabilityRefusal:
        "invalid volume capabilities requested. Only SINGLE_NODE_WRITER is supported ('accessModes.ReadWriteOnce' on Kubernetes)",
      creationRefusals: [
        {
          valueOtherThan: {
            key: "attachment-type",
            values: ["", ...attachmentTypes],
            foldsCase: true,
          },
          text: `${badClass}invalid attachment-type: <VALUE> provided for storageclass. supported attachment-types are ${attachmentTypes.join(" and ")}`,
        },
        // pkg/csi-util/utils.go ExtractBlockVolumePerformanceLevel
        {
          unreadable: { key: "vpusPerGB", as: "whole number" },
          text: `${badClass}${wrapped}unable to parse performance level value <VALUE> as int64`,
        },
        { valueUnlike: { key: "vpusPerGB", pattern: "^[^-]" }, text: badPerformance },
        { valueAbove: { key: "vpusPerGB", most: 120 }, text: badPerformance },
      ],
      snapshots: true,
      snapshotRefusals: [
        {
          valueOtherThan: { key: "backupType", values: ["", ...backupTypes], foldsCase: true },
          text: `failed to parse volumesnapshotclass parameters ${wrapped}invalid backupType: <VALUE> provided in volumesnapshotclass. supported backupType are ${backupTypes.join(" and ")}`,
        },
      ],
      clone: true,
      roundUpTo: "1Gi",
      minSize: "50Gi",
      defaultSize: "50Gi",
      maxSize: "32Ti",
      answersGrowthAsAsked: "when-it-grows",
      singleNodeMultiWriter: false,
      sidecars: {
        volumeNamePrefix: "csi",
        provisionTimeoutMs: 120_000,
        extraCreateMetadata: false,
      },
    },
    // Some versions refuse Block volumes, newer ones accept them.
    unknown: ["volumeModes", "blockAccessModes", "maxVolumesPerNode"],
    parameters: ["fstype", "kms-key-id", "attachment-type", "vpusPerGB", ...oracleTags],
    parameterValues: { "attachment-type": attachmentTypes },
    closedParameters: ["attachment-type"],
    source: {
      ...oracle,
      files: [
        "pkg/csi/driver/bv_controller.go",
        "pkg/csi/driver/bv_node.go",
        "pkg/csi-util/utils.go",
        "manifests/container-storage-interface/",
      ],
    },
  },
  {
    name: "fss.csi.oraclecloud.com",
    title: "Oracle Cloud file storage",
    traits: {
      ...fileShare,
      hasExactKeys: true,
      capabilityRefusal: "Requested Volume Capability not supported",
      creationRefusals: [
        {
          lacks: "availabilityDomain",
          text: "AvailabilityDomain not provided in storage class",
        },
        {
          where: [{ key: "mountTargetOcid", values: [""] }],
          lacks: "mountTargetSubnetOcid",
          text: "Neither Mount Target Ocid nor Mount Target Subnet Ocid provided in storage class",
        },
      ],
      answersSize: false,
      sidecars: {
        volumeNamePrefix: "csi-fss",
        provisionTimeoutMs: 120_000,
        extraCreateMetadata: false,
      },
    },
    unknown: ["expansion"],
    parameters: [
      "compartmentOcid",
      "availabilityDomain",
      "mountTargetOcid",
      "mountTargetSubnetOcid",
      "nsgOcids",
      "exportPath",
      "exportOptions",
      "encryptInTransit",
      "kmsKeyOcid",
      ...oracleTags,
    ],
    requiredParameters: ["availabilityDomain"],
    parameterValues: { encryptInTransit: ["true", "false"] },
    source: {
      ...oracle,
      commit: "07aedcd",
      files: ["pkg/csi/driver/fss_controller.go", "manifests/container-storage-interface/"],
    },
  },
  {
    name: "lustre.csi.oraclecloud.com",
    title: "Oracle Cloud file storage with Lustre",
    traits: {
      ...fileShare,
      hasExactKeys: true,
      capabilityRefusal: `Requested Volume Capability not supported: ${wrapped}Lustre contoller driver does not support volume mode block`,
      creationRefusals: lustreRefusals,
      newAttributes: Object.fromEntries(
        ["setupLnet", "lustreSubnetCidr", "lustrePostMountParameters"].map((key) => [
          key,
          `<@${key}?>`,
        ]),
      ),
      roundUpTo: "1G",
      defaultSize: "31200G",
      expansion: noExpansion,
    },
    // No manifest that was read has its CSIDriver and sidecars.
    unknown: ["podInfoOnMount", "fsGroupPolicy", "sidecars"],
    parameters: [
      "subnetId",
      "compartmentId",
      "availabilityDomain",
      "performanceTier",
      "fileSystemName",
      "nsgIds",
      "kmsKeyId",
      "rootSquashEnabled",
      "rootSquashUid",
      "rootSquashGid",
      "rootSquashClientExceptions",
      "setupLnet",
      "lustreSubnetCidr",
      "lustrePostMountParameters",
      ...oracleTags,
    ],
    requiredParameters: ["subnetId", "performanceTier", "availabilityDomain"],
    parameterValues: {
      performanceTier: performanceTiers,
      rootSquashEnabled: ["true", "false"],
      setupLnet: ["true", "false"],
    },
    closedParameters: ["performanceTier"],
    source: {
      ...oracle,
      commit: "4bab3b6",
      files: ["pkg/csi/driver/lustre_controller.go", "pkg/csi/driver/lustre_params.go"],
    },
  },
];
