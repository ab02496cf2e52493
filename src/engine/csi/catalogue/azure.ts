/** Azure: Disk, Files, Blob. */
import { allAccessModes } from "../../api/access-modes.ts";
import type { CreationRefusal } from "../creation-refusal.ts";
import type { SizesWhere } from "../driver-profile.ts";
import type { MountRefusal } from "../mount-refusal.ts";
import type { SecretNeed } from "../secret-need.ts";
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

const perfProfiles: readonly string[] = ["none", "basic", "advanced"];
const networkPolicies: readonly string[] = ["AllowAll", "AllowPrivate", "DenyAll"];

const mountPermissions: CreationRefusal = {
  unreadable: { key: "mountPermissions", as: "octal number" },
  text: "invalid mountPermissions <VALUE> in storage class",
};
/** Both give the account that they name, or look for one with their tags. */
const taggedAccount: CreationRefusal = {
  where: [{ key: "matchTags", values: ["true"] }],
  valueOtherThan: { key: "storageAccount", values: [""] },
  text: "matchTags must set as false when storageAccount(<VALUE>) is provided",
};
const groupChanges: CreationRefusal = {
  valueOtherThan: {
    key: "fsGroupChangePolicy",
    values: ["", "None", "Always", "OnRootMismatch"],
  },
  text: "fsGroupChangePolicy(<VALUE>) is not supported, supported fsGroupChangePolicy list: [None Always OnRootMismatch]",
};
/** Of shares; NFS needs no key. */
const keptKey: CreationRefusal = {
  where: [
    { key: "allowSharedKeyAccess", values: ["false", "f", "0"] },
    { key: "protocol", values: ["", "smb", "fuse", "fuse2"] },
  ],
  valueOtherThan: { key: "storeAccountKey", values: ["false"], foldsCase: true },
  text: "storeAccountKey is not supported for account with shared access key disabled",
};
function needOf(half: "name" | "key"): SecretNeed {
  const wanted = `azurestorageaccount${half}`;
  const mistaken = { [`storageaccount${half}`]: wanted };
  return { oneOf: [wanted, `account${half}`], foldsCase: true, mistaken };
}
/** Upstream: pkg/azurefile/nodeserver.go NodeStageVolume, as of 003de68; azurefile.go GetAccountInfo, getStorageAccount. */
function noAccount(half: "name" | "key"): MountRefusal {
  return {
    where: [
      { key: "protocol", values: ["", "smb"] },
      { key: "clientID", values: [""] },
      { key: "mountWithManagedIdentity", values: ["", "false"] },
    ],
    secretNeed: needOf(half),
    text: `GetAccountInfo(<HANDLE>) failed with error: could not find account${half} or azurestorageaccount${half} field in secrets`,
  };
}
/** Upstream: pkg/blob/controllerserver.go CreateBlobContainer, as of 013b56e; blob.go getStorageAccount. To mount it takes any secret. */
function noBlobAccount(half: "name" | "key"): CreationRefusal {
  const found = half === "name" ? "field" : "field in";
  return {
    source: "none",
    secretNeed: needOf(half),
    code: "Internal",
    text: `failed to create container(<NAME>) on account(…) type(…) rg(…) location(…) size(<GIB>), error: could not find account${half} or azurestorageaccount${half} ${found} secrets(…)`,
  };
}
const fileTruths: readonly string[] = [
  "selectRandomMatchingAccount",
  "enableLargeFileShares",
  "disableDeleteRetentionPolicy",
  "allowBlobPublicAccess",
  "allowSharedKeyAccess",
  "requireInfraEncryption",
  "enableMultichannel",
  "getLatestAccountKey",
  "enableKataCCMount",
];
const premiumShares: readonly string[] = [
  "Premium_LRS",
  "Premium_ZRS",
  "PremiumV2_LRS",
  "PremiumV2_ZRS",
];
const shareTiers: readonly string[] = ["Cool", "Hot", "Premium", "TransactionOptimized"];
const rootSquashes: readonly string[] = ["AllSquash", "NoRootSquash", "RootSquash"];
const multichannel = { key: "enableMultichannel", values: ["true", "t", "1"] };

/** The driver has disks cached for reading unless it is told otherwise, and Azure attaches those of this type uncached only. */
function uncached(key: string): readonly MountRefusal[] {
  const where = [{ key, values: ["UltraSSD_LRS"] }];
  const valueOtherThan = { key: "cachingMode", values: ["None"], foldsCase: true };
  const answer = (mode: string): string =>
    `Attach volume … to instance … failed with PUT … RESPONSE 400: 400 Bad Request ERROR CODE: InvalidParameter { "error": { "code": "InvalidParameter", "message": "Storage Account type UltraSSD_LRS is not supported with caching type ${mode}. Please use caching type None.", "target": "dataDisk.caching" } }`;
  const code = "Internal";
  return [
    { where, lacks: "cachingMode", valueOtherThan, code, text: answer("ReadOnly") },
    { where, valueOtherThan, code, text: answer("<VALUE>") },
  ];
}

