/** The Azure services in storage accounts: Files and Blob. */
import type { CreationRefusal } from "../creation-refusal.ts";
import type { SizesWhere } from "../driver-profile.ts";
import type { MountRefusal } from "../mount-refusal.ts";
import type { SecretNeed } from "../secret-need.ts";
import { type CatalogueEntry, fileShare, truths, untruths } from "./entry.ts";

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
/** Parameters of other versions, missing in the documentation used here; not refused, because a version may know them. */
const furtherParameters: readonly string[] = [
  "createFolderIfNotExist",
  "mountWithWorkloadIdentityToken",
  "publicNetworkAccess",
  "vnetLinkName",
];
/** Upstream: pkg/azurefile/controllerserver.go and pkg/blob/controllerserver.go CreateVolume. */
function unknownParameter(known: readonly string[]): CreationRefusal {
  return {
    keyOtherThan: [...known, ...furtherParameters],
    text: 'invalid parameter "<KEY>" in storage class',
  };
}
const shareFileSystems: readonly string[] = ["cifs", "smb", "nfs", "ext4", "ext3", "ext2", "xfs"];
const blobProtocols: readonly string[] = ["fuse", "fuse2", "nfs", "aznfs"];

/** The minimum size of shares in accounts of these kinds, for both names of the parameter. */
function accountTypes(kinds: readonly string[], minSize: string): readonly SizesWhere[] {
  const values = kinds.flatMap((kind) =>
    ["LRS", "ZRS", "GRS", "GZRS"].map((copies) => `${kind}_${copies}`),
  );
  return ["skuName", "storageAccountType"].map((key) => ({ where: [{ key, values }], minSize }));
}

