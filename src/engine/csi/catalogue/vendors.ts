/** Storage vendors: Longhorn, Portworx, Trident, HPE, Dell. */
import { allAccessModes } from "../../api/access-modes.ts";
import type { CreationRefusal } from "../creation-refusal.ts";
import { singleNodeModes } from "../volume-capability.ts";
import { type CatalogueEntry, readWriteOnce, truths, untruths, withoutKey } from "./entry.ts";
import { linstor } from "./linstor.ts";

const localities: readonly string[] = ["disabled", "best-effort", "strict-local"];
/** The driver parses the parameters one by one and reports the first wrong one. Upstream: csi/util.go getVolumeOptions. */
function unreadable(
  as: "whole number" | "truth value",
  ...keys: readonly string[]
): readonly CreationRefusal[] {
  const reader = as === "whole number" ? "Atoi" : "ParseBool";
  return keys.map((key) => ({
    unreadable: { key, as },
    text: `invalid parameter ${key}: strconv.${reader}: parsing "<VALUE>": invalid syntax`,
  }));
}

/** The driver calls Longhorn's manager, whose webhook checks the volume; it prints the answer's fields in random order. */
function denied(reason: string, refusal: Omit<CreationRefusal, "code" | "text">): CreationRefusal {
  return {
    ...refusal,
    code: "Internal",
    text: `Bad response statusCode [500]. Status [500 Internal Server Error]. Body: [code=Server Error, detail=, message=failed to create volume: unable to create volume <NAME>: admission webhook "validator.longhorn.io" denied the request: ${reason}] from [http://longhorn-backend:9500/v1/volumes]`,
  };
}

/** If a class does not set the number of replicas, a setting does. Upstream: webhook/resources/volume/validator.go Create. */
const deniedVolumes: readonly CreationRefusal[] = [
  denied("replica count value <VALUE> must between 1 to 20", {
    valueAbove: { key: "numberOfReplicas", most: 20 },
  }),
  denied("number of replica count should be 1 when data locality is strict-local", {
    where: [{ key: "dataLocality", values: ["strict-local"] }],
    valueOtherThan: { key: "numberOfReplicas", values: ["", "0", "1"] },
  }),
  denied(
    "access mode rwx (migratable: false) is incompatible with data locality strict-local mode",
    {
      modes: ["MULTI_NODE_MULTI_WRITER"],
      where: [{ key: "migratable", values: ["", ...untruths] }],
      valueOtherThan: { key: "dataLocality", values: ["", "disabled", "best-effort"] },
    },
  ),
];

/** The node plugin decrypts only volumes for a single node. */
const encryptedForOneNode = {
  where: [{ key: "encrypted", values: truths }],
  modes: singleNodeModes,
};
const noPassphrase = "missing passphrase for encrypted volume <HANDLE>";

/** Volumes that many nodes share are NFS, from the driver's own servers or the array. Upstream: createVolume. */
const hpeFilesOfMany: CreationRefusal = {
  modes: ["MULTI_NODE_MULTI_WRITER", "MULTI_NODE_READER_ONLY"],
  volumeMode: "Filesystem",
  where: [{ key: "accessProtocol", values: ["", "iscsi", "fc", "nvmetcp", "nvmeotcp"] }],
  valueOtherThan: { key: "nfsResources", values: ["true"] },
  text: "StorageClass parameter nfsResources=true is missing for creation of volumes with multi-node access for NFS or  StorageClass parameter accessProtocol=nfs is missing for creation of volumes with multi-node access File",
};

const hpeEncryption =
  "Invalid arguments for host encryption, rpc error: code = InvalidArgument desc = ";
const hpeSecret: readonly string[] = ["hostEncryptionSecretName", "hostEncryptionSecretNamespace"];
const noHpeSecret = `${hpeEncryption}For encrypted volume HostEncryptionSecretName and HostEncryptionSecretNamespace both must be specified`;
const noHpeServer = { key: "nfsResources", values: ["", "false"] };

