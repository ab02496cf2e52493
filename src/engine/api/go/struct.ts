/**
 * Objects as the API server marshals its internal types into messages: Go's field names in Go's order, nothing left out.
 * Upstream: pkg/apis/core/types.go and pkg/apis/storage/types.go, v1.36.
 */
import {
  objectMetaFields,
  pointerFields,
  quantityFields,
  resourceListFields,
  valueStructs,
} from "../decoding/go-types.ts";
import { modelSchemas } from "../schema.ts";
import type { LabelSelector, LabelSelectorRequirement, OwnerReference } from "../types.ts";
import { sortedMap } from "./text.ts";

/**
 * The fields of each internal struct. A name stands for the v1 field that is spelled the same except for case; otherwise that
 * field follows after a colon.
 */
const structs: Readonly<Record<string, string>> = {
  AWSElasticBlockStoreVolumeSource: "VolumeID FSType Partition ReadOnly",
  Affinity: "NodeAffinity PodAffinity PodAntiAffinity",
  AppArmorProfile: "Type LocalhostProfile",
  AzureDiskVolumeSource: "DiskName DataDiskURI:diskURI CachingMode FSType ReadOnly Kind",
  AzureFilePersistentVolumeSource: "SecretName ShareName ReadOnly SecretNamespace",
  AzureFileVolumeSource: "SecretName ShareName ReadOnly",
  CSINodeDriver: "Name NodeID TopologyKeys Allocatable",
  CSIPersistentVolumeSource:
    "Driver VolumeHandle ReadOnly FSType VolumeAttributes ControllerPublishSecretRef NodeStageSecretRef NodePublishSecretRef ControllerExpandSecretRef NodeExpandSecretRef",
  CSIVolumeSource: "Driver ReadOnly FSType VolumeAttributes NodePublishSecretRef",
  Capabilities: "Add Drop",
  CephFSPersistentVolumeSource: "Monitors Path User SecretFile SecretRef ReadOnly",
  CephFSVolumeSource: "Monitors Path User SecretFile SecretRef ReadOnly",
  CinderPersistentVolumeSource: "VolumeID FSType ReadOnly SecretRef",
  CinderVolumeSource: "VolumeID FSType ReadOnly SecretRef",
  ClusterTrustBundleProjection: "Name SignerName LabelSelector Optional Path",
  ConfigMapEnvSource: "Name Optional",
  ConfigMapKeySelector: "Name Key Optional",
  ConfigMapProjection: "Name Items Optional",
  ConfigMapVolumeSource: "Name Items DefaultMode Optional",
  Container:
    "Name Image Command Args WorkingDir Ports EnvFrom Env Resources ResizePolicy RestartPolicy RestartPolicyRules VolumeMounts VolumeDevices LivenessProbe ReadinessProbe StartupProbe Lifecycle TerminationMessagePath TerminationMessagePolicy ImagePullPolicy SecurityContext Stdin StdinOnce TTY",
  ContainerPort: "Name HostPort ContainerPort Protocol HostIP",
  ContainerResizePolicy: "ResourceName RestartPolicy",
  ContainerRestartRule: "Action ExitCodes",
  ContainerRestartRuleOnExitCodes: "Operator Values",
  DownwardAPIProjection: "Items",
  DownwardAPIVolumeFile: "Path FieldRef ResourceFieldRef Mode",
  DownwardAPIVolumeSource: "Items DefaultMode",
  EmptyDirVolumeSource: "Medium SizeLimit",
  EnvFromSource: "Prefix ConfigMapRef SecretRef",
  EnvVar: "Name Value ValueFrom",
  EnvVarSource: "FieldRef ResourceFieldRef ConfigMapKeyRef SecretKeyRef FileKeyRef",
  EphemeralContainer:
    "Name Image Command Args WorkingDir Ports EnvFrom Env Resources ResizePolicy RestartPolicy RestartPolicyRules VolumeMounts VolumeDevices LivenessProbe ReadinessProbe StartupProbe Lifecycle TerminationMessagePath TerminationMessagePolicy ImagePullPolicy SecurityContext Stdin StdinOnce TTY TargetContainerName",
  EphemeralVolumeSource: "VolumeClaimTemplate",
  ExecAction: "Command",
  FCVolumeSource: "TargetWWNs Lun FSType ReadOnly WWIDs",
  FileKeySelector: "VolumeName Path Key Optional",
  FlexPersistentVolumeSource: "Driver FSType SecretRef ReadOnly Options",
  FlexVolumeSource: "Driver FSType SecretRef ReadOnly Options",
  FlockerVolumeSource: "DatasetName DatasetUUID",
  GCEPersistentDiskVolumeSource: "PDName FSType Partition ReadOnly",
  GRPCAction: "Port Service",
  GitRepoVolumeSource: "Repository Revision Directory",
  GlusterfsPersistentVolumeSource: "EndpointsName:endpoints Path ReadOnly EndpointsNamespace",
  GlusterfsVolumeSource: "EndpointsName:endpoints Path ReadOnly",
  HTTPGetAction: "Path Port Host Scheme HTTPHeaders",
  HTTPHeader: "Name Value",
  HostAlias: "IP Hostnames",
  HostPathVolumeSource: "Path Type",
  ISCSIPersistentVolumeSource:
    "TargetPortal IQN Lun ISCSIInterface FSType ReadOnly Portals DiscoveryCHAPAuth:chapAuthDiscovery SessionCHAPAuth:chapAuthSession SecretRef InitiatorName",
  ISCSIVolumeSource:
    "TargetPortal IQN Lun ISCSIInterface FSType ReadOnly Portals DiscoveryCHAPAuth:chapAuthDiscovery SessionCHAPAuth:chapAuthSession SecretRef InitiatorName",
  ImageVolumeSource: "Reference PullPolicy",
  KeyToPath: "Key Path Mode",
  Lifecycle: "PostStart PreStop StopSignal",
  LifecycleHandler: "Exec HTTPGet TCPSocket Sleep",
  LocalObjectReference: "Name",
  LocalVolumeSource: "Path FSType",
  NFSVolumeSource: "Server Path ReadOnly",
  NodeAffinity:
    "RequiredDuringSchedulingIgnoredDuringExecution PreferredDuringSchedulingIgnoredDuringExecution",
  NodeSelector: "NodeSelectorTerms",
  NodeSelectorRequirement: "Key Operator Values",
  NodeSelectorTerm: "MatchExpressions MatchFields",
  ObjectFieldSelector: "APIVersion FieldPath",
  ObjectReference: "Kind Namespace Name UID APIVersion ResourceVersion FieldPath",
  PersistentVolumeClaimSpec:
    "AccessModes Selector Resources VolumeName StorageClassName VolumeMode DataSource DataSourceRef VolumeAttributesClassName",
  PersistentVolumeClaimTemplate: "+metadata Spec",
  PersistentVolumeClaimVolumeSource: "ClaimName ReadOnly",
  PersistentVolumeSource:
    "GCEPersistentDisk AWSElasticBlockStore HostPath Glusterfs NFS RBD Quobyte ISCSI FlexVolume Cinder CephFS FC Flocker AzureFile VsphereVolume AzureDisk PhotonPersistentDisk PortworxVolume ScaleIO Local StorageOS CSI",
  PersistentVolumeSpec:
    "Capacity GCEPersistentDisk AWSElasticBlockStore HostPath Glusterfs NFS RBD Quobyte ISCSI FlexVolume Cinder CephFS FC Flocker AzureFile VsphereVolume AzureDisk PhotonPersistentDisk PortworxVolume ScaleIO Local StorageOS CSI AccessModes ClaimRef PersistentVolumeReclaimPolicy StorageClassName MountOptions VolumeMode NodeAffinity VolumeAttributesClassName",
  PhotonPersistentDiskVolumeSource: "PdID FSType",
  PodAffinity:
    "RequiredDuringSchedulingIgnoredDuringExecution PreferredDuringSchedulingIgnoredDuringExecution",
  PodAffinityTerm:
    "LabelSelector Namespaces TopologyKey NamespaceSelector MatchLabelKeys MismatchLabelKeys",
  PodAntiAffinity:
    "RequiredDuringSchedulingIgnoredDuringExecution PreferredDuringSchedulingIgnoredDuringExecution",
  PodCertificateProjection:
    "SignerName KeyType MaxExpirationSeconds CredentialBundlePath KeyPath CertificateChainPath UserAnnotations",
  PodDNSConfig: "Nameservers Searches Options",
  PodDNSConfigOption: "Name Value",
  PodDisruptionBudgetSpec: "MinAvailable Selector MaxUnavailable UnhealthyPodEvictionPolicy",
  PodFailurePolicy: "Rules",
  PodFailurePolicyOnExitCodesRequirement: "ContainerName Operator Values",
  PodFailurePolicyOnPodConditionsPattern: "Type Status",
  PodFailurePolicyRule: "Action OnExitCodes OnPodConditions",
  PodOS: "Name",
  PodReadinessGate: "ConditionType",
  PodResourceClaim: "Name ResourceClaimName ResourceClaimTemplateName",
  PodSchedulingGate: "Name",
  PodSchedulingGroup: "PodGroupName",
  PodSecurityContext:
    "HostNetwork HostPID HostIPC ShareProcessNamespace HostUsers SELinuxOptions WindowsOptions RunAsUser RunAsGroup RunAsNonRoot SupplementalGroups SupplementalGroupsPolicy FSGroup FSGroupChangePolicy Sysctls SeccompProfile AppArmorProfile SELinuxChangePolicy",
  PodSpec:
    "Volumes InitContainers Containers EphemeralContainers RestartPolicy TerminationGracePeriodSeconds ActiveDeadlineSeconds DNSPolicy NodeSelector ServiceAccountName AutomountServiceAccountToken NodeName SecurityContext ImagePullSecrets Hostname Subdomain SetHostnameAsFQDN Affinity SchedulerName Tolerations HostAliases PriorityClassName Priority PreemptionPolicy DNSConfig ReadinessGates RuntimeClassName Overhead EnableServiceLinks TopologySpreadConstraints OS SchedulingGates ResourceClaims Resources HostnameOverride SchedulingGroup",
  PodTemplateSpec: "+metadata Spec",
  PortworxVolumeSource: "VolumeID FSType ReadOnly",
  PreferredSchedulingTerm: "Weight Preference",
  Probe:
    "Exec HTTPGet TCPSocket GRPC InitialDelaySeconds TimeoutSeconds PeriodSeconds SuccessThreshold FailureThreshold TerminationGracePeriodSeconds",
  ProjectedVolumeSource: "Sources DefaultMode",
  QuobyteVolumeSource: "Registry Volume ReadOnly User Group Tenant",
  RBDPersistentVolumeSource:
    "CephMonitors:monitors RBDImage:image FSType RBDPool:pool RadosUser:user Keyring SecretRef ReadOnly",
  RBDVolumeSource:
    "CephMonitors:monitors RBDImage:image FSType RBDPool:pool RadosUser:user Keyring SecretRef ReadOnly",
  ResourceClaim: "Name Request",
  ResourceFieldSelector: "ContainerName Resource Divisor",
  ResourceRequirements: "Limits Requests Claims",
  SELinuxOptions: "User Role Type Level",
  ScaleIOPersistentVolumeSource:
    "Gateway System SecretRef SSLEnabled ProtectionDomain StoragePool StorageMode VolumeName FSType ReadOnly",
  ScaleIOVolumeSource:
    "Gateway System SecretRef SSLEnabled ProtectionDomain StoragePool StorageMode VolumeName FSType ReadOnly",
  ScopeSelector: "MatchExpressions",
  ScopedResourceSelectorRequirement: "ScopeName Operator Values",
  SeccompProfile: "Type LocalhostProfile",
  SecretEnvSource: "Name Optional",
  SecretKeySelector: "Name Key Optional",
  SecretProjection: "Name Items Optional",
  SecretReference: "Name Namespace",
  SecretVolumeSource: "SecretName Items DefaultMode Optional",
  SecurityContext:
    "Capabilities Privileged SELinuxOptions WindowsOptions RunAsUser RunAsGroup RunAsNonRoot ReadOnlyRootFilesystem AllowPrivilegeEscalation ProcMount SeccompProfile AppArmorProfile",
  ServiceAccountTokenProjection: "Audience ExpirationSeconds Path",
  SleepAction: "Seconds",
  StorageOSPersistentVolumeSource: "VolumeName VolumeNamespace FSType ReadOnly SecretRef",
  StorageOSVolumeSource: "VolumeName VolumeNamespace FSType ReadOnly SecretRef",
  SuccessPolicy: "Rules",
  SuccessPolicyRule: "SucceededIndexes SucceededCount",
  Sysctl: "Name Value",
  TCPSocketAction: "Port Host",
  Toleration: "Key Operator Value Effect TolerationSeconds",
  TopologySpreadConstraint:
    "MaxSkew TopologyKey WhenUnsatisfiable LabelSelector MinDomains NodeAffinityPolicy NodeTaintsPolicy MatchLabelKeys",
  TypedLocalObjectReference: "APIGroup Kind Name",
  TypedObjectReference: "APIGroup Kind Name Namespace",
  UncountedTerminatedPods: "Succeeded Failed",
  Volume:
    "Name HostPath EmptyDir GCEPersistentDisk AWSElasticBlockStore GitRepo Secret NFS ISCSI Glusterfs PersistentVolumeClaim RBD Quobyte FlexVolume Cinder CephFS Flocker DownwardAPI FC AzureFile ConfigMap VsphereVolume AzureDisk PhotonPersistentDisk Projected PortworxVolume ScaleIO StorageOS CSI Ephemeral Image",
  VolumeAttachmentSource: "PersistentVolumeName InlineVolumeSpec",
  VolumeAttachmentSpec: "Attacher Source NodeName",
  VolumeDevice: "Name DevicePath",
  VolumeMount: "Name ReadOnly RecursiveReadOnly MountPath SubPath MountPropagation SubPathExpr",
  VolumeNodeAffinity: "Required",
  VolumeNodeResources: "Count",
  VolumeProjection:
    "Secret DownwardAPI ConfigMap ServiceAccountToken ClusterTrustBundle PodCertificate",
  VolumeResourceRequirements: "Limits Requests",
  VsphereVirtualDiskVolumeSource: "VolumePath FSType StoragePolicyName StoragePolicyID",
  WeightedPodAffinityTerm: "Weight PodAffinityTerm",
  WindowsSecurityContextOptions:
    "GMSACredentialSpecName GMSACredentialSpec RunAsUserName HostProcess",
};

