/**
 * What differs between the Kubernetes versions that can be chosen, one predicate each, numbered as in docs/upstream.
 * Everything else behaves as in 1.36.
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
 * Δ36: fields that came after 1.32, and the first OpenAPI that has them: older servers refuse them as unknown. Of what is new
 * as a whole, the field that leads to it.
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

/** Δ37: since when the gates of fields of pods are on; before, servers take the fields away. */
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
 * Δ4, Δ34, Δ37, Δ66: fields that servers know and take away, and since when they keep them. What a gate does to values alone is
 * left out.
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

/** Δ38: before 1.34 only init containers could have a restartPolicy, and it was Always. */
export const refusesOwnRestartPolicy: Predicate = before("1.34");

/** Δ39: GitRepoVolumeDriver: volumes of git repositories are not mounted any more. */
export const disablesGitRepo: Predicate = since("1.33");

/** Δ40: PodLifecycleSleepActionAllowZero: a hook may sleep for no time. */
export const allowsSleepOfZero: Predicate = since("1.33");

/** Δ41: RelaxedDNSSearchValidation: a search path may be a dot or hold underscores. */
export const relaxesSearchPaths: Predicate = since("1.33");

/** Δ42: PreferSameTrafficDistribution: services may prefer endpoints of the same zone or node by those names. */
export const knowsSameZoneAndNode: Predicate = since("1.34");

/** Δ4: the feature gate VolumeAttributesClass is on by default. */
export const hasVolumeAttributesClasses: Predicate = since(attributesClassesSince);

/** Δ5: the PV controller tries a failed sync again with back-off; before, the next event or resync did. */
export const retriesFailedVolumeSyncs: Predicate = since("1.36");

/** Δ6: a volume that no plugin can delete ends the delete operation without error, hence without back-off. */
export const forgetsMissingDeleters: Predicate = since("1.36");

/** Δ11: an asset whose PV could not be saved is cleaned up in five attempts; before, in one. */
export const repeatsAssetCleanup: Predicate = since("1.36");

/** Δ1: before 1.33 a volume out of the node's reach was a "volume node affinity conflict". */
export const saysVolumeNodeAffinityConflict: Predicate = before("1.33");

/** Δ2: before 1.34 the words for a ReadWriteOncePod claim in use were others. */
export const saysPodUsingClaimWithSameName: Predicate = before("1.34");

/** Δ3: the scheduler's DynamicResources plugin, which comes before preemption, adds its own words to FailedScheduling. */
export const hasDynamicResources: Predicate = since("1.34");

/** Δ7: a pod whose volumes have to be bound is nominated to its node before that; binding clears the nomination. */
export const nominatesBeforeBinding: Predicate = since("1.35");

/** Δ26: a victim whose volumes are still being bound goes back to the queue; before, it was deleted (kubernetes/kubernetes#135502). */
export const sparesPodsInPreBind: Predicate = since("1.36");

/**
 * Δ85: what a pod's failure changes is told by the newest pod; before, by the pod as it was when its attempt began, which knew
 * nothing of the nomination for the binding (kubernetes/kubernetes#137139).
 */
export const tellsFailuresOfNewestPod: Predicate = since("1.36");

/** Δ86: what is missing while a pod's volumes are bound is called by its resource; before, by its Go type (kubernetes/kubernetes#133929). */
export const namesResourcesNotFound: Predicate = since("1.35");

/** Δ10: NodeVolumeLimits tries a pod again when a CSINode's limit grows. */
export const retriesOnVolumeLimitIncrease: Predicate = since("1.33");

/**
 * Δ89: NodeVolumeLimits tries a pod again when an attachment goes only where it has a plain claim, or a disk of the same driver;
 * before, in any case (kubernetes/kubernetes#129557). Pods of ephemeral claims thus wait for another event.
 */
export const asksWhoseAttachmentGoes: Predicate = since("1.33");

/** Δ12: before 1.34 FailedScheduling named the taint (kubernetes/kubernetes#134740). */
export const namesUntoleratedTaint: Predicate = before("1.34");

/**
 * Δ90: preemption leaves a node alone that even empty has not what a pod asks for; before, it looked there for victims and said that
 * it found none (kubernetes/kubernetes#131345).
 */
export const sparesTooSmallNodes: Predicate = since("1.34");

