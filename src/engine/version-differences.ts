/**
 * Differences between the Kubernetes versions that can be chosen, one predicate each, numbered as in docs/upstream. Everything
 * else behaves as in 1.36.
 */
import { atLeast, type KubernetesVersion } from "./scenario.ts";

type Predicate = (version: KubernetesVersion) => boolean;

function since(first: KubernetesVersion): Predicate {
  return (version) => atLeast(version, first);
}

function before(first: KubernetesVersion): Predicate {
  return (version) => !atLeast(version, first);
}

/**
 * Δ36: fields added after 1.32, with the first version whose OpenAPI has them; older servers refuse them as unknown. For a new
 * type, only the field that leads to it is listed.
 */
export const fieldsSince: ReadonlyMap<string, KubernetesVersion> = new Map([
  ["CSIDriverSpec.nodeAllocatableUpdatePeriodSeconds", "1.33"],
  ["ContainerStatus.stopSignal", "1.33"],
  ["DeploymentStatus.terminatingReplicas", "1.33"],
  ["Lifecycle.stopSignal", "1.33"],
  ["NodeSystemInfo.swap", "1.33"],
  ["PodCondition.observedGeneration", "1.33"],
  ["PodStatus.observedGeneration", "1.33"],
  ["ReplicaSetStatus.terminatingReplicas", "1.33"],
  ["VolumeError.errorCode", "1.33"],
  ["Container.restartPolicyRules", "1.34"],
  ["EnvVarSource.fileKeyRef", "1.34"],
  ["EphemeralContainer.restartPolicyRules", "1.34"],
  ["PodSpec.hostnameOverride", "1.34"],
  ["PodStatus.extendedResourceClaimStatus", "1.34"],
  ["VolumeProjection.podCertificate", "1.34"],
  ["CSIDriverSpec.serviceAccountTokenInSecrets", "1.35"],
  ["NodeStatus.declaredFeatures", "1.35"],
  ["PodCertificateProjection.userAnnotations", "1.35"],
  ["PodStatus.allocatedResources", "1.35"],
  ["PodStatus.resources", "1.35"],
  ["CSIDriverSpec.preventPodSchedulingIfMissing", "1.36"],
  ["PodSpec.schedulingGroup", "1.36"],
  ["PodStatus.nodeAllocatableResourceClaimStatuses", "1.36"],
  ["ResourceHealth.message", "1.36"],
  ["VolumeMountStatus.volumeStatus", "1.36"],
]);

export type PodGate =
  | "ContainerRestartRules"
  | "DynamicResourceAllocation"
  | "EnvFiles"
  | "HostnameOverride"
  | "ImageVolume"
  | "InPlacePodVerticalScaling"
  | "PodLevelResources"
  | "ProcMountType"
  | "SELinuxChangePolicy"
  | "SupplementalGroupsPolicy"
  | "UserNamespacesSupport";

/** Δ37: the first version in which each gate of pod fields is on; earlier servers drop the fields. */
const podGatesSince: Readonly<Record<PodGate, KubernetesVersion>> = {
  InPlacePodVerticalScaling: "1.33",
  ProcMountType: "1.33",
  SELinuxChangePolicy: "1.33",
  SupplementalGroupsPolicy: "1.33",
  UserNamespacesSupport: "1.33",
  DynamicResourceAllocation: "1.34",
  PodLevelResources: "1.34",
  ContainerRestartRules: "1.35",
  EnvFiles: "1.35",
  HostnameOverride: "1.35",
  ImageVolume: "1.35",
};

const attributesClassesSince: KubernetesVersion = "1.34";
const declaredFeaturesSince: KubernetesVersion = "1.36";
const mutableVolumeLimitsSince: KubernetesVersion = "1.35";

/**
 * Δ4, Δ34, Δ37, Δ66: fields that a server knows but drops while their gate is off, with the first version that keeps them.
 * Gates that only affect values are not listed.
 */
