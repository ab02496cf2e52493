/** Smaller clouds: Linode, DigitalOcean, Hetzner, Scaleway, Vultr, IBM; Oracle's are in oracle.ts. */
import type { CreationRefusal } from "../creation-refusal.ts";
import type { MountRefusal } from "../mount-refusal.ts";
import { type CatalogueEntry, readWriteOnce, truths, untruths, withoutKey } from "./entry.ts";
import { oracleDrivers } from "./oracle.ts";

const scalewayParameters: readonly string[] = ["type", "encrypted", "iops", "kmsKeyId"];

/** Encryption on the node; with a kmsKeyId the cloud encrypts instead. */
const scalewayLuks = {
  where: [
    { key: "encrypted", values: truths },
    { key: "kmsKeyId", values: [""] },
  ],
};
const uuid = String.raw`[\da-fA-F]{8}(-[\da-fA-F]{4}){3}-[\da-fA-F]{12}`;

/** Vultr's parameter from before it had shares; if it is set, the others are ignored. */
const noBlockType = { key: "block_type", values: [""] };
const vultrShare = { key: "storage_type", values: ["vfs"] };
const vultrRefusal =
  "CreateVolume: requested capability is not compatible: requested capability access mode is not supported";
const vultrHandler =
  "CreateVolume: cannot initialize vultr storage handler: unable to instantiate a new storage handler : ";

/** The minimum size of a disk type, for both names of the type. No minimum is documented for shares. */
function vultrLeast(disk: string, block: string, gigabytes: number): readonly CreationRefusal[] {
  const types = [
    [
      { key: "disk_type", values: [disk] },
      { key: "storage_type", values: ["block"] },
    ],
    [{ key: "block_type", values: [block] }],
  ];
  return types.map((where) => ({
    where,
    sizeBelow: `${gigabytes}Gi`,
    code: "Internal",
    text: `CreateVolume: could not create a new volume: storage handler unable to create block storage : {"error":"Unable to add block storage: Failed to add block storage device. Invalid size (<GIB>GB) - Must be between ${gigabytes}GB and …`,
  }));
}

const linodeLuks = ["luks-encrypted", "luks-cipher", "luks-key-size"].map(
  (key) => `linodebs.csi.linode.com/${key}`,
);
const [linodeEncrypted = "", linodeCipher = "", linodeKeySize = ""] = linodeLuks;

/**
 * The node checks all three before it says what is missing. Upstream: luks.go validate, nodeserver_helpers.go formatLUKSVolume.
 */
function linodeLacks(what: string, refusal: Omit<MountRefusal, "text">): MountRefusal {
  const where = [{ key: linodeEncrypted, values: ["true"] }, ...(refusal.where ?? [])];
  return {
    ...refusal,
    where,
    volumeMode: "Filesystem",
    code: "Internal",
    text: `Failed to luks format validation ("/dev/disk/by-id/…"): no encryption ${what} provided`,
  };
}

/** Contains the capability as Go's protobuf library prints it, of which only the access mode is always the same. */
const linodeRefusal = "invalid volume capability: [… access_mode:{mode:<MODE>}]";