/** Δ13: before 1.33 NodeResourcesBalancedAllocation also scored pods that ask for nothing. */
export const scoresBalanceOfBestEffort: Predicate = before("1.33");

/** Δ14: NodeResourcesBalancedAllocation scores how a node's balance changes, not what it becomes (kubernetes/kubernetes#135573). */
export const balanceCountsChange: Predicate = since("1.36");

/** Δ15: an idle scheduler takes pods that back off before their time (gate SchedulerPopFromBackoffQ). */
export const popsFromBackoff: Predicate = since("1.33");

/**
 * Δ68: the scheduler lets a pod wait by how often it was rejected, or has failed with an error since; before, by how often it was
 * tried (kubernetes/kubernetes#128748).
 */
export const countsErrorsApart: Predicate = since("1.34");

/**
 * Δ77: what is attached by now counts so by its name; before, it was not known where the driver said meanwhile that it needs no
 * attach, and its attachment stayed forever (kubernetes/kubernetes#129664).
 */
export const marksAttachedByName: Predicate = since("1.36");

/** Δ16: a pod whose volume finds no room on its node is rejected (gate MutableCSINodeAllocatableCount); before, it waited. */
export const rejectsPodsOfFullNodes: Predicate = since("1.35");

/** Δ25: a pod may name a volume more than once; before, it waited forever (kubernetes/kubernetes#122140). */
export const mountsVolumeUnderSeveralNames: Predicate = since("1.35");

/** Δ65: a volume of which the driver has said that nodes need not grow it is let be by them (kubernetes/kubernetes#131907). */
export const heedsNodeExpansionNote: Predicate = since("1.34");

/** Δ27: a pod whose container is held back is synced when that ends; before, every 10 s to 15 s (kubernetes/kubernetes#133066). */
export const syncsWhenBackOffEnds: Predicate = since("1.35");

/** Δ28: PLEGOnDemandRelist: what a sync has started is looked at when it ends; before, with all pods once a second. */
export const relistsOnDemand: Predicate = since("1.36");

/** Δ71: before 1.35 the events of a container's creation and start named it (kubernetes/kubernetes#134043). */
export const namesContainersInEvents: Predicate = before("1.35");

/**
 * Δ76: a pod's sandbox is told of as soon as it is there; before, with the first look at what its containers do
 * (kubernetes/kubernetes#134660).
 */
export const tellsSandboxesAtOnce: Predicate = since("1.36");

/** Δ30: RestartAllContainersOnContainerExits: a restart rule may start all containers of a pod anew, and sidecars may have rules. */
export const restartsAllContainers: Predicate = since("1.36");

/** Δ29: taint eviction forgets a pod once it has asked for its deletion; before, once it was gone (kubernetes/kubernetes#129577). */
export const forgetsEvictedPods: Predicate = since("1.33");

/** Δ20: DeploymentReplicaSetTerminatingReplicas: status counts the pods that are on their way out. */
export const countsTerminatingReplicas: Predicate = since("1.35");

/**
 * Δ78: a ReplicaSet is looked at when a pod has been ready for minReadySeconds; before, that long after all were ready, or a second
 * more after one became so, whatever comes first (kubernetes/kubernetes#132121).
 */
export const checksReplicasWhenAvailable: Predicate = since("1.34");

/** Δ78: so is a StatefulSet; before, every minReadySeconds while a pod was not available (kubernetes/kubernetes#135428, backported to 1.35). */
export const checksStatefulPodsWhenAvailable: Predicate = since("1.35");

/** Δ22: the texts of a StatefulSet's events begin with a capital. */
export const capitalizesStatefulSetEvents: Predicate = since("1.35");

/** Δ23: OrderedNamespaceDeletion: pods go before everything else. */
export const deletesPodsOfNamespaceFirst: Predicate = since("1.33");

/** Δ88: pods have generations (KEP 5067); before, they kept what was sent. */
export const countsPodGenerations: Predicate = since("1.33");

/**
 * Δ75: a deletion that is made shorter ends now at the earliest, with a second left where any grace was asked for; before, in the
 * past (kubernetes/kubernetes#122646).
 */
export const keepsDeletionsFromThePast: Predicate = since("1.33");

/** Δ24: a claim's status writes are charged to quotas, too: growth that was promised counts. */
export const chargesClaimStatus: Predicate = since("1.33");

/**
 * Δ72: a pod that is given a deadline, or loses it, changes from one quota to the other; before, the next count of everything
 * found it (kubernetes/kubernetes#130060).
 */
