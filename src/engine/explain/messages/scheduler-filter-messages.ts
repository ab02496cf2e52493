/**
 * Why the scheduler's filters take a node or a pod off: parts of FailedScheduling. Upstream: kube-scheduler v1.36
 * pkg/scheduler/framework/plugins.
 */
import { partsOf } from "./message-part.ts";
import type { MessagePattern } from "./message-pattern.ts";

const filter = partsOf("kube-scheduler", "plugins/");

/** Taints that Kubernetes itself sets, which nobody takes away or tolerates to start a pod. */
function taintedBy(conditions: readonly string[]): readonly string[] {
  return conditions.flatMap((condition) => [
    `node(s) had untolerated taint {node.kubernetes.io/${condition}: }`,
    `node(s) had taint {node.kubernetes.io/${condition}: }, that the pod didn't tolerate`,
  ]);
}

export const volumeFilters: readonly MessagePattern[] = [
  filter(
    "unbound-immediate-claims",
    "volumebinding PreFilter",
    [
      "pod has unbound immediate PersistentVolumeClaims",
      "pod has unbound PersistentVolumeClaims",
      "pod has unbound immediate PersistentVolumeClaims (repeated {times} times)",
      "pod has unbound PersistentVolumeClaims (repeated {times} times)",
    ],
    "A claim of the pod has a class that binds at once, and is still Pending: the cause is at the claim, not at the pod.",
    [
      "look at the claim's own events: FailedBinding, ExternalProvisioning, ProvisioningFailed or VolumeMismatch",
    ],
  ),
  filter(
    "claim-not-found",
    "volumebinding PreFilter",
    [
      'persistentvolumeclaim "{claim}" not found',
      'could not find v1.PersistentVolumeClaim "{claim}"',
      'error getting PVC "{claim}": could not find v1.PersistentVolumeClaim "{name}"',
      "PersistentVolumeClaim '{claim}' is not in cache",
    ],
    "The pod names claim {claim}, which does not exist in the pod's namespace.",
    [
      "make the claim in the pod's namespace: claims of other namespaces cannot be used",
      "correct claimName",
    ],
  ),
  filter(
    "claim-being-deleted",
    "volumebinding PreFilter",
    ['persistentvolumeclaim "{claim}" is being deleted'],
    "Claim {claim} is Terminating; it stays until no pod uses it, and takes no new pods.",
    ["delete the pods that use it (not its finalizer), then make the claim anew"],
  ),
  filter(
    "claim-of-missing-volume",
    "volumebinding PreFilter",
    [
      'persistentvolumeclaim "{claim}" bound to non-existent persistentvolume "{volume}"',
      "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)",
      "pvc(s) bound to non-existent pv(s)",
    ],
    "A claim of the pod is bound to a volume that does not exist any more.",
    ["make the volume anew, or delete the claim and make it anew"],
    "stuck",
  ),
  filter(
    "claim-lost",
    "volumebinding PreFilter",
    ['persistentvolumeclaim "{claim}" is in phase Lost', 'persistentvolumeclaim "{claim}" is lost'],
    "Claim {claim} has lost its volume.",
    ["restore the volume, or delete the claim and make it anew"],
    "stuck",
  ),
  filter(
    "waits-for-ephemeral-claim",
    "volumebinding PreFilter",
    ['waiting for ephemeral volume controller to create the persistentvolumeclaim "{claim}"'],
    "The claim of the pod's ephemeral volume is made by the ephemeral volume controller and is not there yet.",
    ["if it does not come: a claim {claim} of somebody else has the name, or a quota refuses it"],
    "waits",
  ),
  filter(
    "no-volume-to-bind",
    "volumebinding Filter",
    ["node(s) didn't find available persistent volumes to bind"],
    "On these nodes no free volume fits a claim that waits for the pod, and the class cannot make one there.",
    [
      "make a volume that these nodes reach: size, access modes, class and node affinity",
      "use a class with a provisioner",
    ],
  ),
  filter(
    "volume-out-of-reach",
    "volumebinding Filter",
    [
      "node(s) didn't match PersistentVolume's node affinity",
      "node(s) had volume node affinity conflict",
      "NoVolumeNodeConflict",
    ],
    "A volume of the pod can be reached from other nodes only: its nodeAffinity names a zone or a host.",
    [
      "let the pod run where the volume is: nodeSelector, affinity and taints",
      "use a class with volumeBindingMode: WaitForFirstConsumer, so that volumes come to where pods can run",
    ],
  ),
  filter(
    "not-enough-storage",
    "volumebinding Filter",
    ["node(s) did not have enough free storage"],
    "The driver reports less capacity (CSIStorageCapacity) in these nodes' topology than the claim asks for.",
    ["ask for less, or free storage there", "let the pod run elsewhere"],
  ),
  filter(
    "volume-limit-reached",
    "nodevolumelimits",
    [
      "node(s) exceed max volume count",
      "MaxVolumeCount",
      "MaxCSIVolumeCount",
      "MaxEBSVolumeCount",
      "MaxGCEPDVolumeCount",
      "MaxAzureDiskVolumeCount",
    ],
    "These nodes have as many volumes of the driver attached as CSINode's allocatable count allows.",
    ["add nodes, or spread the pods", "use fewer volumes in a pod"],
  ),
  filter(
    "driver-not-on-node",
    "nodevolumelimits",
    ["{driver} CSI driver is not installed on the node"],
    "The driver has registered on other nodes only: their CSINode lists it.",
    ["let the driver's DaemonSet run on these nodes: tolerations, nodeSelector"],
  ),
  filter(
    "no-volume-zone",
    "volumezone",
    ["node(s) had no available volume zone", "NoVolumeZoneConflict"],
    "A volume's zone labels name a zone that these nodes are not in.",
    ["let the pod run in the volume's zone", "use a class with WaitForFirstConsumer"],
  ),
  filter(
    "claim-without-class",
    "volumezone",
    ["PersistentVolumeClaim had no pv name and storageClass name"],
    "A claim has neither a volume nor a class.",
    ["name a class in the claim"],
  ),
  filter(
    "disk-in-use",
    "volumerestrictions",
    ["node(s) had no available disk", "NoDiskConflict"],
    "Another pod on these nodes uses the same disk, which only one may.",
    ["use claims instead of naming the disk in each pod"],
  ),
  filter(
    "claim-of-one-pod-in-use",
    "volumerestrictions",
    [
      "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod",
      "node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode",
    ],
    "A claim of the pod is ReadWriteOncePod, and another pod uses it.",
    [
      "run one pod at a time (one replica, strategy Recreate), or give each a claim of its own",
      "use ReadWriteOnce, which pods of one node may share (make the claim anew)",
    ],
  ),
];

