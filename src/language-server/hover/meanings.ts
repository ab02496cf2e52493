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
      "nobody makes volumes of this class; each is made by hand, as those of local disks are",
  },
  volumeBindingMode: {
    Immediate: "a volume is bound or made at once, before any pod is placed",
    WaitForFirstConsumer: "a volume is bound or made when a pod that uses the claim has its node",
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
    Delete: "the claims go when the StatefulSet is deleted",
    Retain: "the claims stay when the StatefulSet is deleted",
  },
  whenScaled: {
    Delete: "a claim goes when its pod is scaled away",
    Retain: "a claim stays when its pod is scaled away, and is used again later",
  },
  type: {
    Recreate: "old pods end before new ones start: a ReadWriteOnce volume is free in between",
    DirectoryOrCreate: "made as an empty directory where nothing is there",
    Directory: "the directory must be there",
    FileOrCreate: "made as an empty file where nothing is there; its directory must be there",
    File: "the file must be there",
  },
  fsGroupChangePolicy: {
    OnRootMismatch: "files get the group only where the top directory does not have it",
    Always: "all files get the group at each start, which takes long where they are many",
  },
  fsGroupPolicy: {
    ReadWriteOnceWithFSType:
      "a pod's fsGroup is applied to ReadWriteOnce volumes that have an fsType",
    File: "a pod's fsGroup is always applied",
    None: "a pod's fsGroup is never applied",
  },
  podManagementPolicy: {
    OrderedReady: "pods come one after the other, each when the one before is ready",
    Parallel: "all pods come and go at once",
  },
};

export const annotationMeanings: Meanings = {
  "storageclass.kubernetes.io/is-default-class":
    'With "true", claims that name no class get this one when they are made, and waiting ones afterwards. Of several the newest counts.',
  "storageclass.beta.kubernetes.io/is-default-class":
    "The old name of storageclass.kubernetes.io/is-default-class; it still counts.",
  "snapshot.storage.kubernetes.io/is-default-class":
    'With "true", snapshots of this driver that name no class get this one.',
  "volume.beta.kubernetes.io/storage-class":
    "The old way to name a class. Where it is set it wins over spec.storageClassName.",
  "volume.kubernetes.io/selected-node":
    "The node for which the volume is to be made: written by the scheduler for classes that wait for the first consumer.",
  "volume.kubernetes.io/storage-provisioner":
    "Whose work the claim waits for: written by the persistent volume controller.",
  "volume.beta.kubernetes.io/storage-provisioner":
    "The old name of volume.kubernetes.io/storage-provisioner.",
  "pv.kubernetes.io/bind-completed":
    "Written when the claim was bound. In a manifest it makes the controller take the claim for bound: without its volume it is Lost.",
  "pv.kubernetes.io/bound-by-controller":
    "The controller made this half of the binding, and may undo it; without it somebody chose the volume by hand.",
  "pv.kubernetes.io/provisioned-by": "Who made the volume, and deletes it when its claim is gone.",
  "pv.kubernetes.io/migrated-to":
    "The CSI driver that does an in-tree plugin's work for this volume.",
  "volume.kubernetes.io/storage-resizer": "Who grows the volume.",
  "volume.beta.kubernetes.io/mount-options": "The old way to name mountOptions; it still counts.",
  "snapshot.storage.kubernetes.io/allow-volume-mode-change":
    'With "true" on a content, a claim that restores from it may have another volumeMode.',
};

/** Meaning of a parameter that the CSI sidecars read. The two parameters for a secret's name and namespace share one. */
export function parameterMeaning(key: string): string | undefined {
  return own(parameterMeanings, key.replace(/-secret-(?:name|namespace)$/, "-secret-name"));
}

const parameterMeanings: Meanings = {
  "csi.storage.k8s.io/fstype": "the file system that the driver makes, ext4 where it is left out",
  "csi.storage.k8s.io/provisioner-secret-name":
    "the secret with which volumes are made and deleted",
  "csi.storage.k8s.io/controller-publish-secret-name": "the secret with which volumes are attached",
  "csi.storage.k8s.io/controller-expand-secret-name": "the secret with which volumes grow",
  "csi.storage.k8s.io/node-stage-secret-name": "the secret for the first mount on a node",
  "csi.storage.k8s.io/node-publish-secret-name": "the secret for the mount into a pod",
  "csi.storage.k8s.io/node-expand-secret-name":
    "the secret with which the file system grows on the node",
  "csi.storage.k8s.io/snapshotter-secret-name":
    "the secret with which snapshots are taken and deleted",
};
