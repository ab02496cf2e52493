/** OpenStack, vSphere and Proxmox. */
import { allAccessModes } from "../../api/access-modes.ts";
import type { CreationRefusal } from "../creation-refusal.ts";
import type { SecretRefusal } from "../secret-refusal.ts";
import { singleNodeModes } from "../volume-capability.ts";
import { type CatalogueEntry, fileShare, readWriteOnce } from "./entry.ts";

const vSphereParameters: readonly string[] = ["storagepolicyname", "datastoreurl", "fstype"];

const manilaParameters: readonly string[] = [
  "type",
  "shareNetworkID",
  "availability",
  "autoTopology",
  "appendShareMetadata",
  "affinity",
  "antiAffinity",
  "groupID",
  "nfs-shareClient",
  "cephfs-mounter",
  "cephfs-clientID",
  "cephfs-kernelMountOptions",
  "cephfs-fuseMountOptions",
];
const cephMounters: readonly string[] = ["fuse", "kernel"];

/**
 * options/shareoptions.go: each of `^` and `$` applies to only one of the words. One pattern is printed with a flag in front.
 */
const manilaPatterns = [
  {
    key: "autoTopology",
    pattern: "^[tT][rR][uU][eE]|[fF][aA][lL][sS][eE]$",
    told: "(?i)^true|false$",
  },
  { key: "cephfs-mounter", pattern: "^kernel|fuse$", told: "^kernel|fuse$" },
].map(
  ({ key, pattern, told }): CreationRefusal => ({
    valueUnlike: { key, pattern },
    text: `invalid volume parameters: parameter '<KEY>' does not match pattern ${told}`,
  }),
);

const noSecrets = {
  lacksSecrets: true,
  text: "secrets cannot be nil or empty",
} as const satisfies SecretRefusal;
/** options/openstackoptions.go. It may name other missing options first, in random order. Newer versions also read files. */
const noAuthUrl: SecretRefusal = {
  secretNeed: { oneOf: ["os-authURL", "os-useClouds", "os-cloudsFile", "os-cloud"] },
  text: "invalid OpenStack secrets: missing required parameter 'os-authURL'",
};

/** One driver that its charts install once for each protocol. */
function manila(name: string, title: string): CatalogueEntry {
  return {
    name,
    title,
    traits: {
      ...fileShare,
      hasExactKeys: true,
      capabilityRefusal: "block volume not supported",
      creationRefusals: [
        noSecrets,
        {
          empty: manilaParameters,
          text: "invalid volume parameters: parameter '<KEY>' cannot be empty",
        },
        ...manilaPatterns,
        noAuthUrl,
      ],
      secretRefusals: {
        CreateSnapshot: [noSecrets, noAuthUrl],
        DeleteSnapshot: [noSecrets, noAuthUrl],
        DeleteVolume: [noSecrets, noAuthUrl],
      },
      stageRefusals: [
        { isBare: true, text: "volume context cannot be nil or empty" },
        { lacksSecrets: true, text: "stage secrets cannot be nil or empty" },
      ],
      newAttributes: { shareID: "<ID>", shareAccessID: "<ID>" },
      snapshots: true,
      roundUpTo: "1Gi",
    },
    parameters: manilaParameters,
    parameterValues: { "cephfs-mounter": cephMounters, autoTopology: ["true", "false"] },
    // Nodes report their zone only with --with-topology.
    unknown: ["topologyKey"],
    source: {
      repository: "kubernetes/cloud-provider-openstack",
      commit: "078ba6b",
      files: [
        "pkg/csi/manila/",
        "docs/manila-csi-plugin/",
        "manifests/manila-csi-plugin/csidriver.yaml",
      ],
    },
  };
}

/** common_controller_helper.go, for new and for attached volumes. Volumes that many nodes share are file shares. */
const vSphereRefusal = "volume capability not supported. Err: ";
const noSharedBlock = `${vSphereRefusal}block volume mode is not supported for ReadWriteMany or ReadOnlyMany volume creation`;
const manyNodes: readonly string[] = ["MULTI_NODE_MULTI_WRITER", "MULTI_NODE_READER_ONLY"];

const proxmoxNumbers: readonly string[] = ["diskIOPS", "diskMBps", "blockSize", "inodeSize"];

