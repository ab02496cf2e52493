/** Alibaba Cloud and Tencent Cloud. */
import { allAccessModes } from "../../api/access-modes.ts";
import type { CreationRefusal } from "../creation-refusal.ts";
import { alibabaOss } from "./alibaba-oss.ts";
import { type CatalogueEntry, fileShare, readWriteOnce } from "./entry.ts";

const alibaba = { repository: "kubernetes-sigs/alibaba-cloud-csi-driver", commit: "8aacf90" };

const diskTypes: readonly string[] = [
  "cloud_essd",
  "cloud_auto",
  "cloud_ssd",
  "cloud_efficiency",
  "cloud_essd_entry",
  "cloud_regional_disk_auto",
  "elastic_ephemeral_disk_standard",
  "elastic_ephemeral_disk_premium",
  "available",
  "cloud",
];
const olderTypes: readonly string[] = ["cloud_pperf", "cloud_sperf", "san_ssd", "san_efficiency"];
const invalid = "Invalid parameters from input: <NAME>, with error: ";

/** Minimum sizes above 1, in gibibytes, by type and performance level. Upstream: pkg/disk/category.go. */
const leastSizes: Readonly<Record<string, number>> = {
  cloud_efficiency: 20,
  cloud_ssd: 20,
  cloud_essd: 20,
  "cloud_essd.PL1": 20,
  "cloud_essd.PL2": 461,
  "cloud_essd.PL3": 1261,
  cloud_essd_entry: 10,
  cloud_regional_disk_auto: 10,
  elastic_ephemeral_disk_standard: 64,
  elastic_ephemeral_disk_premium: 64,
};

/**
 * The driver tries one type after another; if the size is too small for all, it lists each. Upstream: pkg/disk/cloud.go
 * createDisk.
 */
function tooSmallFor(value: string, types: readonly string[], level?: string): CreationRefusal {
  const attempts = types.map((type) => (level === undefined ? type : `${type}.${level}`));
  const least = (attempt: string): number => leastSizes[attempt] ?? 1;
  const failures = attempts.map(
    (attempt) => `${attempt}: requested size <GIB>GiB is less than minimum ${least(attempt)}GiB`,
  );
  return {
    where: [
      { key: "type", values: [value] },
      { key: "performanceLevel", values: [level ?? ""] },
    ],
    sizeBelow: `${Math.min(...attempts.map(least))}Gi`,
    code: "Internal",
    text: `all attempts failed: ${failures.join("; ")}`,
  };
}

const usualTypes: readonly string[] = ["cloud_ssd", "cloud_efficiency"];
const topologyTypes: readonly string[] = ["cloud_essd", ...usualTypes];
const tooSmall: readonly CreationRefusal[] = [
  ...["", "available"].map((value) => tooSmallFor(value, usualTypes)),
  ...Object.keys(leastSizes).map((name) => {
    const [type = "", level] = name.split(".");
    return tooSmallFor(type, [type], level);
  }),
  tooSmallFor(topologyTypes.join(","), topologyTypes),
];

