/**
 * What the server's answers reveal about the Go types of the API and OpenAPI does not say: which optional scalars are
 * pointers (these keep an explicit "", 0 or false, which otherwise equals absent), which structs are embedded by value
 * (present even when empty), the names of named types, and which strings are quantities.
 * Upstream: kubernetes/api v0.36 types.go of core, apps, batch, storage, policy, scheduling, node v1.
 */
import type { ObjectMeta } from "../types.ts";

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Optional scalars that are pointers, by model. */
export const pointerFields: Readonly<Record<string, readonly string[]>> = {
  AppArmorProfile: ["localhostProfile"],
  AzureDiskVolumeSource: ["cachingMode", "fsType", "kind", "readOnly"],
  AzureFilePersistentVolumeSource: ["secretNamespace"],
  CSIDriverSpec: words(
    "attachRequired fsGroupPolicy nodeAllocatableUpdatePeriodSeconds podInfoOnMount preventPodSchedulingIfMissing requiresRepublish seLinuxMount serviceAccountTokenInSecrets storageCapacity",
  ),
  CSIStorageCapacity: ["capacity", "maximumVolumeSize"],
  CSIVolumeSource: ["fsType", "readOnly"],
  ClientIPConfig: ["timeoutSeconds"],
  ClusterTrustBundleProjection: ["name", "optional", "signerName"],
  ConfigMap: ["immutable"],
  ConfigMapEnvSource: ["optional"],
  ConfigMapKeySelector: ["optional"],
  ConfigMapProjection: ["optional"],
  ConfigMapVolumeSource: ["defaultMode", "optional"],
  Container: ["restartPolicy"],
  ContainerStatus: ["started", "stopSignal"],
  CronJobSpec: words(
    "failedJobsHistoryLimit startingDeadlineSeconds successfulJobsHistoryLimit suspend timeZone",
  ),
  DaemonSetSpec: ["revisionHistoryLimit"],
  DaemonSetStatus: ["collisionCount"],
  DeploymentSpec: words("progressDeadlineSeconds replicas revisionHistoryLimit"),
  DeploymentStatus: ["collisionCount", "terminatingReplicas"],
  DownwardAPIVolumeFile: ["mode"],
  DownwardAPIVolumeSource: ["defaultMode"],
  EmptyDirVolumeSource: ["sizeLimit"],
  EphemeralContainer: ["restartPolicy"],
  FCVolumeSource: ["lun"],
  FileKeySelector: ["optional"],
  GRPCAction: ["service"],
  GlusterfsPersistentVolumeSource: ["endpointsNamespace"],
  HostPathVolumeSource: ["type"],
  ISCSIPersistentVolumeSource: ["initiatorName"],
  ISCSIVolumeSource: ["initiatorName"],
  JobSpec: words(
    "activeDeadlineSeconds backoffLimit backoffLimitPerIndex completionMode completions managedBy manualSelector maxFailedIndexes parallelism podReplacementPolicy suspend ttlSecondsAfterFinished",
  ),
  JobStatus: ["failedIndexes", "ready", "terminating"],
  KeyToPath: ["mode"],
  Lifecycle: ["stopSignal"],
  LoadBalancerIngress: ["ipMode"],
  LocalVolumeSource: ["fsType"],
  NodeFeatures: ["supplementalGroupsPolicy"],
  NodeRuntimeHandlerFeatures: ["recursiveReadOnlyMounts", "userNamespaces"],
  NodeSwapStatus: ["capacity"],
  ObjectMeta: ["deletionGracePeriodSeconds"],
  OwnerReference: ["blockOwnerDeletion", "controller"],
  PersistentVolumeClaimSpec: words("storageClassName volumeAttributesClassName volumeMode"),
  PersistentVolumeClaimStatus: ["currentVolumeAttributesClassName"],
  PersistentVolumeSpec: ["volumeAttributesClassName", "volumeMode"],
  PodAffinityTerm: [],
  PodCertificateProjection: ["maxExpirationSeconds"],
  PodDNSConfigOption: ["value"],
  PodDisruptionBudgetSpec: words("maxUnavailable minAvailable unhealthyPodEvictionPolicy"),
  PodFailurePolicyOnExitCodesRequirement: ["containerName"],
  PodResourceClaim: ["resourceClaimName", "resourceClaimTemplateName"],
  PodResourceClaimStatus: ["resourceClaimName"],
  PodSchedulingGroup: ["podGroupName"],
  PodSecurityContext: words(
    "fsGroup fsGroupChangePolicy runAsGroup runAsNonRoot runAsUser seLinuxChangePolicy supplementalGroupsPolicy",
  ),
  PodSpec: words(
    "activeDeadlineSeconds automountServiceAccountToken enableServiceLinks hostUsers hostnameOverride preemptionPolicy priority runtimeClassName setHostnameAsFQDN shareProcessNamespace terminationGracePeriodSeconds",
  ),
  PortStatus: ["error"],
  PriorityClass: ["preemptionPolicy"],
  Probe: ["terminationGracePeriodSeconds"],
  ProjectedVolumeSource: ["defaultMode"],
  ReplicaSetSpec: ["replicas"],
  ReplicaSetStatus: ["terminatingReplicas"],
  ReplicationControllerSpec: ["replicas"],
  ResourceHealth: ["message"],
  RollingUpdateDaemonSet: ["maxSurge", "maxUnavailable"],
  RollingUpdateDeployment: ["maxSurge", "maxUnavailable"],
  RollingUpdateStatefulSetStrategy: ["maxUnavailable", "partition"],
  SeccompProfile: ["localhostProfile"],
  Secret: ["immutable"],
  SecretEnvSource: ["optional"],
  SecretKeySelector: ["optional"],
  SecretProjection: ["optional"],
  SecretVolumeSource: ["defaultMode", "optional"],
  SecurityContext: words(
    "allowPrivilegeEscalation privileged procMount readOnlyRootFilesystem runAsGroup runAsNonRoot runAsUser",
  ),
  ServiceAccount: ["automountServiceAccountToken"],
  ServiceAccountTokenProjection: ["expirationSeconds"],
  ServicePort: ["appProtocol"],
  ServiceSpec: words(
    "allocateLoadBalancerNodePorts internalTrafficPolicy ipFamilyPolicy loadBalancerClass trafficDistribution",
  ),
  StatefulSetSpec: ["replicas", "revisionHistoryLimit"],
  StatefulSetStatus: ["collisionCount"],
  StorageClass: words("allowVolumeExpansion reclaimPolicy volumeBindingMode"),
  SuccessPolicyRule: ["succeededCount", "succeededIndexes"],
  TokenRequest: ["expirationSeconds"],
  Toleration: ["tolerationSeconds"],
  TopologySpreadConstraint: words("minDomains nodeAffinityPolicy nodeTaintsPolicy"),
  TypedLocalObjectReference: ["apiGroup"],
  TypedObjectReference: ["apiGroup", "namespace"],
  VolumeAttachmentSource: ["persistentVolumeName"],
  VolumeError: ["errorCode"],
  VolumeMount: ["mountPropagation", "recursiveReadOnly"],
  VolumeMountStatus: ["recursiveReadOnly"],
  VolumeNodeResources: ["count"],
  WindowsSecurityContextOptions: words(
    "gmsaCredentialSpec gmsaCredentialSpecName hostProcess runAsUserName",
  ),
};

