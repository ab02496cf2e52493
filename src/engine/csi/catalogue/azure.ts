/** Azure: Disk, Files, Blob. */
import { allModes, type CatalogueEntry, fileShare, readWriteOnce } from "./entry.ts";

export const azureDrivers: readonly CatalogueEntry[] = [
  {
    name: "disk.csi.azure.com",
    title: "Azure Disk",
    keepsRootOwner: true,
    traits: {
      fsGroupPolicy: "File",
      topologyKey: "topology.disk.csi.azure.com/zone",
      accessModes: readWriteOnce,
      blockAccessModes: allModes,
      capabilityRefusal: "mountVolume is not supported for access mode: <MODE>",
      snapshots: true,
      clone: true,
      modify: true,
      modifyParameters: ["DiskIOPSReadWrite", "DiskMBpsReadWrite", "skuName"],
      maxVolumesPerNode: 16,
      roundUpTo: "1Gi",
      sidecars: {
        provisionTimeoutMs: 30_000,
        strictTopology: true,
        retryMaxMs: 1_800_000,
        extraCreateMetadata: false,
      },
    },
    source: {
      repository: "kubernetes-sigs/azuredisk-csi-driver",
      commit: "d983d61",
      files: ["docs/driver-parameters.md", "pkg/azuredisk/", "pkg/azureutils/", "deploy/"],
    },
  },
  {
    name: "file.csi.azure.com",
    title: "Azure Files",
    traits: {
      ...fileShare,
      podInfoOnMount: true,
      lifecycleModes: ["Persistent", "Ephemeral"],
      singleNodeMultiWriter: true,
      snapshots: true,
      clone: true,
      roundUpTo: "1Gi",
      defaultSize: "100Gi",
      sidecars: { provisionTimeoutMs: 1_200_000, retryMaxMs: 1_800_000 },
    },
    unknown: ["modify"],
    source: {
      repository: "kubernetes-sigs/azurefile-csi-driver",
      commit: "7b5ae18",
      files: ["docs/driver-parameters.md", "pkg/azurefile/", "deploy/"],
    },
  },
  {
    name: "blob.csi.azure.com",
    title: "Azure Blob Storage",
    traits: {
      ...fileShare,
      podInfoOnMount: true,
      lifecycleModes: ["Persistent", "Ephemeral"],
      singleNodeMultiWriter: true,
      clone: true,
      roundUpTo: "1Gi",
      sidecars: { provisionTimeoutMs: 1_200_000, retryMaxMs: 1_800_000 },
    },
    source: {
      repository: "kubernetes-sigs/blob-csi-driver",
      commit: "0744a60",
      files: ["docs/driver-parameters.md", "pkg/blob/", "deploy/"],
    },
  },
];
