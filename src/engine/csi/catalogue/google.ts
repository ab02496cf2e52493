/** Google: Persistent Disk, Filestore, Cloud Storage FUSE. */
import type { AttributeRefusal, CreationRefusal } from "../creation-refusal.ts";
import type { MountRefusal } from "../mount-refusal.ts";
import type { VolumeCondition } from "../volume-condition.ts";
import { type CatalogueEntry, fileShare, noExpansion, readWriteOnce } from "./entry.ts";

const diskParameters: readonly string[] = [
  "type",
  "replication-type",
  "disk-encryption-kms-key",
  "labels",
  "resource-tags",
  "provisioned-iops-on-create",
  "provisioned-throughput-on-create",
  "availability-class",
  "enable-confidential-storage",
  "storage-pools",
  "data-cache-size",
  "data-cache-mode",
  "enable-multi-zone-provisioning",
  "use-allowed-disk-topology",
  "access-mode",
  "pd-type",
  "hyperdisk-type",
  "disk-type-preference",
];

/** Disk types in one zone, unless the class asks for two; one further type is always in two. */
const zonalTypes: readonly string[] = [
  "pd-standard",
  "pd-balanced",
  "pd-ssd",
  "pd-extreme",
  "hyperdisk-balanced",
  "hyperdisk-extreme",
  "hyperdisk-throughput",
  "hyperdisk-ml",
];

const twoZones = {
  count: 2,
  refusal:
    "CreateVolume failed to pick zones for disk: failed to pick zones from topology: need 2 zones from topology, only got <COUNT> unique zones",
};

/** Upstream: controller.go createSingleDeviceDisk, LoggedError, which keeps the code of the wrapped error. */
const notMade = "CreateVolume failed: rpc error: code = InvalidArgument desc = CreateVolume failed";

/**
 * Minimum sizes are checked by Compute Engine. This one was seen in events of public clusters; those of other types were not.
 */
const tooSmall: readonly CreationRefusal[] = [
  {
    where: [
      { key: "replication-type", values: ["regional-pd"] },
      { key: "type", values: ["", "pd-standard"] },
    ],
    sizeBelow: "200Gi",
    text: `${notMade} to create regional disk <NAME>: failed to insert regional disk: unknown Insert disk error: googleapi: Error 400: Invalid value for field 'resource.sizeGb': '<GIB>'. Disk size cannot be smaller than 200 GB., invalid`,
  },
  {
    where: [{ key: "type", values: ["hyperdisk-balanced"] }],
    sizeBelow: "4Gi",
    text: `${notMade} to create single zonal disk <NAME>: failed to insert zonal disk: unknown Insert disk error: googleapi: Error 400: Disk size cannot be smaller than 4 GB for disk type hyperdisk-balanced., badRequest`,
  },
];

const badIops = "parameters contain invalid iops parameter: <ERROR>";
/**
 * Disk types other than Hyperdisk have no attributes, and not every Hyperdisk type has both.
 * Upstream: controller.go createVolumeInternal, ControllerModifyVolume; by the types that the driver's manifests configure.
 */
const fixedAttributes: readonly AttributeRefusal[] = [
  {
    where: [{ key: "type", values: ["pd-standard", "pd-balanced", "pd-ssd", "pd-extreme"] }],
    text: "Disk type <@type> does not support dynamic provisioning",
    textOfChange: "Failed to modify volume: modifications not supported for disk type <@type>",
  },
  {
    isOfNew: true,
    lacks: "type",
    text: "Disk type pd-standard does not support dynamic provisioning",
  },
  {
    changes: ["iops"],
    unreadable: { key: "iops", as: "quantity" },
    text: `Invalid mutable parameters: ${badIops}`,
    textOfChange: `Invalid parameters: ${badIops}`,
  },
  {
    changes: ["iops"],
    where: [{ key: "type", values: ["hyperdisk-throughput", "hyperdisk-ml"] }],
    text: "Cannot specify IOPS for disk type <@type>",
  },
  {
    changes: ["throughput"],
    where: [{ key: "type", values: ["hyperdisk-extreme"] }],
    text: "Cannot specify throughput for disk type <@type>",
  },
];

