/** The kinds of objects that relations are shown between. No counterpart upstream. */

/** Kinds of which one object may have many that depend on it. */
export const sharedKinds: ReadonlySet<string> = new Set([
  "CSIDriver",
  "CronJob",
  "DaemonSet",
  "Deployment",
  "Job",
  "Node",
  "ReplicaSet",
  "ReplicationController",
  "StatefulSet",
  "StorageClass",
]);

/** Objects of all other kinds have no relations. */
export const relatedKinds: ReadonlySet<string> = new Set([
  ...sharedKinds,
  "PersistentVolume",
  "PersistentVolumeClaim",
  "Pod",
  "VolumeAttachment",
  "VolumeSnapshot",
  "VolumeSnapshotContent",
]);
