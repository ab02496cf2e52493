/** Azure: Disk, Files, Blob. */
import { allAccessModes } from "../../api/access-modes.ts";
import type { SizesWhere } from "../driver-profile.ts";
import { type CatalogueEntry, fileShare, readWriteOnce } from "./entry.ts";

const diskParameters: readonly string[] = [
  "skuName",
  "storageAccountType",
  "kind",
  "fsType",
  "cachingMode",
  "location",
  "resourceGroup",
  "subscriptionID",
  "DiskIOPSReadWrite",
  "DiskMBpsReadWrite",
  "LogicalSectorSize",
  "diskName",
  "tags",
  "tagValueDelimiter",
  "diskEncryptionSetID",
  "diskEncryptionType",
  "writeAcceleratorEnabled",
  "maxShares",
  "perfProfile",
  "networkAccessPolicy",
  "publicNetworkAccess",
  "diskAccessID",
  "enableBursting",
  "enablePerformancePlus",
  "enableAsyncAttach",
  "attachDiskInitialDelay",
  "userAgent",
  "zoned",
];
const devicePrefixes: readonly string[] = ["device-setting"];
const skus: readonly string[] = [
  "Premium_LRS",
  "PremiumV2_LRS",
  "Premium_ZRS",
  "Standard_LRS",
  "StandardSSD_LRS",
  "StandardSSD_ZRS",
  "UltraSSD_LRS",
];
const accountParameters: readonly string[] = [
  "skuName",
  "storageAccountType",
  "location",
  "storageAccount",
  "subscriptionID",
  "resourceGroup",
  "protocol",
  "server",
  "tags",
  "tagValueDelimiter",
  "matchTags",
  "secretName",
  "secretNamespace",
  "storeAccountKey",
  "getLatestAccountKey",
  "allowBlobPublicAccess",
  "allowSharedKeyAccess",
  "requireInfraEncryption",
  "storageEndpointSuffix",
  "networkEndpointType",
  "vnetResourceGroup",
  "vnetName",
  "subnetName",
  "mountPermissions",
  "fsGroupChangePolicy",
  "useDataPlaneAPI",
  "accessTier",
  "mountWithManagedIdentity",
  "clientID",
  "tenantID",
];
const fileParameters: readonly string[] = [
  ...accountParameters,
  "shareName",
  "shareNamePrefix",
  "folderName",
  "diskName",
  "fsType",
  "shareAccessTier",
  "accountAccessTier",
  "rootSquashType",
  "selectRandomMatchingAccount",
  "createAccount",
  "useSecretCache",
  "enableLargeFileShares",
  "enableMultichannel",
  "enableKataCCMount",
  "disableDeleteRetentionPolicy",
  "accountQuota",
  "encryptInTransit",
  "provisionedIops",
  "provisionedBandwidth",
];
const blobParameters: readonly string[] = [
  ...accountParameters,
  "containerName",
  "containerNamePrefix",
  "isHnsEnabled",
  "softDeleteBlobs",
  "softDeleteContainers",
  "enableBlobVersioning",
  "AzureStorageAuthType",
  "AzureStorageIdentityClientID",
  "AzureStorageIdentityObjectID",
  "AzureStorageIdentityResourceID",
  "MSIEndpoint",
  "AzureStorageAADEndpoint",
];
const blobProtocols: readonly string[] = ["fuse", "fuse2", "nfs"];
const noBlock = "block volume capability not supported";

/** Shares in accounts of these kinds, by either name of the parameter, are as large as that at least. */
function accountTypes(kinds: readonly string[], minSize: string): readonly SizesWhere[] {
  const values = kinds.flatMap((kind) =>
    ["LRS", "ZRS", "GRS", "GZRS"].map((copies) => `${kind}_${copies}`),
  );
  return ["skuName", "storageAccountType"].map((key) => ({ where: [{ key, values }], minSize }));
}

const zoneRedundant: readonly string[] = ["Premium_ZRS", "StandardSSD_ZRS"];
const badSku = `azureDisk - <VALUE> is not supported sku/storageaccounttype. Supported values are [${skus.join(" ")}]`;