const hpe: CatalogueEntry = {
  name: "csi.hpe.com",
  title: "HPE Alletra, Primera and Nimble",
  traits: {
    podInfoOnMount: true,
    hasExactKeys: true,
    lifecycleModes: ["Persistent", "Ephemeral"],
    accessModes: allAccessModes,
    creationRefusals: [
      {
        fsTypes: ["nfs"],
        text: "Found one or more unsupported volume capabilities: […]",
      },
      hpeFilesOfMany,
      {
        volumeMode: "Block",
        where: [{ key: "accessProtocol", values: ["nfs"] }],
        text: "volume mode can't be block for File",
      },
      {
        volumeMode: "Block",
        where: [{ key: "nfsResources", values: ["true"] }],
        text: "NFS volume provisioning is not supported with block access type",
      },
      {
        where: [noHpeServer],
        valueOtherThan: { key: "hostEncryption", values: ["", "true", "false"] },
        text: `${hpeEncryption}Invalid value for the hostEncryption parameter, it must be either [true, false]`,
      },
      ...hpeSecret.flatMap((key) => [
        {
          where: [noHpeServer, { key: "hostEncryption", values: ["true"] }],
          lacks: key,
          text: noHpeSecret,
        },
        {
          where: [noHpeServer, { key: "hostEncryption", values: [""] }],
          gives: hpeSecret.filter((other) => other !== key),
          lacks: key,
          text: noHpeSecret,
        },
      ]),
    ],
    expansion: { controller: true, node: true, online: true },
    snapshots: true,
    listSnapshots: true,
    clone: true,
    publishReadonly: true,
    maxVolumesPerNode: 100,
    defaultSize: "10Gi",
    singleNodeMultiWriter: false,
  },
  // Neither its newest chart nor the arrays' size limits were read.
  unknown: ["topologyKey", "fsGroupPolicy", "roundUpTo", "minSize", "maxSize", "sidecars"],
  parameterValues: {
    accessProtocol: ["iscsi", "fc", "nvmetcp", "nfs"],
    hostEncryption: ["true", "false"],
  },
  source: {
    repository: "hpe-storage/csi-driver",
    commit: "004617a",
    files: [
      "pkg/driver/controller_server.go",
      "pkg/driver/constants.go",
      "pkg/driver/driver.go",
      "helm/charts/hpe-csi-driver/templates/csi-driver-crd.yaml of hpe-storage/co-deployments",
    ],
  },
};

/** The error about a copy of another size is lost: the driver goes on to look for the volume and finds none. */
const noPowerStoreVolume = { code: "Internal", text: "can't find volume '…': …" };

const powerStore: CatalogueEntry = {
  name: "csi-powerstore.dellemc.com",
  title: "Dell PowerStore",
  traits: {
    podInfoOnMount: true,
    hasExactKeys: true,
    lifecycleModes: ["Persistent", "Ephemeral"],
    // CreateVolume and ControllerPublishVolume do not check them.
    accessModes: allAccessModes,
    creationRefusals: [
      {
        gives: ["arrayIP"],
        lacks: "arrayID",
        code: "Internal",
        text: "Array IP's been provided, however it is not supported in current version. Configure you storage classes according to the documentation",
      },
      {
        volumeMode: "Block",
        where: [{ key: "FsType", values: ["nfs"] }],
        text: "raw block requested from NFS Volume",
      },
    ],
    expansion: { controller: true, node: true, online: true },
    snapshots: true,
    listSnapshots: true,
    clone: true,
    equalSourceSize: { snapshot: noPowerStoreVolume, volume: noPowerStoreVolume },
    roundUpTo: "8Ki",
    defaultSize: "1Mi",
    maxSize: "256Ti",
    maxSizeRefusal:
      "bad capacity: max size bytes <MAX> can't be less than minimum size bytes <BYTES>",
    sidecars: { volumeNameUuidLength: 10, defaultFsType: "ext4" },
  },
  // Its chart's values were not read. Nodes report the addresses of the arrays that they reach.
  unknown: ["topologyKey", "fsGroupPolicy", "storageCapacity", "maxVolumesPerNode", "sidecars"],
  source: {
    repository: "dell/csi-powerstore",
    commit: "00900a4",
    files: [
      "pkg/controller/",
      "charts/csi-powerstore/templates/{csidriver,controller}.yaml of dell/helm-charts",
    ],
  },
};

const autoBalance: readonly string[] = ["ignored", "disabled", "least-effort", "best-effort"];

