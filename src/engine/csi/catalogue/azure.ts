/** Azure Disk. */
import { allAccessModes } from "../../api/access-modes.ts";
import type { CreationRefusal } from "../creation-refusal.ts";
import type { MountRefusal } from "../mount-refusal.ts";
import { type CatalogueEntry, readWriteOnce } from "./entry.ts";

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

const perfProfiles: readonly string[] = ["none", "basic", "advanced"];
const networkPolicies: readonly string[] = ["AllowAll", "AllowPrivate", "DenyAll"];

/** The driver caches disks for reading by default, and Azure attaches disks of this type only uncached. */
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
/** From controllerserver.go ControllerPublishVolume, by azureutils IsValidVolumeCapabilities and GetDiskByURI. */
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
/** The attributes of a disk that a VolumeAttributesClass may change. */
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
      // `uncached` is from GetCachingMode and Azure's answer.
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
      // They are parsed like a class's parameters, so it accepts the others as well.
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
];