export const smallerClouds: readonly CatalogueEntry[] = [
  {
    name: "linodebs.csi.linode.com",
    title: "Linode Block Storage",
    traits: {
      podInfoOnMount: true,
      topologyKey: "topology.linode.com/region",
      accessModes: readWriteOnce,
      capabilityRefusal: linodeRefusal,
      publishRefusal: linodeRefusal,
      hasExactKeys: true,
      clone: true,
      // ControllerExpandVolume does not request node expansion.
      expansion: { controller: true, node: false, online: true },
      maxVolumesPerNode: 8,
      minSize: "10Gi",
      roundDownTo: "1Gi",
      answersGrowthAsAsked: "always",
      volumeHandle: "<NUMBER>-<NAME>",
      newAttributes: {
        "topology.linode.com/region": "<SEGMENT>",
        ...Object.fromEntries(linodeLuks.map((key) => [key, `<@${key}?>`])),
      },
      stageRefusals: [
        ...withoutKey("luksKey").map((lack) =>
          linodeLacks("key", { ...lack, gives: [linodeCipher, linodeKeySize] }),
        ),
        linodeLacks("cipher provided\nno encryption key size", {
          where: [linodeCipher, linodeKeySize].map((key) => ({ key, values: [""] })),
        }),
        linodeLacks("cipher", { lacks: linodeCipher }),
        linodeLacks("key size", { lacks: linodeKeySize }),
      ],
      sidecars: { volumeNameUuidLength: 16, extraCreateMetadata: false },
    },
    parameters: [
      ...["volumeTags", "encrypted"].map((key) => `linodebs.csi.linode.com/${key}`),
      ...linodeLuks,
    ],
    parameterValues: {
      "linodebs.csi.linode.com/encrypted": ["true", "false"],
      "linodebs.csi.linode.com/luks-encrypted": ["true", "false"],
    },
    source: {
      repository: "linode/linode-blockstorage-csi-driver",
      commit: "01c3e57",
      files: ["internal/driver/", "deploy/kubernetes"],
    },
  },
  {
    name: "dobs.csi.digitalocean.com",
    title: "DigitalOcean Block Storage",
    keepsRootOwner: true,
    traits: {
      podInfoOnMount: true,
      topologyKey: "region",
      accessModes: readWriteOnce,
      capabilityRefusal: "volume capabilities cannot be satisified: unsupported access mode <MODE>",
      expansion: { controller: true, node: true, online: true, nodeForBlock: false },
      snapshots: true,
      maxVolumesPerNode: 7,
      minSize: "1Gi",
      roundDownTo: "1Gi",
      maxSize: "16Ti",
      maxSizeRefusal:
        "invalid capacity range: required (<SIZE>) can not exceed maximum supported volume size (16Ti)",
      defaultSize: "16Gi",
      singleNodeMultiWriter: false,
      sidecars: { defaultFsType: "ext4", extraCreateMetadata: false, handlesInUseError: false },
    },
    parameters: ["luks-encrypted", "luks-cipher", "luks-key-size"].map(
      (key) => `dobs.csi.digitalocean.com/${key}`,
    ),
    parameterValues: { "dobs.csi.digitalocean.com/luks-encrypted": ["true", "false"] },
    source: {
      repository: "digitalocean/csi-digitalocean",
      commit: "0711283",
      files: ["driver/", "deploy/kubernetes/releases/csi-digitalocean-dev"],
    },
  },
  {
    name: "csi.hetzner.cloud",
    title: "Hetzner Cloud",
    keepsRootOwner: true,
    traits: {
      fsGroupPolicy: "File",
      podInfoOnMount: true,
      seLinuxMount: true,
      topologyKey: "csi.hetzner.cloud/location",
      accessModes: readWriteOnce,
      capabilityRefusal: "capability at index 0 is not supported",
      volumeHandle: "<NUMBER>",
      newAttributes: { fsFormatOptions: "<@fsFormatOptions>" },
      attachRefusals: [
        { handleUnlike: String.raw`^[+-]?\d+$`, code: "NotFound", text: "volume not found" },
      ],
      publishRefusal: "capability is not supported",
      maxVolumesPerNode: 16,
      roundUpTo: "1Gi",
      minSize: "10Gi",
      sidecars: { strictTopology: true, defaultFsType: "ext4" },
    },
    parameters: ["labels", "fsFormatOptions"],
    source: {
      repository: "hetznercloud/csi-driver",
      commit: "53ead0b",
      files: ["internal/driver/", "chart/", "deploy/kubernetes"],
    },
  },
  {
    name: "csi.scaleway.com",
    title: "Scaleway Block Storage",
    traits: {
      podInfoOnMount: true,
      topologyKey: "topology.csi.scaleway.com/zone",
      accessModes: readWriteOnce,
      capabilityRefusal:
        'volumeCapabilities not supported: unsupported volume capability at index 0: mode "<MODE>" not supported',
      creationRefusals: [
        {
          keyOtherThan: scalewayParameters,
          text: "invalid parameters: invalid parameter key <KEY>:",
        },
        {
          valueOtherThan: { key: "type", values: ["", "b_ssd"] },
          text: "invalid parameters: invalid value (<VALUE>) for parameter <KEY>: unknown volume type:",
        },
        {
          unreadable: { key: "encrypted", as: "truth value" },
          text: 'invalid parameters: invalid bool value (<VALUE>) for parameter <KEY>: strconv.ParseBool: parsing "<VALUE>": invalid syntax:',
        },
        {
          valueUnlike: {
            key: "kmsKeyId",
            pattern: String.raw`^((urn:uuid:)?${uuid}|\{${uuid}\}|[\da-fA-F]{32})$`,
          },
          text: "invalid parameters: invalid UUID value (<VALUE>) for parameter <KEY>: …:",
        },
        {
          unreadable: { key: "iops", as: "whole number" },
          text: 'invalid parameters: invalid value (<VALUE>) for parameter <KEY>: strconv.ParseUint: parsing "<VALUE>": invalid syntax:',
        },
        {
          where: [{ key: "type", values: ["b_ssd"] }],
          valueOtherThan: { key: "iops", values: ["", "5000"] },
          text: "invalid parameters: volume type b_ssd only supports 5000 iops:",
        },
        {
          where: [{ key: "encrypted", values: untruths }],
          valueOtherThan: { key: "kmsKeyId", values: [""] },
          text: "invalid parameters: kmsKeyId (<VALUE>) provided for unencrypted volume (false):",
        },
        {
          sizeBelow: "1G",
          code: "OutOfRange",
          text: "capacityRange invalid: required size is less than the minimum size",
        },
      ],
      stageRefusals: withoutKey("encryptionPassphrase").map((lack) => ({
        ...scalewayLuks,
        ...lack,
        text: "missing passphrase secret for key encryptionPassphrase",
      })),
      expansion: {
        controller: true,
        node: true,
        online: true,
        nodeForBlock: false,
        nodeRefusals: withoutKey("encryptionPassphrase").map((lack) => ({
          ...scalewayLuks,
          ...lack,
          volumeMode: "Filesystem",
          text: "device /dev/mapper/scw-luks-… is LUKS encrypted, but no passphrase was provided",
        })),
      },
      snapshots: true,
      listSnapshots: true,
      // Sixteen with the system disk.
      maxVolumesPerNode: 15,
      sidecars: { isProvisionerBeforeV6: true, defaultFsType: "ext4", extraCreateMetadata: false },
    },
    unknown: ["maxSize"],
    parameters: scalewayParameters,
    parameterValues: { type: ["b_ssd"], encrypted: ["true", "false"] },
    closedParameters: ["type"],
    source: {
      repository: "scaleway/scaleway-csi",
      commit: "24deb8c",
      files: [
        "pkg/driver/",
        "pkg/scaleway/scaleway.go",
        "charts/scaleway-csi of scaleway/helm-charts",
      ],
    },
  },
  {
    name: "block.csi.vultr.com",
    title: "Vultr",
    traits: {
      podInfoOnMount: true,
      hasExactKeys: true,
      topologyKey: "region",
      // Disks support the first two, shares the last one.
      accessModes: [...readWriteOnce, "ReadWriteMany"],
      capabilityRefusal: vultrRefusal,
      earlyRefusals: [
        {
          where: [noBlockType],
          lacks: "disk_type",
          text: "CreateVolume: parameter `disk_type` is missing",
        },
        {
          where: [noBlockType],
          lacks: "storage_type",
          text: "CreateVolume: parameter `storage_type` is missing",
        },
        {
          where: [noBlockType],
          valueOtherThan: { key: "storage_type", values: ["block", "vfs"], foldsCase: true },
          code: "Internal",
          text: `${vultrHandler}invalid storage type : <VALUE> with disk …`,
        },
        {
          where: [noBlockType, { key: "storage_type", values: ["block"] }],
          valueOtherThan: { key: "disk_type", values: ["nvme", "hdd"], foldsCase: true },
          code: "Internal",
          text: `${vultrHandler}invalid block storage disk type: <VALUE>`,
        },
        {
          where: [noBlockType, vultrShare],
          valueOtherThan: { key: "disk_type", values: ["nvme"], foldsCase: true },
          code: "Internal",
          text: `${vultrHandler}invalid vfs storage disk type: <VALUE>`,
        },
      ],
      creationRefusals: [
        {
          modes: ["MULTI_NODE_MULTI_WRITER"],
          valueOtherThan: { ...vultrShare, foldsCase: true },
          text: vultrRefusal,
        },
        { modes: ["SINGLE_NODE_WRITER"], where: [noBlockType, vultrShare], text: vultrRefusal },
        {
          source: "snapshot",
          where: [noBlockType, vultrShare],
          text: "CreateVolume: snapshot volume content sources are only supported for block storage",
        },
      ],
      cloudRefusals: [
        ...vultrLeast("hdd", "storage_opt", 40),
        ...vultrLeast("nvme", "high_perf", 10),
      ],
      snapshots: true,
      maxVolumesPerNode: 11,
      minSize: "1Gi",
      roundDownTo: "1Gi",
      answersGrowthAsAsked: "always",
      maxSize: "100Ti",
      defaultSize: "10Gi",
      singleNodeMultiWriter: false,
      sidecars: {
        isProvisionerBeforeV6: true,
        volumeNameUuidLength: 16,
        defaultFsType: "ext4",
        extraCreateMetadata: false,
        provisionTimeoutMs: 90_000,
        handlesInUseError: false,
      },
    },
    parameters: ["disk_type", "storage_type", "block_type"],
    parameterValues: {
      disk_type: ["nvme", "hdd"],
      storage_type: ["block", "vfs"],
      block_type: ["high_perf", "storage_opt"],
    },
    closedParameters: ["disk_type", "storage_type"],
    source: {
      repository: "vultr/vultr-csi",
      commit: "9c06fd4",
      files: [
        "driver/controller.go",
        "internal/vultrstorage/vultrstorage.go",
        "docs/releases/v0.19.0.yml",
        "docs/kubernetes/README.md",
      ],
    },
  },
  ...oracleDrivers,
  {
    name: "vpc.block.csi.ibm.io",
    title: "IBM Cloud VPC block storage",
    traits: {
      podInfoOnMount: true,
      hasExactKeys: true,
      accessModes: readWriteOnce,
      snapshots: true,
      listSnapshots: true,
      roundUpTo: "1Gi",
      minSize: "10Gi",
      defaultSize: "10Gi",
      sizesWhere: [{ where: [{ key: "profile", values: ["sdp"] }], minSize: "1Gi" }],
      singleNodeMultiWriter: false,
      sidecars: {
        provisionTimeoutMs: 600_000,
        extraCreateMetadata: false,
        handlesInUseError: false,
      },
    },
    unknown: ["topologyKey", "maxVolumesPerNode", "modify"],
    parameterValues: {
      profile: ["custom", "general-purpose", "5iops-tier", "10iops-tier", "sdp"],
      encrypted: ["true", "false"],
    },
    source: {
      repository: "kubernetes-sigs/ibm-vpc-block-csi-driver",
      commit: "25e53dd",
      files: ["pkg/ibmcsidriver/", "deploy/kubernetes/"],
    },
  },
];