function tier(...values: readonly string[]): Required<VolumeCondition>["where"] {
  return [{ key: "tier", values }];
}

/** Shares on a file system that several claims share. */
const multishare = [{ key: "multishare", values: ["true"] }];

const connectModes: readonly string[] = ["DIRECT_PEERING", "PRIVATE_SERVICE_ACCESS"];
/** For dedicated file systems; shares on a common one have more. */
const filestoreParameters: readonly string[] = [
  "tier",
  "network",
  "connect-mode",
  "reserved-ipv4-cidr",
  "reserved-ip-range",
  "instance-encryption-kms-key",
  "labels",
  "nfs-export-options-on-create",
  "file-protocol",
];
const onlyMounts = "driver only supports mount access type volume capability";

/** Attributes of buckets that are parsed as booleans, whole numbers and quantities. */
const bucketAttributes: Readonly<
  Record<"truth value" | "whole number" | "quantity", readonly string[]>
> = {
  quantity: ["fileCacheCapacity", "metadataStatCacheCapacity", "metadataTypeCacheCapacity"],
  "truth value": ["fileCacheForRangeRead", "skipCSIBucketAccessCheck", "enableMetrics"],
  "whole number": ["metadataCacheTTLSeconds", "metadataCacheTtlSeconds"],
};

function unreadableAttribute(key: string, as: keyof typeof bucketAttributes): MountRefusal {
  const start = `volume attribute ${key} only accepts a valid`;
  const texts = {
    quantity: `${start} Quantity value, got "<VALUE>", error: <ERROR>`,
    "truth value": `${start} bool value, got "<VALUE>"`,
    "whole number": `${start} int value, got "<VALUE>"`,
  };
  return { unreadable: { key, as }, text: texts[as] };
}

const manyWritersOfFiles =
  "VolumeCapabilities is invalid: specified multi writer with mount access type";