export const fieldsKeptSince: ReadonlyMap<string, KubernetesVersion> = new Map([
  ["CSIDriverSpec.nodeAllocatableUpdatePeriodSeconds", mutableVolumeLimitsSince],
  ["Container.resizePolicy", podGatesSince.InPlacePodVerticalScaling],
  ["Container.restartPolicyRules", podGatesSince.ContainerRestartRules],
  ["EnvVarSource.fileKeyRef", podGatesSince.EnvFiles],
  ["EphemeralContainer.restartPolicyRules", podGatesSince.ContainerRestartRules],
  ["NodeStatus.declaredFeatures", declaredFeaturesSince],
  ["PersistentVolumeClaimSpec.volumeAttributesClassName", attributesClassesSince],
  ["PersistentVolumeSpec.volumeAttributesClassName", attributesClassesSince],
  ["PodSecurityContext.seLinuxChangePolicy", podGatesSince.SELinuxChangePolicy],
  ["PodSecurityContext.supplementalGroupsPolicy", podGatesSince.SupplementalGroupsPolicy],
  ["PodSpec.hostUsers", podGatesSince.UserNamespacesSupport],
  ["PodSpec.hostnameOverride", podGatesSince.HostnameOverride],
  ["PodSpec.resourceClaims", podGatesSince.DynamicResourceAllocation],
  ["PodSpec.resources", podGatesSince.PodLevelResources],
  ["ResourceRequirements.claims", podGatesSince.DynamicResourceAllocation],
  ["Volume.image", podGatesSince.ImageVolume],
]);

export function isOn(gate: PodGate, version: KubernetesVersion): boolean {
  return atLeast(version, podGatesSince[gate]);
}

/** Δ38: before 1.34 only init containers could have a restartPolicy, and only Always. */
export const refusesOwnRestartPolicy: Predicate = before("1.34");

/** Δ39: gate GitRepoVolumeDriver is off: gitRepo volumes are no longer mounted. */
export const disablesGitRepo: Predicate = since("1.33");

/** Δ40: gate PodLifecycleSleepActionAllowZero: a lifecycle hook may sleep for 0 seconds. */
export const allowsSleepOfZero: Predicate = since("1.33");

/** Δ41: gate RelaxedDNSSearchValidation: a DNS search path may be a dot or contain underscores. */
export const relaxesSearchPaths: Predicate = since("1.33");

/** Δ42: gate PreferSameTrafficDistribution: trafficDistribution may be PreferSameZone or PreferSameNode. */
export const knowsSameZoneAndNode: Predicate = since("1.34");

/** Δ4: the feature gate VolumeAttributesClass is on by default. */
export const hasVolumeAttributesClasses: Predicate = since(attributesClassesSince);

/** Δ5: the PV controller retries a failed sync with back-off; before, it waited for the next event or resync. */
export const retriesFailedVolumeSyncs: Predicate = since("1.36");

/** Δ6: a volume that no plugin can delete ends the delete operation without error, hence without back-off. */
export const forgetsMissingDeleters: Predicate = since("1.36");

/** Δ11: an asset whose PV could not be saved is cleaned up in up to five attempts; before, in one. */
export const repeatsAssetCleanup: Predicate = since("1.36");

/** Δ1: before 1.33 FailedScheduling called a volume that the node cannot reach a "volume node affinity conflict". */
export const saysVolumeNodeAffinityConflict: Predicate = before("1.33");

/** Δ2: before 1.34 the message about a ReadWriteOncePod claim in use was worded differently. */
export const saysPodUsingClaimWithSameName: Predicate = before("1.34");

/** Δ3: the scheduler's DynamicResources plugin runs before preemption and adds its own text to FailedScheduling. */
export const hasDynamicResources: Predicate = since("1.34");

/** Δ7: a pod whose volumes have to be bound is nominated to its node first; binding clears the nomination. */
export const nominatesBeforeBinding: Predicate = since("1.35");

