/** Amazon: FSx for OpenZFS, file systems and the volumes in them. */
import type { CreationRefusal } from "../creation-refusal.ts";
import { type CatalogueEntry, fileShare, readWriteOnce } from "./entry.ts";

const fileSystem = { key: "ResourceType", values: ["filesystem"] };
const volume = { key: "ResourceType", values: ["volume"] };
const tiered = { key: "StorageType", values: ['"INTELLIGENT_TIERING"'] };

/** Which say what the claim says. Upstream: pkg/driver/controller.go containsDriverProvidedParameters. */
const ofDriver: readonly CreationRefusal[] = [
  "ClientRequestToken",
  "FileSystemType",
  "Name",
  "OpenZFSConfiguration",
  "StorageCapacity",
  "VolumeId",
  "VolumeType",
].map((key) => ({
  gives: [key],
  text: `Contains parameter that is defined by driver: ${key}`,
}));

/** Where the size is not the claim's to say it asks for one gibibyte. */
function ofOneGibibyte(
  where: CreationRefusal["where"] & object,
  what: string,
): readonly CreationRefusal[] {
  const text = `${what} expects storage capacity to be 1Gi`;
  return [
    { where, sizeBelow: "1Gi", text },
    { where, sizeAbove: "1Gi", text },
  ];
}

export const openZfs: CatalogueEntry = {
  name: "fsx.openzfs.csi.aws.com",
  title: "Amazon FSx for OpenZFS",
  traits: {
    ...fileShare,
    hasExactKeys: true,
    accessModes: [...readWriteOnce, "ReadWriteMany"],
    capabilityRefusal: "Volume capabilities not supported",
    creationRefusals: [
      { lacks: "ResourceType", text: "ResourceType is not provided" },
      {
        valueOtherThan: { key: "ResourceType", values: ["filesystem", "volume"] },
        text: "ResourceType is not supported: <VALUE>",
      },
      ...ofDriver,
      {
        where: [fileSystem],
        lacks: "SkipFinalBackupOnDeletion",
        text: "Delete Parameters is incorrectly formatted: SkipFinalBackup is incorrectly formatted: field is required",
      },
      {
        where: [fileSystem],
        source: "snapshot",
        code: "Unimplemented",
        text: "Cannot create new file system from a snapshot. To create a new volume from a snapshot, set ResourceType to volume.",
      },
      ...ofOneGibibyte([fileSystem, tiered], "storageType INTELLIGENT_TIERING"),
      ...ofOneGibibyte([volume], "resourceType Volume"),
    ],
    volumeHandle: "fsvol-<NAME>",
    snapshots: true,
    snapshotRefusals: ofDriver,
    expansion: {
      controller: true,
      node: false,
      online: true,
      refusals: [
        {
          where: [fileSystem, tiered],
          code: "Unimplemented",
          text: "Storage of StorageType INTELLIGENT_TIERING Filesystem can not be scaled",
        },
        {
          where: [volume],
          code: "Unimplemented",
          text: "Storage of ResourceType Volume can not be scaled",
        },
      ],
    },
  },
  requiredParameters: ["ResourceType"],
  parameterValues: { ResourceType: ["volume", "filesystem"] },
  closedParameters: ["ResourceType"],
  // CreateVolume looks at no volume mode.
  unknown: ["volumeModes"],
  source: {
    repository: "kubernetes-sigs/aws-fsx-openzfs-csi-driver",
    commit: "079da6d",
    files: [
      "pkg/driver/controller.go",
      "pkg/util/util.go",
      "deploy/kubernetes/base/csidriver.yaml",
    ],
  },
};