const octalPermissions = { key: "mountPermissions", as: "octal number" } as const;
const mountPermissions: CreationRefusal = {
  unreadable: octalPermissions,
  text: "invalid mountPermissions <VALUE> in storage class",
};
const mountedPermissions: MountRefusal = {
  unreadable: octalPermissions,
  text: "invalid mountPermissions <VALUE>",
};
/** Both drivers use the named account, or look for one with matching tags, but not both. */
const taggedAccount: CreationRefusal = {
  where: [{ key: "matchTags", values: ["true"] }],
  valueOtherThan: { key: "storageAccount", values: [""] },
  text: "matchTags must set as false when storageAccount(<VALUE>) is provided",
};
const groupChanges = {
  valueOtherThan: {
    key: "fsGroupChangePolicy",
    values: ["", "None", "Always", "OnRootMismatch"],
  },
  text: "fsGroupChangePolicy(<VALUE>) is not supported, supported fsGroupChangePolicy list: [None Always OnRootMismatch]",
} as const satisfies MountRefusal;
/** The account's key cannot be stored if the account does not allow keys; NFS needs none. */
const keptKey: CreationRefusal = {
  where: [
    { key: "allowSharedKeyAccess", values: untruths },
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
/**
 * Mounting accepts any secret. Upstream: pkg/blob/controllerserver.go CreateBlobContainer, as of 013b56e; blob.go
 * getStorageAccount.
 */
function noBlobAccount(half: "name" | "key"): CreationRefusal {
  const found = half === "name" ? "field" : "field in";
  return {
    source: "none",
    secretNeed: needOf(half),
    code: "Internal",
    text: `failed to create container(<NAME>) on account(…) type(…) rg(…) location(…) size(<GIB>), error: could not find account${half} or azurestorageaccount${half} ${found} secrets(…)`,
  };
}
/** The message always names softdeleteblobs, whichever is wrong. Upstream: pkg/blob/controllerserver.go parseDays. */
function days(key: string): readonly CreationRefusal[] {
  const text = "invalid softdeleteblobs:<VALUE> in storage class";
  return [
    { unreadable: { key, as: "whole number" }, text },
    {
      valueUnlike: { key, pattern: String.raw`^\+?0*([1-9]|[1-9]\d|[12]\d\d|3[0-5]\d|36[0-5])$` },
      text: `${text}, should be in range [1, 365]`,
    },
  ];
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
const multichannel = { key: "enableMultichannel", values: truths };

/** Traits that both drivers share. */
const ofAccounts: CatalogueEntry["traits"] = {
  ...fileShare,
  podInfoOnMount: true,
  lifecycleModes: ["Persistent", "Ephemeral"],
  requiresRepublish: true,
  tokenAudiences: ["api://AzureADTokenExchange"],
  singleNodeMultiWriter: true,
  // For Blob, unless it is installed with --enable-volume-mount-group=false.
  volumeMountGroup: true,
  capabilityRefusal: "block volume capability not supported",
  clone: true,
  roundUpTo: "1Gi",
  sidecars: { provisionTimeoutMs: 1_200_000, retryMaxMs: 1_800_000 },
};

export const azureAccountDrivers: readonly CatalogueEntry[] = [
  {
    name: "file.csi.azure.com",
    title: "Azure Files",
    traits: {
      ...ofAccounts,
      creationRefusals: [
        unknownParameter(fileParameters),
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
          valueOtherThan: { key: "fsType", values: ["", ...shareFileSystems] },
          text: `fsType(<VALUE>) is not supported, supported fsType list: [${shareFileSystems.join(" ")}]`,
        },
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
      snapshotRefusals: [
        { keyOtherThan: ["useDataPlaneAPI"], text: 'invalid parameter "<KEY>" in storage class' },
      ],
      minSize: "1Gi",
      sizesWhere: [
        ...accountTypes(["StandardV2", "PremiumV2"], "32Gi"),
        ...accountTypes(["Premium"], "100Gi"),
        { where: [{ key: "protocol", values: ["nfs"] }], minSize: "100Gi" },
      ],
      defaultSize: "100Gi",
      volumeHandle: "group#account#<NAME>###",
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
    // pkg/blob/blob.go appendDefaultMountOptions, nodeserver.go NodeStageVolume of 02f1b3f: fsGroup only becomes `-o gid`.
    fuse: { letsOthersIn: "-o allow_other" },
    traits: {
      ...ofAccounts,
      creationRefusals: [
        unknownParameter(blobParameters),
        ...["getLatestAccountKey", "allowSharedKeyAccess"].map(
          (key): CreationRefusal => ({
            unreadable: { key, as: "truth value" },
            text: `invalid ${key.toLowerCase()}: <VALUE> in volume context`,
          }),
        ),
        mountPermissions,
        ...["softDeleteBlobs", "softDeleteContainers"].flatMap(days),
        ...[
          { key: "protocol", values: ["nfs", "aznfs", "nfsv3"] },
          { key: "isHnsEnabled", values: ["true"] },
        ].map((condition) => ({
          where: [condition, { key: "enableBlobVersioning", values: ["true"] }],
          gives: ["enableBlobVersioning", condition.key],
          text: "enableBlobVersioning is not supported for NFS protocol or HNS enabled account",
        })),
        groupChanges,
        taggedAccount,
        {
          valueOtherThan: { key: "protocol", values: ["", "nfsv3", ...blobProtocols] },
          text: `protocol(<VALUE>) is not supported, supported protocol list: [${blobProtocols.join(" ")}]`,
        },
        {
          valueOtherThan: {
            key: "accessTier",
            values: ["", "Cold", "Cool", "Hot", "Premium"],
          },
          text: "accessTier(<VALUE>) is not supported, supported AccessTier list: […]",
        },
        {
          gives: ["containerNamePrefix"],
          valueOtherThan: { key: "containerName", values: [""] },
          text: "containerName(<VALUE>) and containerNamePrefix(<@containerNamePrefix>) could not be specified together",
        },
        {
          valueUnlike: { key: "containerNamePrefix", pattern: "^([a-z0-9][a-z0-9-]{0,19})?$" },
          text: "containerNamePrefix(<VALUE>) can only contain lowercase letters, numbers, hyphens, and length should be less than 21",
        },
        keptKey,
        noBlobAccount("name"),
        noBlobAccount("key"),
      ],
      // pkg/blob/nodeserver.go NodeStageVolume of 02f1b3f, which also publishes inline volumes.
      stageRefusals: [mountedPermissions, groupChanges],
      mountRefusals: [
        mountedPermissions,
        { of: "inline", ...groupChanges },
        {
          of: "inline",
          lacks: "containerName",
          text: "NodeStageVolume: containerName must be specified for ephemeral volumes",
        },
      ],
    },
    parameters: blobParameters,
    parameterValues: {
      protocol: [...blobProtocols, "nfsv3"],
      accessTier: ["Hot", "Cool", "Cold", "Premium"],
    },
    closedParameters: ["protocol"],
    source: {
      repository: "kubernetes-sigs/blob-csi-driver",
      commit: "0744a60",
      files: ["docs/driver-parameters.md", "pkg/blob/", "deploy/"],
    },
  },
];