/**
 * Δ26: a preemption victim whose volumes are still being bound goes back to the queue; before, it was deleted
 * (kubernetes/kubernetes#135502).
 */
export const sparesPodsInPreBind: Predicate = since("1.36");

/**
 * Δ85: a failure is written over the newest version of the pod; before, over the version with which the attempt began, which
 * lacks the nomination that the attempt itself wrote (kubernetes/kubernetes#137139).
 */
export const tellsFailuresOfNewestPod: Predicate = since("1.36");

/**
 * Δ86: an object missing while a pod's volumes are bound is named by its resource; before, by its Go type
 * (kubernetes/kubernetes#133929).
 */
export const namesResourcesNotFound: Predicate = since("1.35");

/** Δ10: NodeVolumeLimits retries a pod when a CSINode's limit grows. */
export const retriesOnVolumeLimitIncrease: Predicate = since("1.33");

/**
 * Δ89: when an attachment is deleted, NodeVolumeLimits retries a pod only if it has a PersistentVolumeClaim volume or an
 * in-tree volume of the same driver, so a pod with only ephemeral claims waits for another event; before, always
 * (kubernetes/kubernetes#129557).
 */
export const asksWhoseAttachmentGoes: Predicate = since("1.33");

/** Δ12: before 1.34 FailedScheduling named the taint (kubernetes/kubernetes#134740). */
export const namesUntoleratedTaint: Predicate = before("1.34");

/**
 * Δ90: preemption skips nodes that would be too small for the pod even when empty; before, it looked for victims there and
 * reported that there were none (kubernetes/kubernetes#131345).
 */
export const sparesTooSmallNodes: Predicate = since("1.34");

/** Δ13: before 1.33 NodeResourcesBalancedAllocation also scored pods without requests. */
export const scoresBalanceOfBestEffort: Predicate = before("1.33");

/**
 * Δ14: NodeResourcesBalancedAllocation scores how a node's balance changes, not the resulting balance
 * (kubernetes/kubernetes#135573).
 */
export const balanceCountsChange: Predicate = since("1.36");

/** Δ15: gate SchedulerPopFromBackoffQ: an idle scheduler takes pods whose back-off has not ended yet. */
export const popsFromBackoff: Predicate = since("1.33");

/**
 * Δ68: the scheduler's back-off counts a pod's rejections, or its errors since the last rejection; before, all attempts
 * (kubernetes/kubernetes#128748).
 */
export const countsErrorsApart: Predicate = since("1.34");

/**
 * Δ77: an attach that ends after the driver has declared that it needs none is still marked as attached, by the volume's name;
 * before, that failed and the VolumeAttachment stayed forever (kubernetes/kubernetes#129664).
 */
export const marksAttachedByName: Predicate = since("1.36");

/**
 * Δ16: gate MutableCSINodeAllocatableCount: a pod is rejected if its node has no room for one of its volumes; before, it
 * waited.
 */
export const rejectsPodsOfFullNodes: Predicate = since("1.35");

/** Δ25: a pod may name a volume more than once; before, it waited forever (kubernetes/kubernetes#122140). */
export const mountsVolumeUnderSeveralNames: Predicate = since("1.35");

/** Δ65: the kubelet skips a volume whose driver said that it needs no expansion on the node (kubernetes/kubernetes#131907). */
export const heedsNodeExpansionNote: Predicate = since("1.34");

/**
 * Δ27: a pod whose container is in back-off is synced when the back-off ends; before, every 10 s to 15 s
 * (kubernetes/kubernetes#133066).
 */
export const syncsWhenBackOffEnds: Predicate = since("1.35");

/**
 * Δ28: gate PLEGOnDemandRelist: the PLEG relists a pod as soon as its sync ends; before, only once a second along with all
 * pods.
 */
export const relistsOnDemand: Predicate = since("1.36");