/** Fields that are optional in OpenAPI, but written by Go even when empty. */
export const alwaysWritten: ReadonlySet<string> = new Set([
  "StatefulSetSpec.serviceName",
  "StatefulSetStatus.availableReplicas",
  "StatefulSetOrdinals.start",
  "ResourceFieldSelector.divisor",
  "PriorityClass.value",
  "NodeRuntimeHandler.name",
  "PodDisruptionBudgetStatus.currentHealthy",
  "PodDisruptionBudgetStatus.desiredHealthy",
  "PodDisruptionBudgetStatus.disruptionsAllowed",
  "PodDisruptionBudgetStatus.expectedPods",
]);

/** Structs held by value, which exist even when nothing is written. `metadata` of every kind is one, too. */
export const valueStructs: ReadonlySet<string> = new Set(
  words(`
  Container.resources EphemeralContainer.resources PersistentVolumeClaimSpec.resources
  PodTemplate.template DeploymentSpec.template ReplicaSetSpec.template StatefulSetSpec.template DaemonSetSpec.template
  JobSpec.template CronJobSpec.jobTemplate PodTemplateSpec.metadata PodTemplateSpec.spec JobTemplateSpec.metadata JobTemplateSpec.spec
  PersistentVolumeClaimTemplate.metadata PersistentVolumeClaimTemplate.spec PersistentVolumeClaim.metadata
  DeploymentSpec.strategy StatefulSetSpec.updateStrategy DaemonSetSpec.updateStrategy
  VolumeAttachmentSpec.source WeightedPodAffinityTerm.podAffinityTerm PreferredSchedulingTerm.preference
  NodeStatus.daemonEndpoints NodeStatus.nodeInfo NodeDaemonEndpoints.kubeletEndpoint
  ContainerStatus.state ContainerStatus.lastState ServiceStatus.loadBalancer
  PersistentVolume.spec PersistentVolumeClaim.spec Pod.spec Node.spec Namespace.spec Service.spec ResourceQuota.spec LimitRange.spec
  ReplicationController.spec VolumeAttachment.spec CSIDriver.spec CSINode.spec Deployment.spec ReplicaSet.spec StatefulSet.spec
  DaemonSet.spec Job.spec CronJob.spec PodDisruptionBudget.spec
  PersistentVolume.status PersistentVolumeClaim.status Pod.status Node.status Namespace.status Service.status ResourceQuota.status
  ReplicationController.status VolumeAttachment.status Deployment.status ReplicaSet.status StatefulSet.status DaemonSet.status
  Job.status CronJob.status PodDisruptionBudget.status
`),
);

