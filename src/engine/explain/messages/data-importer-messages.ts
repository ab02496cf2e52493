/**
 * Messages of KubeVirt's containerized-data-importer about claims that it cannot make or fill. Upstream:
 * containerized-data-importer pkg/controller/datavolume util.go, clone-controller-base.go, pkg/controller/common/util.go.
 */
import type { MessagePattern } from "./message-pattern.ts";
import { messagesOf } from "./messages-of.ts";

const importer = messagesOf("cdi-controller", "containerized-data-importer pkg/controller/");
const notValid: Pick<MessagePattern, "reasons"> = { reasons: ["ErrClaimNotValid"] };

export const dataImporterMessages: readonly MessagePattern[] = [
  importer({
    id: "import-without-class",
    rule: "datavolume/util.go renderPvcSpecVolumeModeAndAccessModes",
    ...notValid,
    texts: [
      "PVC spec is missing accessMode and no storageClass to choose profile",
      "DataVolume.storage spec is missing accessMode and no storageClass to choose profile",
    ],
    cause:
      "The DataVolume names no access modes, which the importer takes from the profile of its class: it names no class, and the cluster has no default one.",
    change: [
      "name a class: spec.storage.storageClassName",
      'mark a class as the default: storageclass.kubernetes.io/is-default-class: "true"',
      "name the access modes: spec.storage.accessModes",
    ],
  }),
  importer({
    id: "import-profile-without-modes",
    rule: "datavolume/util.go getDefaultAccessModes, getDefaultVolumeAndAccessMode",
    ...notValid,
    texts: [
      "no accessMode specified in StorageProfile {class}",
      "no accessMode defined on StorageProfile for {class} StorageClass",
      "no accessMode defined DV nor on StorageProfile for {class} StorageClass",
      "DataVolume.storage spec is missing accessMode and volumeMode, cannot get access mode from StorageProfile {class}",
    ],
    cause:
      "The DataVolume names no access modes, and the profile of class {class} has none either, since the importer does not know its provisioner.",
    change: [
      "name the access modes: spec.storage.accessModes",
      "write them into StorageProfile {class}: spec.claimPropertySets",
    ],
  }),
  importer({
    id: "import-without-size",
    rule: "datavolume/util.go renderPvcSpecVolumeSize",
    ...notValid,
    texts: [
      "PVC Spec is not valid - missing storage size",
      "DataVolume.storage spec is not valid - missing storage size",
    ],
    cause: "The DataVolume asks for no size, which only a clone may leave out.",
    change: ["name it: spec.storage.resources.requests.storage"],
    outlook: "stuck",
  }),
  importer({
    id: "import-archive-of-device",
    rule: "datavolume/util.go renderPvcSpecVolumeModeAndAccessModes",
    ...notValid,
    texts: [
      "PVC with ContentType Archive cannot have block volumeMode",
      "DataVolume with ContentType Archive cannot have block volumeMode",
    ],
    cause: "An archive is unpacked into a file system, and the DataVolume asks for a raw device.",
    change: ["leave volumeMode out, or set it to Filesystem"],
    outlook: "stuck",
  }),
  importer({
    id: "clone-without-source",
    rule: "datavolume/clone-controller-base.go MessageCloneWithoutSource",
    reasons: ["CloneWithoutSource"],
    texts: ["The source {kind} {name} doesn't exist", "The source pvc {name} doesn't exist"],
    cause: "What is to be cloned, {name}, is not there.",
    change: ["create it, or correct its name and namespace: spec.source"],
  }),
  importer({
    id: "clone-of-other-mode",
    rule: "datavolume/clone-controller-base.go MessageIncompatibleVolumeModes",
    reasons: ["IncompatibleVolumeModes"],
    texts: ["The volume modes of source and target are incompatible"],
    cause:
      "A device is to be cloned into a file system or the other way round, by a driver's clone or snapshot, which copies the volume as it is.",
    change: ["give the DataVolume the volumeMode of its source"],
  }),
  importer({
    id: "clone-without-snapshot-class",
    rule: "datavolume/clone-controller-base.go MessageNoVolumeSnapshotClass",
    reasons: ["NoVolumeSnapshotClass"],
    texts: ["No compatible volumesnapshotclass found"],
    cause:
      "No VolumeSnapshotClass is of the driver that made the source, so that it is copied byte by byte and not by a snapshot.",
    change: ["create a VolumeSnapshotClass with the driver of the source's class"],
  }),
];