/** Δ71: before 1.35 the Created and Started events named the container (kubernetes/kubernetes#134043). */
export const namesContainersInEvents: Predicate = before("1.35");

/**
 * Δ76: the kubelet reports a pod's sandbox as soon as it exists; before, together with the first states of its containers
 * (kubernetes/kubernetes#134660).
 */
export const tellsSandboxesAtOnce: Predicate = since("1.36");

/**
 * Δ30: gate RestartAllContainersOnContainerExits: a restart rule may restart all containers of a pod, and sidecars may have
 * rules.
 */
export const restartsAllContainers: Predicate = since("1.36");

/**
 * Δ29: taint eviction forgets a pod once it has requested its deletion; before, once it was gone
 * (kubernetes/kubernetes#129577).
 */
export const forgetsEvictedPods: Predicate = since("1.33");

/** Δ20: gate DeploymentReplicaSetTerminatingReplicas: status counts terminating pods. */
export const countsTerminatingReplicas: Predicate = since("1.35");

/**
 * Δ78: a ReplicaSet is synced when its next pod has been ready for minReadySeconds; before, minReadySeconds after all pods were
 * ready, or one second later than that after one became ready, whichever came first (kubernetes/kubernetes#132121).
 */
export const checksReplicasWhenAvailable: Predicate = since("1.34");

/**
 * Δ78: the same for StatefulSets; before, every minReadySeconds while a pod was unavailable (kubernetes/kubernetes#135428,
 * backported to 1.35).
 */
export const checksStatefulPodsWhenAvailable: Predicate = since("1.35");

/** Δ22: the messages of a StatefulSet's events begin with a capital letter. */
export const capitalizesStatefulSetEvents: Predicate = since("1.35");

/** Δ23: gate OrderedNamespaceDeletion: a namespace's pods are deleted before everything else. */
export const deletesPodsOfNamespaceFirst: Predicate = since("1.33");

/** Δ88: the server counts pods' generations (KEP 5067); before, it kept what was sent. */
export const countsPodGenerations: Predicate = since("1.33");

/**
 * Δ75: shortening a deletion moves its end to now at the earliest, with at most one second of grace; before, the end could lie
 * in the past (kubernetes/kubernetes#122646).
 */
export const keepsDeletionsFromThePast: Predicate = since("1.33");

/** Δ24: writes of a claim's status are charged to quotas too, because a promised expansion counts. */
export const chargesClaimStatus: Predicate = since("1.33");

/**
 * Δ72: a pod that gains or loses its activeDeadlineSeconds moves from one quota to the other at once; before, at the next full
 * recount (kubernetes/kubernetes#130060).
 */
export const heedsScopeChanges: Predicate = since("1.33");

/**
 * Δ79: a refused eviction states the reason if the counts are not the reason; before, always the counts
 * (kubernetes/kubernetes#133097).
 */
export const tellsWhyBudgetsRefuse: Predicate = since("1.35");

/** Δ31: creation of a StatefulSet validates its claim templates and pod template. */
export const validatesStatefulSetTemplates: Predicate = since("1.34");

/** Δ32: class fields that may not change are called "immutable"; before, updates were "forbidden". */
export const callsClassFieldsImmutable: Predicate = since("1.36");

/** Δ33: paths in type errors include embedded structs. */
export const namesEmbeddedStructs: Predicate = since("1.35");

/** Δ34: CSIDrivers may set a refresh period for nodes' volume limits and take tokens from secrets. */
export const hasMutableVolumeLimits: Predicate = since(mutableVolumeLimitsSince);

/** Δ35: gate PodTopologyLabels: a pod gets its node's zone and region labels. */
export const labelsPodsWithTopology: Predicate = since("1.35");

/** Δ50: a pod that loses its nominated node wakes pods of the same or lower priority (kubernetes/kubernetes#129058). */
export const wakesPodsForLostNominations: Predicate = since("1.33");