export const heedsScopeChanges: Predicate = since("1.33");

/**
 * Δ79: who is refused an eviction is told where the counts are not the reason; before, the counts alone
 * (kubernetes/kubernetes#133097).
 */
export const tellsWhyBudgetsRefuse: Predicate = since("1.35");

/** Δ31: StatefulSets are created only with claim templates and a pod template that are good in themselves. */
export const validatesStatefulSetTemplates: Predicate = since("1.34");

/** Δ32: what may not change of a class is called immutable; before, updates were forbidden. */
export const callsClassFieldsImmutable: Predicate = since("1.36");

/** Δ33: type errors name the embedded structs on their way. */
export const namesEmbeddedStructs: Predicate = since("1.35");

/** Δ34: CSIDrivers may have nodes' volume limits refreshed and take tokens from secrets. */
export const hasMutableVolumeLimits: Predicate = since(mutableVolumeLimitsSince);

/** Δ35: PodTopologyLabels: a pod gets the zone and the region label of its node. */
export const labelsPodsWithTopology: Predicate = since("1.35");

/** Δ50: a pod that loses its nominated node wakes pods of the same or a lower priority (kubernetes/kubernetes#129058). */
export const wakesPodsForLostNominations: Predicate = since("1.33");

/** Δ50: before 1.35 a pod lost its nominated node by being bound, too, whether to that or to another. */
export const losesNominationsByBinding: Predicate = before("1.35");

/** Δ43: RelaxedServiceNameValidation: a service's name may begin with a digit. */
export const relaxesServiceNames: Predicate = since("1.36");

/** Δ44: quotas may be of claims of some attributes class (kubernetes/kubernetes#124360). */
export const hasQuotasOfAttributesClasses: Predicate = since("1.33");

/** Δ63: a service's externalIPs are deprecated (KEP-5707, kubernetes/kubernetes#137293). */
export const deprecatesExternalAddresses: Predicate = since("1.36");

/** Δ64: PreferClose is called PreferSameZone now (kubernetes/kubernetes#134457). */
export const deprecatesPreferClose: Predicate = since("1.35");

/** Δ73: servers warn of what headless services have no use for (kubernetes/kubernetes#132214). */
export const warnsOfHeadlessServices: Predicate = since("1.34");

/** Δ48: StrictIPCIDRValidation: addresses that not everybody reads alike are refused; before, servers warned of them. */
export const refusesSloppyAddresses: Predicate = since("1.36");

/** Δ87: servers warn of two ports of a pod that have the same name (kubernetes/kubernetes#122170). */
export const warnsOfPortNames: Predicate = since("1.33");

/** Δ80: servers warn of such addresses in pods and nodes, too; before, in services alone (kubernetes/kubernetes#128786). */
export const warnsOfAddressesEverywhere: Predicate = since("1.33");

/**
 * Δ45: MutablePodResourcesForSuspendedJobs and MutableSchedulingDirectivesForSuspendedJobs: what a suspended job's pods ask for
 * may change, and after it has run where they may go; before, only where they may go, and only before it has run. When it was
 * started is forgotten when it is suspended; before, when it is resumed.
 */
export const changesSuspendedJobs: Predicate = since("1.36");

/** Δ46: a StatefulSet's revisionHistoryLimit may change. */
export const changesRevisionHistoryLimit: Predicate = since("1.33");

/**
 * Δ47: values in the node affinity of volumes, and in that which pods require, are values of labels; where pods prefer others,
 * servers warn (kubernetes/kubernetes#128212).
 */
export const checksAffinityValues: Predicate = since("1.33");

/** Δ49: the kubelet tells how far it is with a volume's ownership (kubernetes/kubernetes#130398). */
export const tellsOwnershipProgress: Predicate = since("1.33");

/** Δ51: a new StatefulSet's serviceName is a label of the DNS (kubernetes/kubernetes#130233). */
export const checksServiceNames: Predicate = since("1.33");

/** Δ52: a pod with a user namespace of its own has no block devices (kubernetes/kubernetes#132868). */
export const forbidsDevicesInUserNamespaces: Predicate = since("1.34");

/** Δ53: conditions in the failure policies of a CronJob's jobs are defaulted (kubernetes/kubernetes#131525). */
export const defaultsConditionsOfCronJobs: Predicate = since("1.34");