export const virtualisationDrivers: readonly CatalogueEntry[] = [
  manila("manila.csi.openstack.org", "OpenStack Manila"),
  manila("nfs.manila.csi.openstack.org", "OpenStack Manila (NFS)"),
  manila("cephfs.manila.csi.openstack.org", "OpenStack Manila (CephFS)"),
  {
    name: "csi.proxmox.sinextra.dev",
    title: "Proxmox",
    traits: {
      podInfoOnMount: true,
      storageCapacity: true,
      hasExactKeys: true,
      // For local disks; disks on shared storage are reachable in the whole region.
      topologyKey: "topology.kubernetes.io/zone",
      accessModes: allAccessModes,
      earlyRefusals: [
        ...proxmoxNumbers.map(
          (key): CreationRefusal => ({
            unreadable: { key, as: "whole number" },
            text: `parameters ${key} must be a number`,
          }),
        ),
        { lacks: "storage", text: "parameter storage must be provided" },
      ],
      snapshots: true,
      clone: true,
      modify: true,
      modifyParameters: "any",
      sidecars: {
        defaultFsType: "ext4",
        extraCreateMetadata: false,
        handlesInUseError: false,
      },
    },
    unknown: ["topologyKey", "maxVolumesPerNode", "roundUpTo"],
    parameters: [
      "storage",
      "storageFormat",
      "aio",
      "backup",
      "cache",
      "iothread",
      "ssd",
      ...proxmoxNumbers,
      "replicate",
      "replicateSchedule",
      "replicateZones",
    ],
    requiredParameters: ["storage"],
    parameterValues: {
      storageFormat: ["raw", "qcow2"],
      cache: ["directsync", "none", "writeback", "writethrough"],
    },
    source: {
      repository: "sergelogvinov/proxmox-csi-plugin",
      commit: "87e139f",
      files: ["pkg/csi/controller.go", "pkg/csi/parameters.go", "charts/proxmox-csi-plugin/"],
    },
  },
  {
    name: "cinder.csi.openstack.org",
    title: "OpenStack Cinder",
    keepsRootOwner: true,
    traits: {
      podInfoOnMount: true,
      hasExactKeys: true,
      lifecycleModes: ["Persistent", "Ephemeral"],
      topologyKey: "topology.cinder.csi.openstack.org/zone",
      accessModes: allAccessModes,
      snapshots: true,
      snapshotRefusals: [
        {
          valueOtherThan: { key: "type", values: ["", "snapshot", "backup"] },
          text: "Snapshot type must be 'backup', 'snapshot' or not defined",
        },
        {
          where: [{ key: "type", values: ["backup"] }],
          unreadable: { key: "backup-max-duration-seconds-per-gb", as: "whole number" },
          code: "Internal",
          text: "Failed to parse backup-max-duration-seconds-per-gb",
        },
      ],
      listSnapshots: true,
      clone: true,
      maxVolumesPerNode: 256,
      roundUpTo: "1Gi",
      answersGrowthAsAsked: "when-it-grows",
      newAttributes: { "mkfs-options": "<@mkfs-options?>" },
      singleNodeMultiWriter: false,
      sidecars: {
        provisionTimeoutMs: 180_000,
        defaultFsType: "ext4",
        handlesInUseError: false,
      },
    },
    parameters: ["type", "availability", "mkfs-options", "appendVolumeMetadata"],
    source: {
      repository: "kubernetes/cloud-provider-openstack",
      commit: "02c8d62",
      files: ["pkg/csi/cinder/", "docs/cinder-csi-plugin/", "manifests/cinder-csi-plugin"],
    },
  },
  {
    name: "csi.vsphere.vmware.com",
    title: "VMware vSphere",
    keepsRootOwner: true,
    traits: {
      accessModes: allAccessModes,
      blockAccessModes: readWriteOnce,
      capabilityRefusal: noSharedBlock,
      publishRefusal: noSharedBlock,
      creationRefusals: [
        // pkg/csi/service/common/common.go validateVolumeCapabilities
        {
          modes: manyNodes,
          fsTypes: ["ext2", "ext3", "xfs", "btrfs", "ntfs"],
          text: `${vSphereRefusal}fstype <FS> not supported for ReadWriteMany or ReadOnlyMany volume creation`,
        },
        {
          modes: singleNodeModes,
          fsTypes: ["nfs", "nfs4", "btrfs"],
          text: `${vSphereRefusal}fstype <FS> not supported for ReadWriteOnce volume creation`,
        },
        {
          // In-tree parameters are accepted in a class that was translated from the in-tree plugin.
          where: [{ key: "csimigration", values: ["", "false"] }],
          keyOtherThan: [...vSphereParameters, "csimigration"],
          text: "parsing storage class parameters failed with error: invalid parameters :map[<OTHERS>]",
        },
      ],
      expansion: {
        controller: true,
        node: true,
        online: true,
        nodeForBlock: false,
        refusals: [
          {
            modes: manyNodes,
            code: "Unimplemented",
            text: "volume expansion is only supported for block volume type",
          },
        ],
      },
      snapshots: true,
      equalSourceSize: {
        snapshot: {
          code: "InvalidArgument",
          text: "snapshot size mismatch, requested volume size: <SIZE> but source snapshot size: <SOURCE>",
        },
      },
      snapshotsKeepSize: {
        code: "FailedPrecondition",
        text: "volume: <ID> with existing snapshots <SNAPSHOTS> cannot be expanded. Please delete snapshots before expanding the volume",
      },
      maxVolumesPerNode: 59,
      roundUpTo: "1Mi",
      defaultSize: "10Gi",
      singleNodeMultiWriter: false,
      sidecars: {
        isProvisionerBeforeV6: true,
        provisionTimeoutMs: 300_000,
        defaultFsType: "ext4",
        extraCreateMetadata: false,
        handlesInUseError: false,
      },
    },
    parameters: vSphereParameters,
    source: {
      repository: "kubernetes-sigs/vsphere-csi-driver",
      commit: "bf80902",
      files: ["pkg/csi/service/", "manifests/vanilla/vsphere-csi-driver.yaml"],
    },
  },
];