/** Single fields that are quantities. */
export const quantityFields: ReadonlySet<string> = new Set(
  words(
    "CSIStorageCapacity.capacity CSIStorageCapacity.maximumVolumeSize EmptyDirVolumeSource.sizeLimit ResourceFieldSelector.divisor",
  ),
);

/** Maps from resource names to quantities. */
export const resourceListFields: ReadonlySet<string> = new Set(
  words(`
  ContainerStatus.allocatedResources LimitRangeItem.default LimitRangeItem.defaultRequest LimitRangeItem.max
  LimitRangeItem.maxLimitRequestRatio LimitRangeItem.min NodeAllocatableResourceClaimStatus.resources
  NodeStatus.allocatable NodeStatus.capacity Overhead.podFixed
  PersistentVolumeClaimStatus.allocatedResources PersistentVolumeClaimStatus.capacity PersistentVolumeSpec.capacity PodSpec.overhead
  PodStatus.allocatedResources ResourceQuotaSpec.hard ResourceQuotaStatus.hard ResourceQuotaStatus.used
  ResourceRequirements.limits ResourceRequirements.requests VolumeResourceRequirements.limits VolumeResourceRequirements.requests
`),
);

/** Named string types; for a list or map, that of its elements. In package v1 unless another one is written. */
export const namedTypes: Readonly<Record<string, string>> = {
  "AppArmorProfile.type": "AppArmorProfileType",
  "AzureDiskVolumeSource.cachingMode": "AzureDataDiskCachingMode",
  "AzureDiskVolumeSource.kind": "AzureDataDiskKind",
  "CSIDriverSpec.fsGroupPolicy": "FSGroupPolicy",
  "CSIDriverSpec.volumeLifecycleModes": "VolumeLifecycleMode",
  "Capabilities.add": "Capability",
  "Capabilities.drop": "Capability",
  "Condition.status": "ConditionStatus",
  "ConfigMapNodeConfigSource.uid": "types.UID",
  "Container.imagePullPolicy": "PullPolicy",
  "Container.restartPolicy": "ContainerRestartPolicy",
  "Container.terminationMessagePolicy": "TerminationMessagePolicy",
  "ContainerPort.protocol": "Protocol",
  "ContainerResizePolicy.resourceName": "ResourceName",
  "ContainerResizePolicy.restartPolicy": "ResourceResizeRestartPolicy",
  "ContainerRestartRule.action": "ContainerRestartRuleAction",
  "ContainerRestartRuleOnExitCodes.operator": "ContainerRestartRuleOnExitCodesOperator",
  "ContainerStatus.stopSignal": "Signal",
  "CronJobSpec.concurrencyPolicy": "ConcurrencyPolicy",
  "DaemonSetCondition.status": "ConditionStatus",
  "DaemonSetCondition.type": "DaemonSetConditionType",
  "DaemonSetUpdateStrategy.type": "DaemonSetUpdateStrategyType",
  "DeploymentCondition.status": "ConditionStatus",
  "DeploymentCondition.type": "DeploymentConditionType",
  "DeploymentStrategy.type": "DeploymentStrategyType",
  "EmptyDirVolumeSource.medium": "StorageMedium",
  "EphemeralContainer.imagePullPolicy": "PullPolicy",
  "EphemeralContainer.restartPolicy": "ContainerRestartPolicy",
  "EphemeralContainer.terminationMessagePolicy": "TerminationMessagePolicy",
  "HTTPGetAction.scheme": "URIScheme",
  "HostPathVolumeSource.type": "HostPathType",
  "ImageVolumeSource.pullPolicy": "PullPolicy",
  "JobCondition.status": "ConditionStatus",
  "JobCondition.type": "JobConditionType",
  "JobSpec.completionMode": "CompletionMode",
  "JobSpec.podReplacementPolicy": "PodReplacementPolicy",
  "LabelSelectorRequirement.operator": "LabelSelectorOperator",
  "Lifecycle.stopSignal": "Signal",
  "LimitRangeItem.type": "LimitType",
  "LoadBalancerIngress.ipMode": "LoadBalancerIPMode",
  "ManagedFieldsEntry.operation": "ManagedFieldsOperationType",
  "ModifyVolumeStatus.status": "PersistentVolumeClaimModifyVolumeStatus",
  "NamespaceCondition.status": "ConditionStatus",
  "NamespaceCondition.type": "NamespaceConditionType",
  "NamespaceSpec.finalizers": "FinalizerName",
  "NamespaceStatus.phase": "NamespacePhase",
  "NodeAddress.type": "NodeAddressType",
  "NodeCondition.status": "ConditionStatus",
  "NodeCondition.type": "NodeConditionType",
  "NodeSelectorRequirement.operator": "NodeSelectorOperator",
  "NodeStatus.phase": "NodePhase",
  "NodeStatus.volumesInUse": "UniqueVolumeName",
  "AttachedVolume.name": "UniqueVolumeName",
  "ObjectMeta.uid": "types.UID",
  "ObjectReference.uid": "types.UID",
  "OwnerReference.uid": "types.UID",
  "PersistentVolumeClaimCondition.status": "ConditionStatus",
  "PersistentVolumeClaimCondition.type": "PersistentVolumeClaimConditionType",
  "PersistentVolumeClaimSpec.accessModes": "PersistentVolumeAccessMode",
  "PersistentVolumeClaimSpec.volumeMode": "PersistentVolumeMode",
  "PersistentVolumeClaimStatus.accessModes": "PersistentVolumeAccessMode",
  "PersistentVolumeClaimStatus.allocatedResourceStatuses": "ClaimResourceStatus",
  "PersistentVolumeClaimStatus.phase": "PersistentVolumeClaimPhase",
  "PersistentVolumeSpec.accessModes": "PersistentVolumeAccessMode",
  "PersistentVolumeSpec.persistentVolumeReclaimPolicy": "PersistentVolumeReclaimPolicy",
  "PersistentVolumeSpec.volumeMode": "PersistentVolumeMode",
  "PersistentVolumeStatus.phase": "PersistentVolumePhase",
  "PodCondition.status": "ConditionStatus",
  "PodCondition.type": "PodConditionType",
  "PodDisruptionBudgetSpec.unhealthyPodEvictionPolicy": "UnhealthyPodEvictionPolicyType",
  "PodFailurePolicyOnExitCodesRequirement.operator": "PodFailurePolicyOnExitCodesOperator",
  "PodFailurePolicyOnPodConditionsPattern.status": "ConditionStatus",
  "PodFailurePolicyOnPodConditionsPattern.type": "PodConditionType",
  "PodFailurePolicyRule.action": "PodFailurePolicyAction",
  "PodOS.name": "OSName",
  "PodReadinessGate.conditionType": "PodConditionType",
  "PodSecurityContext.fsGroupChangePolicy": "PodFSGroupChangePolicy",
  "PodSecurityContext.seLinuxChangePolicy": "PodSELinuxChangePolicy",
  "PodSecurityContext.supplementalGroupsPolicy": "SupplementalGroupsPolicy",
  "PodSpec.dnsPolicy": "DNSPolicy",
  "PodSpec.preemptionPolicy": "PreemptionPolicy",
  "PodSpec.restartPolicy": "RestartPolicy",
  "PodStatus.phase": "PodPhase",
  "PodStatus.qosClass": "PodQOSClass",
  "PodStatus.resize": "PodResizeStatus",
  "PortStatus.protocol": "Protocol",
  "PriorityClass.preemptionPolicy": "PreemptionPolicy",
  "ReplicaSetCondition.status": "ConditionStatus",
  "ReplicaSetCondition.type": "ReplicaSetConditionType",
  "ReplicationControllerCondition.status": "ConditionStatus",
  "ReplicationControllerCondition.type": "ReplicationControllerConditionType",
  "ResourceHealth.health": "ResourceHealthStatus",
  "ResourceHealth.resourceID": "ResourceID",
  "ResourceQuotaSpec.scopes": "ResourceQuotaScope",
  "ResourceStatus.name": "ResourceName",
  "ScopedResourceSelectorRequirement.operator": "ScopeSelectorOperator",
  "ScopedResourceSelectorRequirement.scopeName": "ResourceQuotaScope",
  "SeccompProfile.type": "SeccompProfileType",
  "Secret.type": "SecretType",
  "SecurityContext.procMount": "ProcMountType",
  "ServicePort.protocol": "Protocol",
  "ServiceSpec.externalTrafficPolicy": "ServiceExternalTrafficPolicy",
  "ServiceSpec.internalTrafficPolicy": "ServiceInternalTrafficPolicy",
  "ServiceSpec.ipFamilies": "IPFamily",
  "ServiceSpec.ipFamilyPolicy": "IPFamilyPolicy",
  "ServiceSpec.sessionAffinity": "ServiceAffinity",
  "ServiceSpec.type": "ServiceType",
  "StatefulSetCondition.status": "ConditionStatus",
  "StatefulSetCondition.type": "StatefulSetConditionType",
  "StatefulSetPersistentVolumeClaimRetentionPolicy.whenDeleted":
    "PersistentVolumeClaimRetentionPolicyType",
  "StatefulSetPersistentVolumeClaimRetentionPolicy.whenScaled":
    "PersistentVolumeClaimRetentionPolicyType",
  "StatefulSetSpec.podManagementPolicy": "PodManagementPolicyType",
  "StatefulSetUpdateStrategy.type": "StatefulSetUpdateStrategyType",
  "StorageClass.reclaimPolicy": "PersistentVolumeReclaimPolicy",
  "StorageClass.volumeBindingMode": "VolumeBindingMode",
  "Taint.effect": "TaintEffect",
  "Toleration.effect": "TaintEffect",
  "Toleration.operator": "TolerationOperator",
  "TopologySpreadConstraint.nodeAffinityPolicy": "NodeInclusionPolicy",
  "TopologySpreadConstraint.nodeTaintsPolicy": "NodeInclusionPolicy",
  "TopologySpreadConstraint.whenUnsatisfiable": "UnsatisfiableConstraintAction",
  "UncountedTerminatedPods.failed": "types.UID",
  "UncountedTerminatedPods.succeeded": "types.UID",
  "VolumeMount.mountPropagation": "MountPropagationMode",
  "VolumeMount.recursiveReadOnly": "RecursiveReadOnlyMode",
  "VolumeMountStatus.recursiveReadOnly": "RecursiveReadOnlyMode",
};