export const googleDrivers: readonly CatalogueEntry[] = [
  {
    name: "pd.csi.storage.gke.io",
    title: "Google Compute Engine Persistent Disk",
    keepsRootOwner: true,
    traits: {
      topologyKey: "topology.gke.io/zone",
      accessModes: [...readWriteOnce, "ReadOnlyMany"],
      blockAccessModes: [...readWriteOnce, "ReadOnlyMany", "ReadWriteMany"],
      capabilityRefusal: manyWritersOfFiles,
      // controller.go validateControllerPublishVolumeRequest
      publishRefusal: manyWritersOfFiles,
      attachRefusals: [
        {
          handleUnlike: "^([^/]*/){5}[^/]*$",
          text: "ControllerPublishVolume volume ID is invalid: failed to get id components. Expected projects/{project}/zones/{zone}/disks/{name}. Got: <HANDLE>",
        },
      ],
      volumeHandle: "projects/project/zones/zone/disks/<NAME>",
      earlyRefusals: [
        {
          keyOtherThan: [
            ...diskParameters,
            "csiProvisionerSecretName",
            "csiProvisionerSecretNamespace",
          ],
          text: 'failed to extract parameters: parameters contains invalid option "<KEY>"',
        },
        ...["IOPS", "Throughput"].map(
          (name): CreationRefusal => ({
            unreadable: { key: `provisioned-${name.toLowerCase()}-on-create`, as: "quantity" },
            text: `failed to extract parameters: parameters contain invalid provisioned${name}OnCreate parameter: <ERROR>`,
          }),
        ),
      ],
      creationRefusals: [
        {
          modes: ["MULTI_NODE_READER_ONLY"],
          source: "none",
          valueOtherThan: { key: "type", values: ["hyperdisk-ml"] },
          text: "VolumeContentSource must be provided when AccessMode is set to read only",
        },
        ...["hyperdisk-throughput", "hyperdisk-extreme"].map((type) => ({
          modes: ["MULTI_NODE_MULTI_WRITER", "MULTI_NODE_READER_ONLY"],
          where: [{ key: "type", values: [type] }],
          text: `Invalid access mode for disk type ${type}`,
        })),
        {
          modes: ["MULTI_NODE_READER_ONLY"],
          where: [{ key: "type", values: ["hyperdisk-balanced-high-availability"] }],
          text: "Invalid access mode for disk type hyperdisk-balanced-high-availability",
        },
        {
          where: [
            { key: "availability-class", values: ["regional-hard-failover"] },
            { key: "type", values: ["", ...zonalTypes] },
          ],
          valueOtherThan: { key: "replication-type", values: ["regional-pd"], foldsCase: true },
          text: "invalid availability class for zonal disk",
        },
        {
          valueOtherThan: {
            key: "replication-type",
            values: ["", "none", "regional-pd"],
            foldsCase: true,
          },
          text: "CreateVolume replication type '<VALUE>' is not supported",
        },
      ],
      cloudRefusals: tooSmall,
      spans: [
        { key: "replication-type", values: ["regional-pd"], ...twoZones },
        { key: "type", values: ["hyperdisk-balanced-high-availability"], ...twoZones },
      ],
      snapshots: true,
      // pkg/parameters/parameters.go ExtractAndDefaultSnapshotParameters
      snapshotRefusals: [
        {
          keyOtherThan: [
            "storage-locations",
            "snapshot-type",
            "image-family",
            "labels",
            "resource-tags",
          ],
          text: 'Invalid snapshot parameters: parameters contains invalid option "<KEY>"',
        },
        {
          valueOtherThan: { key: "snapshot-type", values: ["", "snapshots", "images"] },
          text: "Invalid snapshot parameters: invalid snapshot type <VALUE>",
        },
      ],
      listSnapshots: true,
      clone: true,
      modify: true,
      modifyParameters: ["iops", "throughput"],
      foldsAttributes: true,
      modifyRefusal: "Invalid parameters: parameters contain unknown parameter: <KEY>",
      modifyRefusalOfNew: "Invalid mutable parameters: parameters contain unknown parameter: <KEY>",
      attributeRefusals: fixedAttributes,
      maxVolumesPerNode: 127,
      roundUpTo: "1Gi",
      singleNodeMultiWriter: false,
      publishReadonly: true,
      sidecars: {
        provisionTimeoutMs: 250_000,
        defaultFsType: "ext4",
        marksReadonly: true,
        handlesInUseError: false,
      },
    },
    parameters: diskParameters,
    parameterValues: {
      type: zonalTypes,
      "replication-type": ["none", "regional-pd"],
    },
    source: {
      repository: "kubernetes-sigs/gcp-compute-persistent-disk-csi-driver",
      commit: "b560165",
      files: ["pkg/gce-pd-csi-driver/", "pkg/parameters", "deploy/kubernetes/base"],
    },
  },
  {
    name: "filestore.csi.storage.gke.io",
    title: "Google Filestore",
    traits: {
      ...fileShare,
      podInfoOnMount: true,
      topologyKey: "topology.gke.io/zone",
      // The provisioner requests a zone, but the volume is in the network.
      reachesAllSegments: true,
      capabilityRefusal: onlyMounts,
      creationRefusals: [
        {
          where: [{ key: "multishare", values: ["", "false"] }],
          keyOtherThan: [
            ...filestoreParameters,
            "csiProvisionerSecretName",
            "csiProvisionerSecretNamespace",
          ],
          text: 'invalid parameter "<KEY>"',
        },
        {
          valueOtherThan: { key: "connect-mode", values: ["", ...connectModes] },
          text: 'connect mode can only be one of "DIRECT_PEERING" or "PRIVATE_SERVICE_ACCESS"',
        },
        // pkg/csi_driver/multishare_controller.go getShareRequestCapacity
        {
          where: multishare,
          sizeBelow: "10Gi",
          text: "Request bytes <BYTES> is less than minimum share size bytes 10737418240",
        },
        {
          where: multishare,
          sizeAbove: "1Ti",
          text: "Request bytes <BYTES> is greater than maximum share size bytes 1099511627776",
        },
      ],
      stageRefusals: ["ip", "volume"].map((key) => ({
        lacks: key,
        text: `volume attribute key ${key} not set`,
      })),
      newAttributes: { ip: "10.0.0.2", volume: "vol1" },
      snapshots: true,
      // pkg/util/util.go IsSnapshotTypeSupported: a class without parameters means backups.
      snapshotRefusals: [
        { keyOtherThan: [], lacks: "type", text: "Volume snapshot type is missing" },
        {
          valueOtherThan: { key: "type", values: ["", "backup"] },
          text: 'Volume snapshot type "<VALUE>" not supported',
        },
      ],
      modify: true,
      roundUpTo: "1Gi",
      minSize: "100Gi",
      sizesWhere: [
        { where: multishare, minSize: "1" },
        { where: tier("premium", "basic_ssd"), minSize: "2560Gi" },
        { where: tier("enterprise"), minSize: "1024Gi", maxSize: "10240Gi" },
        { where: tier("zonal"), minSize: "1024Gi", maxSize: "102400Gi" },
        { where: tier("regional"), maxSize: "102400Gi" },
        { where: tier("high_scale_ssd"), minSize: "10240Gi", maxSize: "102400Gi" },
      ],
      maxSize: "65433Gi",
      defaultSize: "1024Gi",
      sidecars: { provisionTimeoutMs: 250_000, retryMaxMs: 60_000, extraCreateMetadata: false },
    },
    parameters: [
      ...filestoreParameters,
      "multishare",
      "instance-storageclass-label",
      "max-volume-size",
    ],
    parameterValues: {
      tier: [
        "standard",
        "basic_hdd",
        "premium",
        "basic_ssd",
        "zonal",
        "high_scale_ssd",
        "regional",
        "enterprise",
      ],
      network: ["default"],
      "connect-mode": connectModes,
      "file-protocol": ["NFS_V3", "NFS_V4_1"],
      multishare: ["true", "false"],
    },
    closedParameters: ["connect-mode"],
    // Refusals are from 01874bf; the sizes are newer.
    source: {
      repository: "kubernetes-sigs/gcp-filestore-csi-driver",
      commit: "2edb466",
      files: ["pkg/csi_driver/", "deploy/kubernetes/base"],
    },
  },
  {
    name: "gcsfuse.csi.storage.gke.io",
    title: "Google Cloud Storage FUSE",
    // pkg/sidecar_mounter/sidecar_mounter_config.go prepareMountArgs, pkg/csi_driver/utils.go parseRequestArguments of 000a69c
    fuse: { takesGroup: true, isOwnersToWrite: true },
    traits: {
      ...fileShare,
      // Buckets exist already: GKE runs the driver only on nodes.
      hasController: false,
      fsGroupPolicy: "None",
      podInfoOnMount: true,
      requiresRepublish: true,
      lifecycleModes: ["Persistent", "Ephemeral"],
      hasExactKeys: true,
      mountRefusals: [
        {
          of: "inline",
          lacks: "bucketName",
          text: 'NodePublishVolume VolumeContext "bucketName" must be provided for ephemeral storage',
        },
        ...(["quantity", "truth value", "whole number"] as const).flatMap((as) =>
          bucketAttributes[as].map((key) => unreadableAttribute(key, as)),
        ),
        { volumeMode: "Block", text: onlyMounts },
      ],
      stageUnstage: false,
      volumeMountGroup: true,
      volumeStats: false,
      expansion: noExpansion,
    },
    // The audience of its tokens contains the cluster's project.
    unknown: ["tokenAudiences"],
    source: {
      repository: "GoogleCloudPlatform/gcs-fuse-csi-driver",
      commit: "03c1030",
      files: [
        "pkg/csi_driver/gcs_fuse_driver.go",
        "pkg/csi_driver/utils.go",
        "deploy/base/setup/csi_driver.yaml",
      ],
    },
  },
];