export const azureDrivers: readonly CatalogueEntry[] = [
  {
    name: "disk.csi.azure.com",
    title: "Azure Disk",
    keepsRootOwner: true,
    traits: {
      fsGroupPolicy: "File",
      topologyKey: "topology.disk.csi.azure.com/zone",
      extraTopologyKeys: ["topology.kubernetes.io/zone"],
      accessModes: readWriteOnce,
      blockAccessModes: allAccessModes,
      capabilityRefusal: "mountVolume is not supported for access mode: <MODE>",
      earlyRefusals: [
        {
          keyOtherThan: diskParameters,
          keyPrefixes: devicePrefixes,
          text: "Failed parsing disk parameters: invalid parameter <KEY> in storage class",
        },
        {
          where: [{ key: "skuName", values: ["PremiumV2_LRS"] }],
          valueOtherThan: { key: "cachingMode", values: ["", "None"], foldsCase: true },
          text: "Failed parsing disk parameters: cachingMode <VALUE> is not supported for PremiumV2_LRS",
        },
      ],
      creationRefusals: [
        {
          modes: ["MULTI_NODE_MULTI_WRITER", "MULTI_NODE_READER_ONLY"],
          volumeMode: "Block",
          valueBelow: { key: "maxShares", least: 2 },
          text: "access mode: <MODE> is not supported for non-shared disk",
        },
        { valueOtherThan: { key: "skuName", values: ["", ...skus] }, text: badSku },
        { valueOtherThan: { key: "storageAccountType", values: ["", ...skus] }, text: badSku },
        {
          valueOtherThan: { key: "cachingMode", values: ["", "None", "ReadOnly", "ReadWrite"] },
          text: "azureDisk - <VALUE> is not supported cachingmode. Supported values are [None ReadOnly ReadWrite]",
        },
      ],
      spans: [
        { key: "skuName", values: zoneRedundant },
        { key: "storageAccountType", values: zoneRedundant },
      ],
      snapshots: true,
      snapshotRefusal: {
        keyOtherThan: [
          "tags",
          "tagValueDelimiter",
          "incremental",
          "resourceGroup",
          "location",
          "userAgent",
          "subscriptionID",
          "dataAccessAuthMode",
          "instantAccessDurationMinutes",
        ],
        text: "AzureDisk - invalid option <KEY> in VolumeSnapshotClass",
        code: "Internal",
      },
      clone: true,
      modify: true,
      modifyParameters: ["DiskIOPSReadWrite", "DiskMBpsReadWrite", "skuName"],
      maxVolumesPerNode: 16,
      roundUpTo: "1Gi",
      minSize: "1Gi",
      sizesWhere: [
        { where: [{ key: "enablePerformancePlus", values: ["true"] }], minSize: "513Gi" },
      ],
      volumeHandle:
        "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/group/providers/Microsoft.Compute/disks/<NAME>",
      sidecars: {
        provisionTimeoutMs: 30_000,
        strictTopology: true,
        retryMaxMs: 1_800_000,
        extraCreateMetadata: false,
      },
    },
    parameters: diskParameters,
    parameterPrefixes: devicePrefixes,
    parameterValues: {
      skuName: skus,
      kind: ["managed"],
      cachingMode: ["None", "ReadOnly", "ReadWrite"],
      LogicalSectorSize: ["512", "4096"],
      perfProfile: ["none", "basic", "advanced"],
      writeAcceleratorEnabled: ["true", "false"],
      enableBursting: ["true", "false"],
      enablePerformancePlus: ["true", "false"],
    },
    closedParameters: ["skuName", "cachingMode"],
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
      requiresRepublish: true,
      tokenAudiences: ["api://AzureADTokenExchange"],
      singleNodeMultiWriter: true,
      volumeMountGroup: true,
      capabilityRefusal: noBlock,
      creationRefusals: [
        {
          valueOtherThan: { key: "protocol", values: ["", "smb", "nfs"] },
          text: "protocol(<VALUE>) is not supported, supported protocol list: [smb nfs]",
        },
        {
          where: [{ key: "protocol", values: ["nfs"] }],
          valueOtherThan: {
            key: "skuName",
            values: ["", "Premium_LRS", "Premium_ZRS", "PremiumV2_LRS", "PremiumV2_ZRS"],
            foldsCase: true,
          },
          text: "nfs protocol only supports premium storage, current account type: <VALUE>",
        },
      ],
      snapshots: true,
      clone: true,
      roundUpTo: "1Gi",
      minSize: "1Gi",
      sizesWhere: [
        ...accountTypes(["StandardV2", "PremiumV2"], "32Gi"),
        ...accountTypes(["Premium"], "100Gi"),
        { where: [{ key: "protocol", values: ["nfs"] }], minSize: "100Gi" },
      ],
      defaultSize: "100Gi",
      volumeHandle: "group#account#<NAME>###",
      sidecars: { provisionTimeoutMs: 1_200_000, retryMaxMs: 1_800_000 },
    },
    unknown: ["modify"],
    parameters: fileParameters,
    parameterValues: { protocol: ["smb", "nfs"], mountPermissions: ["0777"] },
    closedParameters: ["protocol"],
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
      requiresRepublish: true,
      tokenAudiences: ["api://AzureADTokenExchange"],
      singleNodeMultiWriter: true,
      capabilityRefusal: noBlock,
      creationRefusals: [
        {
          valueOtherThan: { key: "protocol", values: ["", ...blobProtocols] },
          text: `protocol(<VALUE>) is not supported, supported protocol list: [${blobProtocols.join(" ")}]`,
        },
      ],
      clone: true,
      roundUpTo: "1Gi",
      sidecars: { provisionTimeoutMs: 1_200_000, retryMaxMs: 1_800_000 },
    },
    parameters: blobParameters,
    parameterValues: { protocol: blobProtocols },
    closedParameters: ["protocol"],
    source: {
      repository: "kubernetes-sigs/blob-csi-driver",
      commit: "0744a60",
      files: ["docs/driver-parameters.md", "pkg/blob/", "deploy/"],
    },
  },
];
