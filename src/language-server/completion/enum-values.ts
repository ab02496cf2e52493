/** Values of string fields that accept only some, by model and field. The API's schema does not list them. */
import { allAccessModes } from "../../engine/api/access-modes.ts";

const volumeModes: readonly string[] = ["Filesystem", "Block"];
const retentionPolicies: readonly string[] = ["Retain", "Delete"];
const selectorOperators: readonly string[] = ["In", "NotIn", "Exists", "DoesNotExist"];
const deletionPolicies: readonly string[] = ["Delete", "Retain"];
const taintEffects: readonly string[] = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

export const enumValues: Readonly<Record<string, readonly string[]>> = {
  "PersistentVolumeClaimSpec.accessModes": allAccessModes,
  "PersistentVolumeSpec.accessModes": allAccessModes,
  "PersistentVolumeClaimSpec.volumeMode": volumeModes,
  "PersistentVolumeSpec.volumeMode": volumeModes,
  "PersistentVolumeSpec.persistentVolumeReclaimPolicy": ["Retain", "Delete", "Recycle"],
  "StorageClass.reclaimPolicy": ["Delete", "Retain"],
  "StorageClass.volumeBindingMode": ["Immediate", "WaitForFirstConsumer"],
  "HostPathVolumeSource.type": [
    "DirectoryOrCreate",
    "Directory",
    "FileOrCreate",
    "File",
    "Socket",
    "CharDevice",
    "BlockDevice",
  ],
  "EmptyDirVolumeSource.medium": ["Memory", "HugePages"],
  "VolumeMount.mountPropagation": ["None", "HostToContainer", "Bidirectional"],
  "VolumeMount.recursiveReadOnly": ["Disabled", "IfPossible", "Enabled"],
  "PodSpec.restartPolicy": ["Always", "OnFailure", "Never"],
  "PodSpec.dnsPolicy": ["ClusterFirst", "ClusterFirstWithHostNet", "Default", "None"],
  "PodSecurityContext.fsGroupChangePolicy": ["Always", "OnRootMismatch"],
  "Container.imagePullPolicy": ["Always", "IfNotPresent", "Never"],
  "DeploymentStrategy.type": ["RollingUpdate", "Recreate"],
  "StatefulSetSpec.podManagementPolicy": ["OrderedReady", "Parallel"],
  "StatefulSetUpdateStrategy.type": ["RollingUpdate", "OnDelete"],
  "DaemonSetUpdateStrategy.type": ["RollingUpdate", "OnDelete"],
  "StatefulSetPersistentVolumeClaimRetentionPolicy.whenDeleted": retentionPolicies,
  "StatefulSetPersistentVolumeClaimRetentionPolicy.whenScaled": retentionPolicies,
  "CronJobSpec.concurrencyPolicy": ["Allow", "Forbid", "Replace"],
  "CSIDriverSpec.fsGroupPolicy": ["ReadWriteOnceWithFSType", "File", "None"],
  "CSIDriverSpec.volumeLifecycleModes": ["Persistent", "Ephemeral"],
  "VolumeSnapshotClass.deletionPolicy": deletionPolicies,
  "VolumeSnapshotContentSpec.deletionPolicy": deletionPolicies,
  "VolumeSnapshotContentSpec.sourceVolumeMode": volumeModes,
  "LabelSelectorRequirement.operator": selectorOperators,
  "NodeSelectorRequirement.operator": [...selectorOperators, "Gt", "Lt"],
  "Taint.effect": taintEffects,
  "Toleration.effect": taintEffects,
  "Toleration.operator": ["Exists", "Equal"],
  "TypedLocalObjectReference.kind": ["PersistentVolumeClaim", "VolumeSnapshot"],
  "TypedObjectReference.kind": ["PersistentVolumeClaim", "VolumeSnapshot"],
  "TypedLocalObjectReference.apiGroup": ["snapshot.storage.k8s.io"],
  "TypedObjectReference.apiGroup": ["snapshot.storage.k8s.io"],
};