/** Δ50: before 1.35 being bound, to whichever node, also counted as losing the nominated node. */
export const losesNominationsByBinding: Predicate = before("1.35");

/** Δ43: gate RelaxedServiceNameValidation: a Service's name may begin with a digit. */
export const relaxesServiceNames: Predicate = since("1.36");

/** Δ44: a quota may be limited to claims of one VolumeAttributesClass (kubernetes/kubernetes#124360). */
export const hasQuotasOfAttributesClasses: Predicate = since("1.33");

/** Δ63: a Service's externalIPs are deprecated (KEP-5707, kubernetes/kubernetes#137293). */
export const deprecatesExternalAddresses: Predicate = since("1.36");

/** Δ64: PreferClose is deprecated in favor of PreferSameZone (kubernetes/kubernetes#134457). */
export const deprecatesPreferClose: Predicate = since("1.35");

/** Δ73: servers warn about fields that have no effect in headless Services (kubernetes/kubernetes#132214). */
export const warnsOfHeadlessServices: Predicate = since("1.34");

/** Δ48: gate StrictIPCIDRValidation: ambiguous IP addresses and CIDRs are refused; before, servers warned. */
export const refusesSloppyAddresses: Predicate = since("1.36");

/** Δ87: servers warn if two ports of a pod have the same name (kubernetes/kubernetes#122170). */
export const warnsOfPortNames: Predicate = since("1.33");

/**
 * Δ80: servers warn about ambiguous addresses in pods and nodes too; before, only in Services (kubernetes/kubernetes#128786).
 */
export const warnsOfAddressesEverywhere: Predicate = since("1.33");

/**
 * Δ45: gates MutablePodResourcesForSuspendedJobs and MutableSchedulingDirectivesForSuspendedJobs: a suspended Job's pod
 * resources may change, and its scheduling directives even after it has run; before, only the directives, and only before the
 * first run. startTime is cleared when the Job is suspended; before, when it is resumed.
 */
export const changesSuspendedJobs: Predicate = since("1.36");

/** Δ46: a StatefulSet's revisionHistoryLimit may change. */
export const changesRevisionHistoryLimit: Predicate = since("1.33");

/**
 * Δ47: values in the node affinity of volumes, and in pods' required node affinity, must be valid label values; in preferred
 * node affinity servers warn (kubernetes/kubernetes#128212).
 */
export const checksAffinityValues: Predicate = since("1.33");

/** Δ49: the kubelet reports its progress in changing a volume's ownership (kubernetes/kubernetes#130398). */
export const tellsOwnershipProgress: Predicate = since("1.33");

/** Δ51: a new StatefulSet's serviceName must be a DNS label (kubernetes/kubernetes#130233). */
export const checksServiceNames: Predicate = since("1.33");

/** Δ52: a pod with its own user namespace may not have block devices (kubernetes/kubernetes#132868). */
export const forbidsDevicesInUserNamespaces: Predicate = since("1.34");

/** Δ53: pod conditions in the failure policy of a CronJob's job template get defaults (kubernetes/kubernetes#131525). */
export const defaultsConditionsOfCronJobs: Predicate = since("1.34");

/**
 * Δ54: gate MatchLabelKeysInPodTopologySpreadSelectorMerge: the server merges matchLabelKeys into the selector; before, only
 * the scheduler took them into account.
 */
export const mergesSpreadSelectors: Predicate = since("1.34");

/** Δ55: before 1.34 servers also wrote AppArmor profiles to annotations (kubernetes/kubernetes#131989). */
export const annotatesAppArmor: Predicate = before("1.34");

/**
 * Δ56: an unreachable node gets its NoExecute taint at once; before, at the next check of all nodes
 * (kubernetes/kubernetes#120816).
 */
export const repelsPodsOfUnreachableNodesAtOnce: Predicate = since("1.34");

/** Δ74: servers warn about a negative revisionHistoryLimit of a StatefulSet (kubernetes/kubernetes#129017). */
export const warnsOfNegativeHistories: Predicate = since("1.33");

