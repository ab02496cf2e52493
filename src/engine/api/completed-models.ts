/**
 * The models whose objects defaulting, admission or a strategy writes to. Decoding gives a copy of those, with whatever holds
 * them; everything else stays what the client sent, which nobody may change.
 */
export const completedModels: ReadonlySet<string> = new Set(
  `
  ConfigMap ControllerRevision CSIDriver CSINode CSIStorageCapacity CronJob DaemonSet Deployment Job LimitRange Namespace Node
  PersistentVolume PersistentVolumeClaim Pod PodDisruptionBudget PodTemplate PriorityClass ReplicaSet ReplicationController
  ResourceQuota Secret Service ServiceAccount StatefulSet StorageClass VolumeAttachment VolumeAttributesClass
  CSIDriverSpec CronJobSpec DaemonSetSpec DeploymentSpec JobSpec LimitRangeItem NodeSpec NodeStatus ObjectMeta PersistentVolumeClaimSpec
  PersistentVolumeClaimStatus PersistentVolumeSpec PersistentVolumeStatus PodSpec PodTemplateSpec ReplicaSetSpec
  ReplicationControllerSpec ServiceSpec ServicePort StatefulSetSpec
  DaemonSetUpdateStrategy DeploymentStrategy RollingUpdateDaemonSet RollingUpdateDeployment RollingUpdateStatefulSetStrategy
  StatefulSetPersistentVolumeClaimRetentionPolicy StatefulSetUpdateStrategy
  Container ContainerPort EphemeralContainer FileKeySelector GRPCAction HTTPGetAction ObjectFieldSelector Probe ResourceRequirements
  LabelSelector PodFailurePolicyOnPodConditionsPattern
  AzureDiskVolumeSource ConfigMapVolumeSource DownwardAPIVolumeSource HostPathVolumeSource ISCSIPersistentVolumeSource
  ISCSIVolumeSource ImageVolumeSource PodCertificateProjection ProjectedVolumeSource RBDPersistentVolumeSource RBDVolumeSource
  ScaleIOPersistentVolumeSource ScaleIOVolumeSource SecretVolumeSource ServiceAccountTokenProjection VolumeProjection
`
    .trim()
    .split(/\s+/),
);