interface GoField {
  readonly goName: string;
  readonly name: string;
  readonly type: string;
  /** A missing value is shown as null, not as the zero value. */
  readonly nullable: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

const compiled = new Map<string, readonly GoField[]>();

/** The struct for a model's value; undefined gives the zero value. Models of meta/v1 are returned as they are. */
export function goStruct(model: string, value: unknown): unknown {
  if (structs[model] === undefined) return value;
  const source = (value ?? {}) as Fields;
  const shown: Record<string, unknown> = {};
  for (const field of fieldsOf(model)) {
    if (field.goName === "+metadata") Object.assign(shown, embeddedMeta(source["metadata"]));
    else
      shown[field.goName] = goValue(
        field.type,
        fieldValue(model, source, field.name),
        field.nullable,
      );
  }
  return shown;
}

/** ObjectMeta is marshaled under its JSON names, with sorted keys in maps and without empty fields. */
function embeddedMeta(metadata: unknown): Fields {
  const source = (metadata ?? {}) as Fields;
  const shown: Record<string, unknown> = {};
  for (const name of objectMetaFields) {
    const value = source[name];
    if (value === undefined || isEmpty(value)) continue;
    shown[name] = metaValue(name, value);
  }
  return shown;
}

function metaValue(name: string, value: unknown): unknown {
  if (name === "labels" || name === "annotations")
    return sortedMap(value as Readonly<Record<string, string>>);
  return name === "ownerReferences" ? (value as readonly OwnerReference[]).map(ownerStruct) : value;
}

/** Types of meta/v1 have their JSON names, and leave out nil pointers. */
export function ownerStruct(owner: OwnerReference): Fields {
  const { apiVersion, kind, name, uid, controller, blockOwnerDeletion } = owner;
  return {
    apiVersion,
    kind,
    name,
    uid,
    ...(controller !== undefined && { controller }),
    ...(blockOwnerDeletion !== undefined && { blockOwnerDeletion }),
  };
}

/** True for an empty map or list; empty texts are already left out by decoding. */
function isEmpty(value: unknown): boolean {
  return typeof value === "object" && Object.keys(value ?? {}).length === 0;
}

const hostFields: readonly string[] = [
  "hostNetwork",
  "hostPID",
  "hostIPC",
  "shareProcessNamespace",
  "hostUsers",
];

/** Internally a pod's host settings are part of its security context. */
function fieldValue(model: string, source: Fields, name: string): unknown {
  if (model !== "PodSpec" || name !== "securityContext") return source[name];
  const context: Record<string, unknown> = { ...(source["securityContext"] as object | undefined) };
  for (const field of hostFields) if (source[field] !== undefined) context[field] = source[field];
  return context;
}

function goValue(type: string, value: unknown, nullable: boolean): unknown {
  if (type.startsWith("[]"))
    return Array.isArray(value) ? value.map((item) => goValue(type.slice(2), item, false)) : null;
  if (type.startsWith("map[]"))
    return sortedMap(value as Readonly<Record<string, string>> | undefined);
  if (value === undefined || value === null) return nullable ? null : zero(type);
  if (structs[type] !== undefined) return goStruct(type, value);
  return type === "LabelSelector" ? selectorStruct(value) : value;
}

/** Types of meta/v1 have their JSON names, and leave out empty fields. */
export function selectorStruct({ matchLabels, matchExpressions = [] }: LabelSelector): Fields {
  const hasLabels = matchLabels !== undefined && Object.keys(matchLabels).length > 0;
  return {
    ...(hasLabels && { matchLabels: sortedMap(matchLabels) }),
    ...(matchExpressions.length > 0 && {
      matchExpressions: matchExpressions.map(requirementValue),
    }),
  };
}

function requirementValue({ key, operator, values = [] }: LabelSelectorRequirement): Fields {
  return { key, operator, ...(values.length > 0 && { values }) };
}

function zero(type: string): unknown {
  if (type === "string") return "";
  if (type === "quantity") return "0";
  if (type === "boolean") return false;
  return structs[type] === undefined ? 0 : goStruct(type, undefined);
}

function fieldsOf(model: string): readonly GoField[] {
  const known = compiled.get(model);
  if (known !== undefined) return known;
  const schema = {
    ...modelSchemas[model === "PersistentVolumeSource" ? "PersistentVolumeSpec" : model],
  };
  if (model === "PodSecurityContext") {
    for (const field of hostFields) schema[field] = ["boolean", 0];
  }
  const byLowerCase = new Map(Object.keys(schema).map((name) => [name.toLowerCase(), name]));
  const fields = (structs[model] ?? "").split(" ").map((text): GoField => {
    const [goName = "", written] = text.split(":");
    const name = written ?? byLowerCase.get(goName.toLowerCase()) ?? goName;
    const [type = "string"] = schema[name] ?? [];
    return {
      goName,
      name,
      type: quantityFields.has(`${model}.${name}`) ? "quantity" : type,
      nullable: isNullable(model, name, type),
    };
  });
  compiled.set(model, fields);
  return fields;
}

function isNullable(model: string, name: string, type: string): boolean {
  const path = `${model}.${name}`;
  if (path === "ResourceFieldSelector.divisor") return false;
  if (quantityFields.has(path) || resourceListFields.has(path)) return true;
  if (model === "PodSecurityContext" && (name === "shareProcessNamespace" || name === "hostUsers"))
    return true;
  const internal = internalPointers[path];
  if (internal !== undefined) return internal;
  if (pointerFields[model]?.includes(name) === true) return true;
  if (
    type === "string" ||
    type === "int32" ||
    type === "int64" ||
    type === "boolean" ||
    type === "intOrString"
  )
    return false;
  return !valueStructs.has(path);
}

/** Overrides for internal types that differ from v1's in what is a pointer. */
const internalPointers: Readonly<Record<string, boolean>> = {
  "CSIVolumeSource.fsType": true,
  "GRPCAction.service": true,
  "ScaleIOVolumeSource.secretRef": true,
  "ScaleIOPersistentVolumeSource.secretRef": true,
};
