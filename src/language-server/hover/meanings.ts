/** Explanations of values that the API documentation says little about. The engine decides what Kubernetes does with them. */

import { own } from "../own.ts";

type Meanings = Readonly<Record<string, string>>;

/** By field, then by value. */
export const enumMeanings: Readonly<Record<string, Meanings>> = {
  accessModes: {
    ReadWriteOnce: "one node at a time may write; all pods of that node may share it",
    ReadOnlyMany: "many nodes may read",
    ReadWriteMany: "many nodes may write",
    ReadWriteOncePod: "one pod in the whole cluster may use it",
  },
  volumeMode: {
    Filesystem: "formatted and mounted as a directory (volumeMounts)",
    Block: "a raw device (volumeDevices)",
  },
  provisioner: {
    "kubernetes.io/no-provisioner":
      "volumes of this class are not provisioned; create each manually, for example for local disks",
  },
  volumeBindingMode: {
    Immediate: "a volume is bound or provisioned immediately, before any pod is scheduled",
    WaitForFirstConsumer:
      "a volume is bound or provisioned once the scheduler has chosen a node for a pod that uses the claim",
  },
  reclaimPolicy: {
    Delete: "when the claim is deleted, so are the volume and its data",
    Retain:
      "when the claim is deleted, the volume stays Released with its data; no claim gets it until claimRef is removed",
  },
  persistentVolumeReclaimPolicy: {
    Delete: "when the claim is deleted, the volume's driver deletes it with its data",
    Retain:
      "when the claim is deleted, the volume stays Released with its data; no claim gets it until claimRef is removed",
    Recycle: "deprecated: a pod removes the files, and the volume is Available again",
  },
  deletionPolicy: {
    Delete: "when the snapshot is deleted, so is the one in the storage system",
    Retain: "when the snapshot is deleted, its content and the one in the storage system stay",
  },
  whenDeleted: {
    Delete: "the claims are deleted with the StatefulSet",
    Retain: "the claims stay when the StatefulSet is deleted",
  },
  whenScaled: {
    Delete: "a claim is deleted when its pod is removed by scaling down",
    Retain:
      "a claim stays when its pod is removed by scaling down, and is used again after scaling up",
  },
  type: {
    Recreate: "old pods end before new ones start: a ReadWriteOnce volume is free in between",
    DirectoryOrCreate: "created as an empty directory if nothing exists there",
    Directory: "the directory must exist",
    FileOrCreate: "created as an empty file if nothing exists there; its directory must exist",
    File: "the file must exist",
  },
  fsGroupChangePolicy: {
    OnRootMismatch: "files get the group only if the top directory does not have it",
    Always: "all files get the group at each start, which is slow for many files",
  },
  fsGroupPolicy: {
    ReadWriteOnceWithFSType:
      "a pod's fsGroup is applied to ReadWriteOnce volumes that have an fsType",
    File: "a pod's fsGroup is always applied",
    None: "a pod's fsGroup is never applied",
  },
  podManagementPolicy: {
    OrderedReady: "pods are created one by one, each once the one before is ready",
    Parallel: "all pods are created and deleted at once",
  },
};

export const annotationMeanings: Meanings = {
  "storageclass.kubernetes.io/is-default-class":
    'With "true", claims that name no class get this one when they are created, and pending ones later. If several classes are default, the newest is used.',
  "storageclass.beta.kubernetes.io/is-default-class":
    "The old name of storageclass.kubernetes.io/is-default-class; it is still honored.",
  "snapshot.storage.kubernetes.io/is-default-class":
    'With "true", snapshots of this driver that name no class get this one.',
  "volume.beta.kubernetes.io/storage-class":
    "The old way to name a class. It takes precedence over spec.storageClassName.",
  "volume.kubernetes.io/selected-node":
    "The node for which the volume is to be provisioned: written by the scheduler for classes that wait for the first consumer.",
  "volume.kubernetes.io/storage-provisioner":
    "The provisioner that the claim waits for: written by the persistent volume controller.",
  "volume.beta.kubernetes.io/storage-provisioner":
    "The old name of volume.kubernetes.io/storage-provisioner.",
  "pv.kubernetes.io/bind-completed":
    "Written when the claim was bound. In a manifest it makes the controller treat the claim as bound: without its volume it becomes Lost.",
  "pv.kubernetes.io/bound-by-controller":
    "The controller set this half of the binding, and may undo it; without this annotation, a user set it.",
  "pv.kubernetes.io/provisioned-by":
    "The provisioner that made the volume and, if the reclaim policy is Delete, deletes it once its claim is gone.",
  "pv.kubernetes.io/migrated-to":
    "The CSI driver that does an in-tree plugin's work for this volume.",
  "volume.kubernetes.io/storage-resizer": "The resizer that expands the volume.",
  "volume.beta.kubernetes.io/mount-options":
    "The old way to set mountOptions; it is still honored.",
  "snapshot.storage.kubernetes.io/allow-volume-mode-change":
    'With "true" on a content, a claim that restores from it may have another volumeMode.',
};

/** Meaning of a parameter that the CSI sidecars read. The two parameters for a secret's name and namespace share one. */
export function parameterMeaning(key: string): string | undefined {
  return own(parameterMeanings, key.replace(/-secret-(?:name|namespace)$/, "-secret-name"));
}

const parameterMeanings: Meanings = {
  "csi.storage.k8s.io/fstype": "the file system that the driver creates; ext4 if absent",
  "csi.storage.k8s.io/provisioner-secret-name": "the Secret for creating and deleting volumes",
  "csi.storage.k8s.io/controller-publish-secret-name": "the Secret for attaching volumes",
  "csi.storage.k8s.io/controller-expand-secret-name": "the Secret for expanding volumes",
  "csi.storage.k8s.io/node-stage-secret-name": "the Secret for the first mount on a node",
  "csi.storage.k8s.io/node-publish-secret-name": "the Secret for the mount into a pod",
  "csi.storage.k8s.io/node-expand-secret-name":
    "the Secret for expanding the file system on the node",
  "csi.storage.k8s.io/snapshotter-secret-name": "the Secret for taking and deleting snapshots",
};