/**
 * Δ57: rollouts of Parallel StatefulSets wait for minReadySeconds too, and scaling down an OrderedReady one does not
 * (kubernetes/kubernetes#130909).
 */
export const rolloutsWaitForAvailability: Predicate = since("1.34");

/**
 * Δ58: deleting a pod whose own anti-affinity kept the pending pod away retries it, too; before, only deleting one that the
 * pending pod's anti-affinity avoids (kubernetes/kubernetes#135325).
 */
export const wakesPodsForThoseThatRepelledThem: Predicate = since("1.36");

/**
 * Δ60: a pod is also retried when a pod is deleted that was only nominated for a node, not bound to it
 * (kubernetes/kubernetes#135392).
 */
export const wakesPodsForNominatedNeighbours: Predicate = since("1.36");

/** Δ61: a pod rejected by inter-pod affinity is retried when its own labels change (kubernetes/kubernetes#135394). */
export const wakesPodsForTheirNewLabels: Predicate = since("1.36");

/**
 * Δ59: the ReplicaSets of a Deployment with a long name get a shortened name; before, they could not be created
 * (kubernetes/kubernetes#132560).
 */
export const shortensReplicaSetNames: Predicate = since("1.34");

/**
 * Δ62: a node's change wakes the DaemonSets that have to create or delete a pod there, and those with a pod there while they
 * count misscheduled pods; before, those whose placement on the node changed (kubernetes/kubernetes#130514, #132477).
 */
export const wakesDaemonSetsForTheirPods: Predicate = since("1.33");

/** Δ66: gate NodeDeclaredFeatures: Nodes list the features of their kubelets (kubernetes/kubernetes#136042). */
export const declaresNodeFeatures: Predicate = since(declaredFeaturesSince);

/**
 * Δ67: an init container that is not a sidecar may not have a resizePolicy of RestartContainer (kubernetes/kubernetes#137458).
 */
export const refusesInitRestarts: Predicate = since("1.36");

/**
 * Δ69: a plugin that does not report its capabilities because it is gone or busy leaves the operation uncertain; before, the
 * operation counted as not started (kubernetes/kubernetes#135930).
 */
export const doubtsUnansweredPlugins: Predicate = since("1.36");

/**
 * Δ81: while a Job waits to replace a failed pod, its status counts no active pods, so the server refuses the status if another
 * pod is ready; fixed in 1.36.3 and the last patches of 1.34 and 1.35 (kubernetes/kubernetes#139428).
 */
export const countsNoneActiveInBackOff: Predicate = (version) =>
  version === "1.36" || !atLeast(version, "1.34");

/**
 * Δ82: the kubelet keeps the record of a volume that it found at its start as long as the volume may be published, so that it
 * can be unpublished; before, a final error when publishing it again removed the record (kubernetes/kubernetes#136603).
 */
export const keepsRecordsOfFoundVolumes: Predicate = since("1.36");

/**
 * Δ70: a pod that is deleted while its volumes are bound frees its resources at once; before, when its binding failed
 * (kubernetes/kubernetes#134157).
 */
export const freesRoomOfAssumedPodsAtOnce: Predicate = since("1.35");

/**
 * Δ83: gate ChangeContainerStatusOnKubeletRestart is off: a restarted kubelet keeps the readiness of containers until they are
 * probed; before, containers with probes were unready until then (kubernetes/kubernetes#126883, KEP 4781).
 */
export const keepsReadinessOverRestarts: Predicate = since("1.35");

/** Δ84: messages about a probe that could not be run say that its result is unknown (kubernetes/kubernetes#125901). */
export const namesStateOfErroredProbes: Predicate = since("1.33");

/** Δ91: before 1.33 a Service of type LoadBalancer could not use the kubelet's port (kubernetes/kubernetes#129174). */
export const keepsKubeletPortInside: Predicate = before("1.33");
