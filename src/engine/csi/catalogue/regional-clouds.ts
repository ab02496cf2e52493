/** Clouds with few regions: UpCloud, Exoscale, Civo. */
import { allAccessModes } from "../../api/access-modes.ts";
import { type CatalogueEntry, fileSystemOnly, readWriteOnce } from "./entry.ts";

const tiers: readonly string[] = ["maxiops", "standard", "hdd"];
const badSize = "CreateVolume failed to extract storage size: ";

const upCloud: CatalogueEntry = {
  name: "storage.csi.upcloud.com",
  title: "UpCloud block storage",
  traits: {
    fsGroupPolicy: "File",
    podInfoOnMount: true,
    hasExactKeys: true,
    topologyKey: "region",
    accessModes: readWriteOnce,
    capabilityRefusal:
      "CreateVolume failed with the following violations: unsupported access mode <MODE>",
    creationRefusals: [
      // The driver prints the tier that it has looked up, which is empty.
      {
        valueOtherThan: { key: "tier", values: ["", ...tiers] },
        text: "storage tier '' not supported",
      },
      {
        sizeBelow: "1Gi",
        code: "OutOfRange",
        text: `${badSize}required (<SIZE>) can not be less than minimum supported volume size (1Gi)`,
      },
    ],
    expansion: {
      controller: true,
      node: false,
      online: false,
      inUseRefusal: "volume is currently published on a node",
    },
    snapshots: true,
    listSnapshots: true,
    clone: true,
    newAttributes: {},
    // internal/plugin/config/config.go and internal/controller/controller_utils.go of 41455fa
    maxVolumesPerNode: 14,
    roundDownTo: "1Gi",
    maxSize: "4Ti",
    maxSizeRefusal: `${badSize}required (<SIZE>) can not exceed maximum supported volume size (4Ti)`,
    singleNodeMultiWriter: false,
    sidecars: {
      isProvisionerBeforeV6: true,
      provisionTimeoutMs: 600_000,
      extraCreateMetadata: false,
    },
  },
  parameters: ["tier", "encryption"],
  parameterValues: { tier: tiers, encryption: ["data-at-rest"] },
  closedParameters: ["tier"],
  // The manifests that were read are older than the driver.
  unknown: ["sidecars"],
  source: {
    repository: "UpCloudLtd/upcloud-csi",
    commit: "ba3296c",
    files: [
      "internal/driver/block/controller/controller.go",
      "internal/driver/block/node/node.go",
      "deploy/kubernetes/setup-upcloud-csi.yaml",
    ],
  },
};

const noWholeSize = {
  notMultipleOf: "1Gi",
  code: "Unknown",
  text: "requested size in bytes cannot be exactly converted to GiB: <BYTES>",
} as const;

const exoscale: CatalogueEntry = {
  name: "csi.exoscale.com",
  title: "Exoscale block storage",
  traits: {
    podInfoOnMount: true,
    topologyKey: "topology.csi.exoscale.com/zone",
    // CreateVolume and ControllerPublishVolume do not check them.
    accessModes: allAccessModes,
    creationRefusals: [noWholeSize],
    volumeHandle: "zone/<NAME>",
    attachRefusals: [
      { handleUnlike: "^[^/]*/[^/]*$", code: "Unknown", text: "malformed exoscale id" },
    ],
    stageRefusals: [
      {
        modes: ["MULTI_NODE_MULTI_WRITER", "MULTI_NODE_READER_ONLY", "SINGLE_NODE_SINGLE_WRITER"],
        text: "volume <HANDLE> capability not supported",
      },
    ],
    newAttributes: {},
    expansion: {
      controller: true,
      node: true,
      online: true,
      nodeForBlock: false,
      refusals: [noWholeSize],
    },
    snapshots: true,
    listSnapshots: true,
    sidecars: { isProvisionerBeforeV6: true, defaultFsType: "ext4", extraCreateMetadata: false },
  },
  parameters: [],
  // The account's quota decides how many volumes a machine takes.
  unknown: ["maxVolumesPerNode", "minSize", "maxSize", "sidecars"],
  source: {
    repository: "exoscale/exoscale-csi-driver",
    commit: "0e43d22",
    files: [
      "driver/controller.go",
      "driver/node.go",
      "driver/helpers.go",
      "deployment/0.29.6/csi-driver.yaml",
    ],
  },
};

const civo: CatalogueEntry = {
  name: "csi.civo.com",
  title: "Civo",
  traits: {
    podInfoOnMount: true,
    accessModes: readWriteOnce,
    volumeModes: fileSystemOnly,
    capabilityRefusal: "CreateVolume access mode isn't supported",
    volumeModeRefusal: "CreateVolume block types aren't supported, only mount types",
    expansion: {
      controller: true,
      node: true,
      online: false,
      inUseRefusal: "volume is not in an availble state for OFFLINE expansion",
    },
    newAttributes: {},
    roundUpTo: "1Gi",
    defaultSize: "10Gi",
    singleNodeMultiWriter: false,
    sidecars: {
      isProvisionerBeforeV6: true,
      provisionTimeoutMs: 30_000,
      defaultFsType: "ext4",
      extraCreateMetadata: false,
    },
  },
  parameters: [],
  unknown: ["topologyKey", "maxVolumesPerNode", "minSize", "maxSize", "sidecars"],
  source: {
    repository: "civo/civo-csi",
    commit: "031da40",
    files: ["pkg/driver/controller_server.go", "deploy/install.yaml"],
  },
};

export const regionalClouds: readonly CatalogueEntry[] = [upCloud, exoscale, civo];