export const vendorDrivers: readonly CatalogueEntry[] = [
  {
    name: "driver.longhorn.io",
    title: "Longhorn",
    keepsRootOwner: true,
    traits: {
      podInfoOnMount: true,
      hasExactKeys: true,
      accessModes: [...readWriteOnce, "ReadWriteMany"],
      capabilityRefusal: "access mode <MODE> is not supported",
      creationRefusals: [
        {
          source: "none",
          fsTypes: ["xfs"],
          sizeBelow: "300Mi",
          code: "Unknown",
          text: "XFS filesystems with size <BYTES>, smaller than 314572800, are not supported",
        },
        ...unreadable("whole number", "staleReplicaTimeout"),
        ...unreadable("truth value", "share", "exclusive", "migratable", "encrypted"),
        ...unreadable("whole number", "numberOfReplicas"),
        {
          valueOtherThan: { key: "replicaAutoBalance", values: ["", ...autoBalance] },
          text: "invalid parameter replicaAutoBalance: invalid replica auto-balance option: <VALUE>",
        },
        {
          valueOtherThan: { key: "dataLocality", values: ["", ...localities] },
          text: "invalid parameter dataLocality: invalid data locality mode: <VALUE>",
        },
        ...unreadable("truth value", "disableRevisionCounter"),
      ],
      cloudRefusals: deniedVolumes,
      // csi/node_server.go NodeStageVolume.
      stageRefusals: [
        ...withoutKey("CRYPTO_KEY_VALUE").map((lack) => ({
          ...encryptedForOneNode,
          ...lack,
          text: noPassphrase,
        })),
      ],
      snapshots: true,
      snapshotRefusals: [
        {
          valueOtherThan: { key: "type", values: ["", "snap", "bi", "bak", "bs"] },
          text: 'invalid CSI snapshot type: <VALUE>. Must be snap or bak or ""',
        },
      ],
      clone: true,
      equalSourceSize: {
        volume: {
          code: "OutOfRange",
          text: "failed to clone volume: the requested size (<SIZE> bytes) is different than the source volume size (<SOURCE> bytes)",
        },
      },
      volumeHandle: "<NAME>",
      expansion: {
        controller: true,
        node: true,
        online: true,
        nodeForBlock: false,
        nodeOnlyWhileAttached: true,
        // NodeExpandVolume: the opened device keeps its size; the next NodeStageVolume opens the whole device and expands the
        // file system.
        nodeRefusals: [
          {
            ...encryptedForOneNode,
            volumeMode: "Filesystem",
            lacksSecrets: true,
            isSilent: true,
            text: "without one they silently keep their size until they are staged again",
          },
          {
            ...encryptedForOneNode,
            volumeMode: "Filesystem",
            secretNeed: { oneOf: ["CRYPTO_KEY_VALUE"] },
            text: noPassphrase,
          },
        ],
      },
      roundUpTo: "2Mi",
      minSize: "10Mi",
      sidecars: {
        provisionTimeoutMs: 110_000,
        defaultFsType: "ext4",
        immediateTopology: false,
        handlesInUseError: false,
        extraCreateMetadata: false,
      },
    },
    // A setting decides this.
    unknown: ["storageCapacity"],
    parameters: [
      "numberOfReplicas",
      "staleReplicaTimeout",
      "dataLocality",
      "dataEngine",
      "dataSource",
      "fromBackup",
      "share",
      "exclusive",
      "migratable",
      "encrypted",
      "replicaAutoBalance",
      "replicaSoftAntiAffinity",
      "replicaZoneSoftAntiAffinity",
      "replicaDiskSoftAntiAffinity",
      "diskSelector",
      "nodeSelector",
      "recurringJobSelector",
      "cloneMode",
      "strictTopology",
      "volumeTopology",
      "backupTargetName",
      "backupBlockSize",
      "unmapMarkSnapChainRemoved",
      "disableRevisionCounter",
      "freezeFilesystemForSnapshot",
      "frontend",
      "fsType",
      "mkfsParams",
      "nfsOptions",
      "backingImage",
      "backingImageDataSourceType",
      "backingImageDataSourceParameters",
      "backingImageChecksum",
      "backingImageMinNumberOfCopies",
      "backingImageNodeSelector",
      "backingImageDiskSelector",
    ],
    parameterValues: {
      dataLocality: localities,
      dataEngine: ["v1", "v2"],
      replicaAutoBalance: autoBalance,
      volumeTopology: ["zonal", "regional"],
      migratable: ["true", "false"],
      encrypted: ["true", "false"],
    },
    closedParameters: ["dataLocality", "dataEngine", "replicaAutoBalance"],
    source: {
      repository: "longhorn/longhorn-manager",
      commit: "5ddaa36",
      files: [
        "csi/controller_server.go",
        "csi/node_server.go",
        "csi/util.go",
        "csi/deployment.go",
        "webhook/resources/volume/validator.go",
      ],
    },
  },
  linstor,
  hpe,
  powerStore,
  {
    name: "pxd.portworx.com",
    title: "Portworx",
    traits: {
      accessModes: allAccessModes,
      blockAccessModes: readWriteOnce,
      capabilityRefusal: "Shared raw block volumes are not supported",
      expansion: { controller: true, node: false, online: true },
      snapshots: true,
      clone: true,
      roundUpTo: "1Gi",
      singleNodeMultiWriter: false,
    },
    // Exists if security is enabled. Upstream: libopenstorage/operator drivers/storage/portworx/component/auth.go.
    operatorSecrets: ["px-user-token"],
    unknown: ["attachRequired", "fsGroupPolicy", "storageCapacity"],
    source: {
      repository: "libopenstorage/openstorage",
      commit: "0332551",
      files: ["csi/controller.go", "csi/identity.go", "csi/node.go", "api/api.go"],
    },
  },
  {
    name: "csi.trident.netapp.io",
    title: "NetApp Trident",
    traits: {
      accessModes: allAccessModes,
      snapshots: true,
      clone: true,
      volumeHandle: "<NAME>",
      // frontend/csi/controller_server.go getCSIVolumeFromTridentVolume
      newAttributes: { backendUUID: "…", internalName: "…", name: "<ID>", protocol: "…" },
      minSize: "20Mi",
      sidecars: {
        provisionTimeoutMs: 600_000,
        retryStartMs: 10_000,
        extraCreateMetadata: false,
      },
    },
    parameters: [
      "backendType",
      "provisioningType",
      "media",
      "snapshots",
      "clones",
      "encryption",
      "IOPS",
      "selector",
      "storagePools",
      "additionalStoragePools",
      "excludeStoragePools",
      "nasType",
      "sanType",
      "fsType",
    ],
    parameterValues: { provisioningType: ["thin", "thick"], media: ["hdd", "hybrid", "ssd"] },
    source: {
      repository: "NetApp/trident",
      commit: "71dd716",
      files: ["frontend/csi/", "storage_attribute/", "storage_drivers/"],
    },
  },
];