const sharedModes: readonly string[] = ["MULTI_NODE_MULTI_WRITER", "MULTI_NODE_READER_ONLY"];
const notShared = "access mode: <MODE> is not supported for non-shared disk";
const manyOnFiles = "mountVolume is not supported for access mode: <MODE>";
/** Of controllerserver.go ControllerPublishVolume, as of azureutils IsValidVolumeCapabilities and GetDiskByURI. */
const badDisks: readonly MountRefusal[] = [
  { modes: sharedModes, volumeMode: "Filesystem", text: manyOnFiles },
  {
    modes: sharedModes,
    volumeMode: "Block",
    valueBelow: { key: "maxShares", least: 2 },
    text: notShared,
  },
  {
    handleUnlike: "^([^/]*/){8}[^/]*$",
    code: "NotFound",
    text: "Volume not found, failed with error: invalid URI: <HANDLE>",
  },
];

const badParameters = "Failed parsing disk parameters: ";
const noWholeNumber = 'failed with error: strconv.Atoi: parsing "<VALUE>": invalid syntax';
/** What a VolumeAttributesClass may change of a disk. */
const diskAttributes: readonly string[] = ["DiskIOPSReadWrite", "DiskMBpsReadWrite", "skuName"];
const noSpeed = ["DiskIOPSReadWrite", "DiskMBpsReadWrite"].map((key) => ({
  unreadable: { key, as: "whole number" as const },
  text: `${badParameters}parse ${key.toLowerCase()}:<VALUE> ${noWholeNumber}`,
}));
const encryptionTypes: readonly string[] = [
  "EncryptionAtRestWithCustomerKey",
  "EncryptionAtRestWithPlatformAndCustomerKeys",
  "EncryptionAtRestWithPlatformKey",
];

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
      capabilityRefusal: manyOnFiles,
      // The last by GetCachingMode, and what Azure answers to it.
      attachRefusals: [...badDisks, ...uncached("skuName"), ...uncached("storageAccountType")],
      earlyRefusals: [
        {
          keyOtherThan: diskParameters,
          keyPrefixes: devicePrefixes,
          text: `${badParameters}invalid parameter <KEY> in storage class`,
        },
        {
          where: [{ key: "skuName", values: ["PremiumV2_LRS"] }],
          valueOtherThan: { key: "cachingMode", values: ["", "None"], foldsCase: true },
          text: "Failed parsing disk parameters: cachingMode <VALUE> is not supported for PremiumV2_LRS",
        },
        ...noSpeed,
        ...["maxShares", "LogicalSectorSize", "attachDiskInitialDelay"].map(
          (key): CreationRefusal => ({
            unreadable: { key, as: "whole number" },
            text: `${badParameters}parse <VALUE> ${noWholeNumber}`,
          }),
        ),
        {
          unreadable: { key: "enablePerformancePlus", as: "truth value" },
          text: `${badParameters}invalid enableperformanceplus: <VALUE> in storage class`,
        },
        {
          valueBelow: { key: "maxShares", least: 1, isOptional: true },
          text: "Failed parsing disk parameters: parse <VALUE> returned with invalid value: <VALUE>",
        },
        {
          valueOtherThan: { key: "perfProfile", values: ["", ...perfProfiles], foldsCase: true },
          text: "Failed parsing disk parameters: perf profile <VALUE> is not supported, supported tuning modes are none and basic",
        },
      ],
      creationRefusals: [
        {
          modes: sharedModes,
          volumeMode: "Block",
          valueBelow: { key: "maxShares", least: 2 },
          text: notShared,
        },
        { valueOtherThan: { key: "skuName", values: ["", ...skus] }, text: badSku },
        { valueOtherThan: { key: "storageAccountType", values: ["", ...skus] }, text: badSku },
        {
          valueOtherThan: { key: "cachingMode", values: ["", "None", "ReadOnly", "ReadWrite"] },
          text: "azureDisk - <VALUE> is not supported cachingmode. Supported values are [None ReadOnly ReadWrite]",
        },
        {
          valueOtherThan: { key: "diskEncryptionType", values: ["", ...encryptionTypes] },
          text: "DiskEncryptionType(<VALUE>) is not supported",
        },
        {
          valueOtherThan: { key: "networkAccessPolicy", values: ["", ...networkPolicies] },
          text: `azureDisk - <VALUE> is not supported NetworkAccessPolicy. Supported values are [${networkPolicies.join(" ")}]`,
        },
        {
          valueOtherThan: { key: "publicNetworkAccess", values: ["", "Disabled", "Enabled"] },
          text: "azureDisk - <VALUE> is not supported PublicNetworkAccess. Supported values are [Disabled Enabled]",
        },
      ],
      spans: [
        { key: "skuName", values: zoneRedundant },
        { key: "storageAccountType", values: zoneRedundant },
      ],
      snapshots: true,
      listSnapshots: true,
      snapshotRefusals: [
        {
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
      ],
      clone: true,
      modify: true,
      modifyParameters: diskAttributes,
      // They are read as a class's parameters are: the others it takes as well.
      modifyIgnored: diskParameters,
      modifyPrefixes: devicePrefixes,
      foldsAttributes: true,
      modifyRefusal: `${badParameters}invalid parameter <KEY> in storage class`,
      attributeRefusals: [
        ...noSpeed,
        { valueOtherThan: { key: "skuName", values: ["", ...skus] }, text: badSku },
      ],
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
      perfProfile: perfProfiles,
      networkAccessPolicy: networkPolicies,
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
        ...fileTruths.map(
          (key): CreationRefusal => ({
            unreadable: { key, as: "truth value" },
            text: `invalid ${key.toLowerCase()}: <VALUE> in storage class`,
          }),
        ),
        mountPermissions,
        {
          valueBelow: { key: "accountQuota", least: 100, isOptional: true },
          text: "invalid accountQuota <VALUE> in storage class, minimum quota: 100",
        },
        taggedAccount,
        {
          valueOtherThan: { key: "protocol", values: ["", "smb", "nfs"] },
          text: "protocol(<VALUE>) is not supported, supported protocol list: [smb nfs]",
        },
        {
          valueOtherThan: { key: "shareAccessTier", values: ["", ...shareTiers] },
          text: `shareAccessTier(<VALUE>) is not supported, supported ShareAccessTier list: [${shareTiers.join(" ")}]`,
        },
        {
          valueOtherThan: { key: "rootSquashType", values: ["", ...rootSquashes] },
          text: `rootSquashType(<VALUE>) is not supported, supported RootSquashType list: [${rootSquashes.join(" ")}]`,
        },
        groupChanges,
        {
          where: [{ key: "protocol", values: ["nfs"] }],
          valueOtherThan: {
            key: "skuName",
            values: ["", ...premiumShares],
            foldsCase: true,
          },
          text: "nfs protocol only supports premium storage, current account type: <VALUE>",
        },
        {
          where: [multichannel],
          valueOtherThan: { key: "skuName", values: ["", ...premiumShares], foldsCase: true },
          text: "smb multichannel is only supported with premium account, current account type: <VALUE>",
        },
        {
          where: [multichannel],
          valueOtherThan: { key: "protocol", values: ["", "smb"] },
          text: "smb multichannel is only supported with smb protocol, current protocol: <VALUE>",
        },
        keptKey,
      ],
      stageRefusals: [noAccount("name"), noAccount("key")],
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
    // pkg/blob/blob.go appendDefaultMountOptions, nodeserver.go NodeStageVolume of 02f1b3f: fsGroup becomes `-o gid` alone.
    fuse: { letsOthersIn: "-o allow_other" },
    traits: {
      ...fileShare,
      podInfoOnMount: true,
      lifecycleModes: ["Persistent", "Ephemeral"],
      requiresRepublish: true,
      tokenAudiences: ["api://AzureADTokenExchange"],
      singleNodeMultiWriter: true,
      // Unless it is installed with --enable-volume-mount-group=false.
      volumeMountGroup: true,
      capabilityRefusal: noBlock,
      creationRefusals: [
        ...["getLatestAccountKey", "allowSharedKeyAccess"].map(
          (key): CreationRefusal => ({
            unreadable: { key, as: "truth value" },
            text: `invalid ${key.toLowerCase()}: <VALUE> in volume context`,
          }),
        ),
        mountPermissions,
        ...[
          { key: "protocol", values: ["nfs"] },
          { key: "isHnsEnabled", values: ["true"] },
        ].map((condition) => ({
          where: [condition, { key: "enableBlobVersioning", values: ["true"] }],
          gives: ["enableBlobVersioning", condition.key],
          text: "enableBlobVersioning is not supported for NFS protocol or HNS enabled account",
        })),
        groupChanges,
        taggedAccount,
        {
          valueOtherThan: { key: "protocol", values: ["", ...blobProtocols] },
          text: `protocol(<VALUE>) is not supported, supported protocol list: [${blobProtocols.join(" ")}]`,
        },
        {
          gives: ["containerNamePrefix"],
          valueOtherThan: { key: "containerName", values: [""] },
          text: "containerName(<VALUE>) and containerNamePrefix(<@containerNamePrefix>) could not be specified together",
        },
        keptKey,
        noBlobAccount("name"),
        noBlobAccount("key"),
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
