/** The kinds of objects that have to do with each other, with no counterpart upstream. */

/** Many may hang on one of them. */
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

/** Of any other kind each object stands alone. */
export const relatedKinds: ReadonlySet<string> = new Set([
  ...sharedKinds,
  "PersistentVolume",
  "PersistentVolumeClaim",
  "Pod",
  "VolumeAttachment",
  "VolumeSnapshot",
  "VolumeSnapshotContent",
]);