/** Δ54: MatchLabelKeysInPodTopologySpreadSelectorMerge: the server merges them; before, the scheduler alone heeded them. */
export const mergesSpreadSelectors: Predicate = since("1.34");

/** Δ55: before 1.34 servers wrote AppArmor profiles into annotations as well (kubernetes/kubernetes#131989). */
export const annotatesAppArmor: Predicate = before("1.34");

/** Δ56: an unreachable node repels its pods at once; before, a look at all nodes later (kubernetes/kubernetes#120816). */
export const repelsPodsOfUnreachableNodesAtOnce: Predicate = since("1.34");

/** Δ74: servers warn of a StatefulSet's negative revisionHistoryLimit (kubernetes/kubernetes#129017). */
export const warnsOfNegativeHistories: Predicate = since("1.33");

/**
 * Δ57: rollouts of parallel StatefulSets, too, wait for minReadySeconds, and what an ordered one takes away does not
 * (kubernetes/kubernetes#130909).
 */
export const rolloutsWaitForAvailability: Predicate = since("1.34");

/** Δ58: a pod is tried again when one goes that kept it away; before, when one goes that it kept away from (kubernetes/kubernetes#135325). */
export const wakesPodsForThoseThatRepelledThem: Predicate = since("1.36");

/** Δ60: a pod is tried again when one goes that was only nominated for a node where both would be (kubernetes/kubernetes#135392). */
export const wakesPodsForNominatedNeighbours: Predicate = since("1.36");

/** Δ61: a pod that pod affinity kept away is tried again when its own labels change (kubernetes/kubernetes#135394). */
export const wakesPodsForTheirNewLabels: Predicate = since("1.36");

/** Δ59: the ReplicaSets of a Deployment with a long name get a part of it (kubernetes/kubernetes#132560); before, there were none. */
export const shortensReplicaSetNames: Predicate = since("1.34");

/**
 * Δ62: a node's change wakes the DaemonSets that have to make or delete a pod there, or have one where it merely may stay; before,
 * those whose pods it treats otherwise than before (kubernetes/kubernetes#130514, #132477).
 */
export const wakesDaemonSetsForTheirPods: Predicate = since("1.33");

/** Δ66: NodeDeclaredFeatures: nodes say what their kubelets can do (kubernetes/kubernetes#136042). */
export const declaresNodeFeatures: Predicate = since(declaredFeaturesSince);

/** Δ67: an init container that is no sidecar is not restarted for a new size (kubernetes/kubernetes#137458). */
export const refusesInitRestarts: Predicate = since("1.36");

/**
 * Δ69: a plugin that does not say what it can, for it is gone or busy, leaves what it has begun in doubt; before, that counted as
 * not begun (kubernetes/kubernetes#135930).
 */
export const doubtsUnansweredPlugins: Predicate = since("1.36");

/**
 * Δ81: while a Job waits to replace a failed pod its status counts none as active, and is refused where another is ready; mended in
 * 1.36.3 and in the last patches of 1.34 and 1.35 (kubernetes/kubernetes#139428).
 */
export const countsNoneActiveInBackOff: Predicate = (version) =>
  version === "1.36" || !atLeast(version, "1.34");

/**
 * Δ82: the record of a volume that a new kubelet has found stays while it may be published, so that it can be unpublished; before, it
 * went with a final refusal to publish it anew (kubernetes/kubernetes#136603).
 */
export const keepsRecordsOfFoundVolumes: Predicate = since("1.36");

/** Δ70: a pod that goes while its volumes are bound leaves its room at once; before, when its binding fails (kubernetes/kubernetes#134157). */
export const freesRoomOfAssumedPodsAtOnce: Predicate = since("1.35");

/**
 * Δ83: ChangeContainerStatusOnKubeletRestart is off: a kubelet that was started anew keeps what is told of containers until they are
 * probed; before, those with probes were not ready until then (kubernetes/kubernetes#126883, KEP 4781).
 */
export const keepsReadinessOverRestarts: Predicate = since("1.35");

/** Δ84: what is told of a probe that cannot be made says that its result is unknown (kubernetes/kubernetes#125901). */
export const namesStateOfErroredProbes: Predicate = since("1.33");

/** Δ91: services of type LoadBalancer may not have the port of kubelets (kubernetes/kubernetes#129174). */
export const keepsKubeletPortInside: Predicate = before("1.33");