export const asianCloudDrivers: readonly CatalogueEntry[] = [
  {
    name: "diskplugin.csi.alibabacloud.com",
    title: "Alibaba Cloud disk",
    traits: {
      podInfoOnMount: true,
      hasExactKeys: true,
      topologyKey: "topology.diskplugin.csi.alibabacloud.com/zone",
      extraTopologyKeys: ["topology.kubernetes.io/zone"],
      accessModes: [...readWriteOnce, "ReadOnlyMany"],
      blockAccessModes: allAccessModes,
      earlyRefusals: [
        {
          valueOtherThan: { key: "type", values: ["", ...diskTypes, ...olderTypes], isList: true },
          text: `${invalid}illegal required parameter type: <VALUE>`,
        },
        {
          modes: ["MULTI_NODE_MULTI_WRITER"],
          volumeMode: "Filesystem",
          text: `${invalid}multi-node writing is only supported for block volume. For Kubernetes users, if unsure, use ReadWriteOnce access mode in PersistentVolumeClaim for disk volume`,
        },
        {
          modes: ["MULTI_NODE_MULTI_WRITER", "MULTI_NODE_READER_ONLY"],
          valueOtherThan: { key: "multiAttach", values: ["true", "enabled"], foldsCase: true },
          text: `${invalid}multiAttach is required for this access mode.Please note the limits in https://www.alibabacloud.com/help/en/ecs/user-guide/enable-multi-attach before enabling multiAttach`,
        },
      ],
      creationRefusals: tooSmall,
      snapshots: true,
      modify: true,
      maxVolumesPerNode: 15,
      roundUpTo: "1Gi",
      minSize: "1Gi",
      answersGrowthAsAsked: "always",
      sizesWhere: [
        {
          where: [{ key: "volumeSizeAutoAvailable", values: ["yes", "true", "1"] }],
          minSize: "20Gi",
        },
      ],
      singleNodeMultiWriter: false,
      sidecars: {
        volumeNamePrefix: "disk",
        strictTopology: true,
        provisionTimeoutMs: 150_000,
        retryStartMs: 500,
        defaultFsType: "ext4",
        handlesInUseError: false,
      },
    },
    parameterValues: {
      type: diskTypes,
      performanceLevel: ["PL0", "PL1", "PL2", "PL3"],
      multiAttach: ["true", "enabled"],
      encrypted: ["true", "false"],
      restrictToHpnZone: ["never", "always"],
      volumeSizeAutoAvailable: ["true", "false"],
    },
    source: { ...alibaba, files: ["pkg/disk/", "deploy/charts"] },
  },
  {
    name: "nasplugin.csi.alibabacloud.com",
    title: "Alibaba Cloud NAS",
    traits: {
      ...fileShare,
      podInfoOnMount: true,
      // subpath_controller.go as of 019bbf4, which writes what it has chosen into the volume, not the class's mode.
      creationRefusals: [
        {
          where: [
            { key: "volumeAs", values: ["subpath"] },
            { key: "containerNetworkFileSystem", values: [""] },
          ],
          lacks: "server",
          text: "invalid nas server",
        },
      ],
      newAttributes: { server: "…", path: "/…" },
      // nodeserver.go as of 00920f7.
      mountRefusals: [
        {
          unreadable: { key: "loopImageSize", as: "whole number" },
          text: 'invalid loopImageSize: "<VALUE>"',
        },
        {
          where: [{ key: "path", values: ["", "/"] }],
          gives: ["mode"],
          code: "Unknown",
          text: "NAS: root directory cannot set mode: <@mode>",
        },
        {
          valueUnlike: { key: "path", pattern: "^/" },
          code: "Unknown",
          text: "the path format is illegal",
        },
      ],
      sidecars: { volumeNamePrefix: "nas", defaultFsType: "nfs" },
    },
    parameters: [
      "volumeAs",
      "server",
      "path",
      "mountProtocol",
      "mode",
      "modeType",
      "options",
      "archiveOnDelete",
      "volumeCapacity",
      "allowVolumeExpansion",
      "containerNetworkFileSystem",
      "fileSystemType",
      "storageType",
      "zoneId",
      "vpcId",
      "vSwitchId",
      "regionId",
    ],
    unknown: ["topologyKey", "maxVolumesPerNode", "minSize", "maxSize"],
    parameterValues: {
      volumeAs: ["subpath", "filesystem", "sharepath", "accesspoint"],
      modeType: ["non-recursive", "recursive"],
      fileSystemType: ["standard", "extreme"],
      archiveOnDelete: ["true", "false"],
    },
    source: { ...alibaba, files: ["pkg/nas/", "docs/nas-dynamic.md"] },
  },
  alibabaOss,
  {
    name: "com.tencent.cloud.csi.cbs",
    title: "Tencent Cloud Block Storage",
    traits: {
      topologyKey: "topology.com.tencent.cloud.csi.cbs/zone",
      accessModes: readWriteOnce,
      capabilityRefusal: "cbs access mode only support singer node writer",
      snapshots: true,
      maxVolumesPerNode: 18,
      roundUpTo: "10Gi",
      minSize: "10Gi",
      maxSize: "32000Gi",
      singleNodeMultiWriter: false,
      sidecars: { provisionTimeoutMs: 120_000, defaultFsType: "ext4", extraCreateMetadata: false },
    },
    parameters: [
      "diskType",
      "diskZone",
      "diskChargeType",
      "diskChargeTypePrepaidPeriod",
      "diskChargePrepaidRenewFlag",
      "encrypt",
      "disktags",
      "throughputperformance",
      "aspid",
      "project",
      "cdcid",
      "devicemapper",
      "devices",
    ],
    parameterValues: {
      diskType: ["CLOUD_PREMIUM", "CLOUD_SSD", "CLOUD_HSSD"],
      diskChargeType: ["POSTPAID_BY_HOUR", "PREPAID"],
      encrypt: ["ENCRYPT"],
    },
    source: {
      repository: "TencentCloud/kubernetes-csi-tencentcloud",
      commit: "defc12d",
      files: ["driver/cbs/", "docs/README_CBS.md", "deploy/cbs"],
    },
  },
];