export const placementFilters: readonly MessagePattern[] = [
  filter(
    "node-selector-mismatch",
    "nodeaffinity",
    [
      "node(s) didn't match Pod's node affinity/selector",
      "node(s) didn't match Pod's node affinity",
      "node(s) didn't match node selector",
      "MatchNodeSelector",
    ],
    "The pod's nodeSelector or required node affinity asks for labels that these nodes do not have.",
    ["correct the selector, or label the nodes"],
    "retried",
    "spec.nodeSelector",
  ),
  filter(
    "node-in-trouble",
    "before 1.17 predicates CheckNodeCondition, CheckNodeDiskPressure; taints since",
    [
      "node(s) had disk pressure",
      "node(s) had memory pressure",
      "node(s) had pid pressure",
      "node(s) were not ready",
      "node(s) were out of disk space",
      "node(s) had unavailable network",
      "NodeNotReady",
      "NodeUnderDiskPressure",
      "NodeUnderMemoryPressure",
      "CheckNodeCondition",
      ...taintedBy([
        "not-ready",
        "unreachable",
        "disk-pressure",
        "memory-pressure",
        "pid-pressure",
        "network-unavailable",
      ]),
    ],
    "These nodes do not answer, are not ready, or run short of disk or memory; Kubernetes itself takes the taint for that away when it is over.",
    ["bring the nodes back: kubectl describe node tells what they lack"],
  ),
  filter(
    "node-unschedulable",
    "nodeunschedulable",
    ["node(s) were unschedulable", ...taintedBy(["unschedulable"])],
    "These nodes are cordoned.",
    ["kubectl uncordon them"],
  ),
  filter(
    "untolerated-taint",
    "tainttoleration",
    [
      "node(s) had untolerated taint {taint}",
      "node(s) had untolerated taint(s)",
      "node(s) had taint {taint}, that the pod didn't tolerate",
      "node(s) had taints that the pod didn't tolerate",
      "PodToleratesNodeTaints",
    ],
    "These nodes have a taint that the pod does not tolerate.",
    ["add a toleration to the pod, or remove the taint"],
    "retried",
    "spec.tolerations",
  ),
  filter(
    "not-enough-topolvm",
    "noderesources",
    ["Insufficient topolvm.io/capacity", "Insufficient topolvm.cybozu.com/capacity"],
    "These nodes' volume groups have less room than the pod's claims ask for, as TopoLVM counts it: its webhook writes their sum into the pod as a resource.",
    [
      "ask for less, or add room to the volume groups",
      "look at the nodes' annotations capacity.topolvm.io, and that topolvm-node runs there",
    ],
  ),
  filter(
    "not-enough-resources",
    "noderesources",
    ["Insufficient {resource}", "Too many pods", "PodFitsResources"],
    "These nodes have less left than the pod's containers request.",
    ["lower the requests, or add nodes"],
  ),
  filter(
    "node-name-mismatch",
    "nodename",
    ["node(s) didn't match the requested node name"],
    "The pod names its node in spec.nodeName.",
    ["correct spec.nodeName, or use a nodeSelector"],
    "retried",
    "spec.nodeName",
  ),
  filter(
    "host-port-taken",
    "nodeports",
    ["node(s) didn't have free ports for the requested pod ports"],
    "The pod wants a hostPort that another pod has on these nodes.",
    ["use another hostPort, or none"],
  ),
  filter(
    "pod-affinity-mismatch",
    "interpodaffinity",
    [
      "node(s) didn't match pod affinity rules",
      "node(s) didn't match pod anti-affinity rules",
      "node(s) didn't satisfy existing pods anti-affinity rules",
      "node(s) didn't match pod affinity/anti-affinity rules",
      "node(s) didn't match pod affinity/anti-affinity",
      "MatchInterPodAffinity",
      "pod affinity terms conflict",
    ],
    "Affinity or anti-affinity to other pods keeps the pod off these nodes.",
    ["add nodes or zones, or make the rule preferred instead of required"],
    "retried",
    "spec.affinity",
  ),
  filter(
    "topology-spread-mismatch",
    "podtopologyspread",
    [
      "node(s) didn't match pod topology spread constraints (missing required label)",
      "node(s) didn't match pod topology spread constraints",
    ],
    "The pod's topologySpreadConstraints would be broken, or these nodes lack the topology label.",
    ["label the nodes, or set whenUnsatisfiable: ScheduleAnyway"],
    "retried",
    "spec.topologySpreadConstraints",
  ),
  filter(
    "node-group-full",
    "cluster-autoscaler",
    [
      "max node group size reached",
      "in backoff after failed scale-up",
      "max cluster {resource} limit reached",
    ],
    "The autoscaler may not, or cannot, make more nodes of this group.",
    ["raise the group's largest size"],
  ),
  filter(
    "resource-claims-unmet",
    "dynamicresources",
    [
      "cannot allocate all claims",
      "resourceclaim not available on the node",
      'resourceclaim "{name}" not found',
      'waiting for resource claim to be created for pod "{podName}"',
      "waiting for dynamic resource allocation controller to create the resourceclaim {rest}",
    ],
    "The pod asks for devices by a ResourceClaim, which is not simulated here, and these nodes cannot give them. It is not a matter of volumes.",
    ["kubectl describe resourceclaim"],
  ),
  filter(
    "pinned-elsewhere",
    "schedule_one.go findNodesThatFitPod",
    ["node(s) didn't satisfy plugin(s) [NodeAffinity]"],
    "The pod may run on nodes of certain names only, as a DaemonSet's may on one, and these are others.",
    ["look whether its node is there, by kubectl get nodes: a DaemonSet's pod goes with its node"],
  ),
  filter(
    "plugin-not-satisfied",
    "schedule_one.go findNodesThatFitPod",
    ["node(s) didn't satisfy plugin(s) [{plugins}]"],
    "{plugins} allows the pod on certain nodes only, and these are others: a local volume, most often.",
    ["let the pod run where its volumes are"],
  ),
  filter(
    "preemption-no-help",
    "defaultpreemption",
    [
      "Preemption is not helpful for scheduling",
      "No preemption victims found for incoming pod",
      "No victims found on node {node} for preemptor pod {pod}",
      "not eligible due to preemptionPolicy=Never.",
      "not eligible due to {why}",
    ],
    "Removing pods of lower priority would not make room either.",
    [],
  ),
];