/** The fields of a PersistentVolume's spec of which it has exactly one. */
export const persistentVolumeSources: ReadonlySet<string> = new Set(
  words(`
  awsElasticBlockStore azureDisk azureFile cephfs cinder csi fc flexVolume flocker gcePersistentDisk glusterfs hostPath iscsi local
  nfs photonPersistentDisk portworxVolume quobyte rbd scaleIO storageos vsphereVolume
`),
);
const probeHandlers: ReadonlySet<string> = new Set(["exec", "grpc", "httpGet", "tcpSocket"]);
const namingReferences: ReadonlySet<string> = new Set(
  words(`
  ConfigMapEnvSource SecretEnvSource ConfigMapKeySelector SecretKeySelector ConfigMapVolumeSource ConfigMapProjection SecretProjection
`),
);

/** The embedded Go struct that holds a field, which the paths of type errors name (1.35 and newer). */
export function embeddedStruct(model: string, field: string): string | undefined {
  if (model === "PersistentVolumeSpec")
    return persistentVolumeSources.has(field) ? "PersistentVolumeSource" : undefined;
  if (model === "Volume") return field === "name" ? undefined : "VolumeSource";
  if (model === "Probe") return probeHandlers.has(field) ? "ProbeHandler" : undefined;
  if (model === "EphemeralContainer")
    return field === "targetContainerName" ? undefined : "EphemeralContainerCommon";
  return field === "name" && namingReferences.has(model) ? "LocalObjectReference" : undefined;
}

/** The fields of ObjectMeta, in Go's order. */
export const objectMetaFields: readonly (keyof ObjectMeta)[] = [
  "name",
  "generateName",
  "namespace",
  "selfLink",
  "uid",
  "resourceVersion",
  "generation",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "labels",
  "annotations",
  "ownerReferences",
  "finalizers",
  "managedFields",
];
