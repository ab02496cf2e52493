/**
 * Why the scheduler's filters exclude a node or a pod: parts of FailedScheduling. Upstream: kube-scheduler v1.36
 * pkg/scheduler/framework/plugins.
 */

import type { MessagePattern } from "./message-pattern.ts";
import { messagesOf } from "./messages-of.ts";

const filter = messagesOf("kube-scheduler", "plugins/");

/** Taints that Kubernetes itself sets: removing or tolerating them is no way to start a pod. */
function taintedBy(conditions: readonly string[]): readonly string[] {
  return conditions.flatMap((condition) => textsOfTaint(`node.kubernetes.io/${condition}`));
}

function textsOfTaint(key: string): readonly string[] {
  return [
    `node(s) had untolerated taint {${key}: }`,
    `node(s) had taint {${key}: }, that the pod didn't tolerate`,
  ];
}

export const volumeFilters: readonly MessagePattern[] = [
  filter({
    id: "unbound-immediate-claims",
    rule: "volumebinding PreFilter",
    texts: [
      "pod has unbound immediate PersistentVolumeClaims",
      "pod has unbound PersistentVolumeClaims",
      "pod has unbound immediate PersistentVolumeClaims (repeated {times} times)",
      "pod has unbound PersistentVolumeClaims (repeated {times} times)",
    ],
    cause:
      "A claim of the pod whose class binds at once, or that has no class, is still Pending: the cause is at the claim, not at the pod.",
    change: [
      "look at the claim's own events: FailedBinding, ExternalProvisioning, ProvisioningFailed or VolumeMismatch",
    ],
  }),
  filter({
    id: "claim-not-found",
    rule: "volumebinding PreFilter",
    texts: [
      'persistentvolumeclaim "{claim}" not found',
      'persistentvolumeclaims "{claim}" not found',
      'could not find v1.PersistentVolumeClaim "{claim}"',
      'error getting PVC "{claim}": could not find v1.PersistentVolumeClaim "{name}"',
      "PersistentVolumeClaim '{claim}' is not in cache",
    ],
    cause: "The pod names claim {claim}, which does not exist in the pod's namespace.",
    change: [
      "make the claim in the pod's namespace: claims of other namespaces cannot be used",
      "correct claimName",
    ],
  }),
  filter({
    id: "claim-being-deleted",
    rule: "volumebinding PreFilter",
    texts: ['persistentvolumeclaim "{claim}" is being deleted'],
    cause: "Claim {claim} is Terminating; it stays until no pod uses it, and takes no new pods.",
    change: ["delete the pods that use it (not its finalizer), then recreate the claim"],
  }),
  filter({
    id: "claim-of-missing-volume",
    rule: "volumebinding PreFilter",
    texts: [
      'persistentvolumeclaim "{claim}" bound to non-existent persistentvolume "{volume}"',
      "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)",
      "pvc(s) bound to non-existent pv(s)",
    ],
    cause: "A claim of the pod is bound to a volume that does not exist any more.",
    change: ["recreate the volume, or delete the claim and recreate it"],
    outlook: "stuck",
  }),
  filter({
    id: "claim-lost",
    rule: "volumebinding PreFilter",
    texts: [
      'persistentvolumeclaim "{claim}" is in phase Lost',
      'persistentvolumeclaim "{claim}" is lost',
    ],
    cause: "Claim {claim} has lost its volume.",
    change: ["restore the volume, or delete the claim and recreate it"],
    outlook: "stuck",
  }),
  filter({
    id: "waits-for-ephemeral-claim",
    rule: "volumebinding PreFilter",
    texts: [
      'waiting for ephemeral volume controller to create the persistentvolumeclaim "{claim}"',
    ],
    cause:
      "The claim of the pod's ephemeral volume is made by the ephemeral volume controller, which has not made it yet.",
    change: [
      "if it does not come: a claim {claim} of somebody else has the name, or a quota refuses it",
    ],
    outlook: "waits",
  }),
  filter({
    id: "no-volume-to-bind",
    rule: "volumebinding Filter",
    texts: ["node(s) didn't find available persistent volumes to bind"],
    cause:
      "On these nodes no free volume fits a claim that waits for the pod, and the class cannot make one there.",
    change: [
      "make a volume that these nodes reach: size, access modes, class and node affinity",
      "use a class with a provisioner",
    ],
  }),
  filter({
    id: "volume-out-of-reach",
    rule: "volumebinding Filter",
    texts: [
      "node(s) didn't match PersistentVolume's node affinity",
      "node(s) had volume node affinity conflict",
      "NoVolumeNodeConflict",
    ],
    cause:
      "A volume of the pod can be reached from other nodes only: its nodeAffinity names a zone or a host.",
    change: [
      "let the pod run where the volume is: nodeSelector, affinity and taints",
      "use a class with volumeBindingMode: WaitForFirstConsumer, so that volumes come to where pods can run",
    ],
  }),
  filter({
    id: "not-enough-storage",
    rule: "volumebinding Filter",
    texts: ["node(s) did not have enough free storage"],
    cause:
      "The driver reports less capacity (CSIStorageCapacity) in these nodes' topology than the claim asks for.",
    change: [
      "ask for less, or free storage there",
      "look at kubectl get csistoragecapacities -A: where none is of the claim's class and a node's topology, the node counts as full, as where the driver's node plugin does not run",
      "let the pod run elsewhere",
    ],
  }),
  filter({
    id: "volume-limit-reached",
    rule: "nodevolumelimits",
    texts: [
      "node(s) exceed max volume count",
      "MaxVolumeCount",
      "MaxCSIVolumeCount",
      "MaxEBSVolumeCount",
      "MaxGCEPDVolumeCount",
      "MaxAzureDiskVolumeCount",
    ],
    cause:
      "These nodes have as many volumes of the driver attached as CSINode's allocatable count allows.",
    change: ["add nodes, or spread the pods", "use fewer volumes in a pod"],
  }),
  filter({
    id: "driver-not-on-node",
    rule: "nodevolumelimits",
    texts: ["{driver} CSI driver is not installed on the node"],
    cause: "The driver has registered on other nodes only: their CSINode lists it.",
    change: ["let the driver's DaemonSet run on these nodes: tolerations, nodeSelector"],
  }),
  filter({
    id: "no-volume-zone",
    rule: "volumezone",
    texts: ["node(s) had no available volume zone", "NoVolumeZoneConflict"],
    cause: "A volume's zone labels name a zone that these nodes are not in.",
    change: ["let the pod run in the volume's zone", "use a class with WaitForFirstConsumer"],
  }),
  filter({
    id: "claim-without-class",
    rule: "volumezone",
    texts: ["PersistentVolumeClaim had no pv name and storageClass name"],
    cause: "A claim has neither a volume nor a class.",
    change: ["name a class in the claim"],
  }),
  filter({
    id: "disk-in-use",
    rule: "volumerestrictions",
    texts: ["node(s) had no available disk", "NoDiskConflict"],
    cause: "Another pod on these nodes uses the same disk, which only one may.",
    change: ["use claims instead of naming the disk in each pod"],
  }),
  filter({
    id: "claim-of-one-pod-in-use",
    rule: "volumerestrictions",
    texts: [
      "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod",
      "node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode",
    ],
    cause: "A claim of the pod is ReadWriteOncePod, and another pod uses it.",
    change: [
      "run one pod at a time (one replica, strategy Recreate), or give each a claim of its own",
      "use ReadWriteOnce, which pods of one node may share (recreate the claim)",
    ],
  }),
];

export const placementFilters: readonly MessagePattern[] = [
  filter({
    id: "node-selector-mismatch",
    rule: "nodeaffinity",
    texts: [
      "node(s) didn't match Pod's node affinity/selector",
      "node(s) didn't match Pod's node affinity",
      "node(s) didn't match node selector",
      "MatchNodeSelector",
    ],
    cause:
      "The pod's nodeSelector or required node affinity asks for labels that these nodes do not have.",
    change: ["correct the selector, or label the nodes"],
    outlook: "retried",
    field: "spec.nodeSelector",
  }),
  filter({
    id: "node-in-trouble",
    rule: "before 1.17 predicates CheckNodeCondition, CheckNodeDiskPressure; taints since",
    texts: [
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
    cause:
      "These nodes do not answer, are not ready, or run short of disk or memory; Kubernetes itself takes the taint for that away when it is over.",
    change: ["bring the nodes back: kubectl describe node tells what they lack"],
  }),
  filter({
    id: "node-unschedulable",
    rule: "nodeunschedulable",
    texts: ["node(s) were unschedulable", ...taintedBy(["unschedulable"])],
    cause: "These nodes are cordoned.",
    change: ["kubectl uncordon the nodes"],
  }),
  filter({
    id: "control-plane-node",
    rule: "tainttoleration",
    texts: ["control-plane", "master"].flatMap((role) =>
      textsOfTaint(`node-role.kubernetes.io/${role}`),
    ),
    cause: "These are nodes of the control plane, which keep other pods away.",
    change: ["add nodes for pods; or, in a cluster that has no others, remove the taint"],
    isUsual: true,
    field: "spec.tolerations",
  }),
  filter({
    id: "untolerated-taint",
    rule: "tainttoleration",
    texts: [
      "node(s) had untolerated taint {taint}",
      "node(s) had untolerated taint(s)",
      "node(s) had taint {taint}, that the pod didn't tolerate",
      "node(s) had taints that the pod didn't tolerate",
      "PodToleratesNodeTaints",
    ],
    cause: "These nodes have a taint that the pod does not tolerate.",
    change: ["add a toleration to the pod, or remove the taint"],
    outlook: "retried",
    field: "spec.tolerations",
  }),
  filter({
    id: "not-enough-topolvm",
    rule: "noderesources",
    texts: ["Insufficient topolvm.io/capacity", "Insufficient topolvm.cybozu.com/capacity"],
    cause:
      "These nodes' volume groups have less room than the pod's claims ask for, as TopoLVM counts it: its webhook writes their sum into the pod as a resource.",
    change: [
      "ask for less, or add room to the volume groups",
      "look at the nodes' annotations capacity.topolvm.io, and that topolvm-node runs there",
    ],
  }),
  filter({
    id: "not-enough-resources",
    rule: "noderesources",
    texts: ["Insufficient {resource}", "Too many pods", "PodFitsResources"],
    cause: "These nodes have less left than the pod's containers request.",
    change: ["lower the requests, or add nodes"],
  }),
  filter({
    id: "node-name-mismatch",
    rule: "nodename",
    texts: ["node(s) didn't match the requested node name"],
    cause: "The pod names its node in spec.nodeName.",
    change: ["correct spec.nodeName, or use a nodeSelector"],
    outlook: "retried",
    field: "spec.nodeName",
  }),
  filter({
    id: "host-port-taken",
    rule: "nodeports",
    texts: ["node(s) didn't have free ports for the requested pod ports"],
    cause: "The pod wants a hostPort that another pod has on these nodes.",
    change: ["use another hostPort, or none"],
  }),
  filter({
    id: "pod-affinity-mismatch",
    rule: "interpodaffinity",
    texts: [
      "node(s) didn't match pod affinity rules",
      "node(s) didn't match pod anti-affinity rules",
      "node(s) didn't satisfy existing pods anti-affinity rules",
      "node(s) didn't match pod affinity/anti-affinity rules",
      "node(s) didn't match pod affinity/anti-affinity",
      "MatchInterPodAffinity",
      "pod affinity terms conflict",
    ],
    cause: "Affinity or anti-affinity to other pods keeps the pod off these nodes.",
    change: ["add nodes or zones, or make the rule preferred instead of required"],
    outlook: "retried",
    field: "spec.affinity",
  }),
  filter({
    id: "topology-spread-unlabelled",
    rule: "podtopologyspread",
    texts: ["node(s) didn't match pod topology spread constraints (missing required label)"],
    cause: "These nodes lack a label over which the pod's topologySpreadConstraints are counted.",
    change: ["label the nodes, or set whenUnsatisfiable: ScheduleAnyway"],
    outlook: "retried",
    field: "spec.topologySpreadConstraints",
  }),
  filter({
    id: "topology-spread-mismatch",
    rule: "podtopologyspread",
    texts: ["node(s) didn't match pod topology spread constraints"],
    cause:
      "With one more pod the domain of these nodes would exceed the emptiest one by more than the constraint's maxSkew.",
    change: [
      "make room in the domains with fewer pods, raise maxSkew, or set whenUnsatisfiable: ScheduleAnyway",
    ],
    outlook: "retried",
    field: "spec.topologySpreadConstraints",
  }),
  filter({
    id: "node-group-full",
    rule: "cluster-autoscaler",
    texts: [
      "max node group size reached",
      "in backoff after failed scale-up",
      "max cluster {resource} limit reached",
    ],
    cause: "The autoscaler may not, or cannot, make more nodes of this group.",
    change: ["raise the group's largest size"],
  }),
  filter({
    id: "resource-claims-unmet",
    rule: "dynamicresources",
    texts: [
      "cannot allocate all claims",
      "resourceclaim not available on the node",
      'resourceclaim "{name}" not found',
      'waiting for resource claim to be created for pod "{podName}"',
      "waiting for dynamic resource allocation controller to create the resourceclaim {rest}",
    ],
    cause:
      "The pod asks for devices by a ResourceClaim, which is not simulated here, and these nodes cannot give them. It is not a matter of volumes.",
    change: ["kubectl describe resourceclaim"],
  }),
  filter({
    id: "pinned-elsewhere",
    rule: "schedule_one.go findNodesThatFitPod",
    texts: ["node(s) didn't satisfy plugin(s) [NodeAffinity]"],
    cause:
      "The pod may run on nodes of certain names only, as a DaemonSet's may on one, and these are others.",
    change: [
      "look whether its node is there, by kubectl get nodes: a DaemonSet's pod goes with its node",
    ],
  }),
  filter({
    id: "plugin-not-satisfied",
    rule: "schedule_one.go findNodesThatFitPod",
    texts: ["node(s) didn't satisfy plugin(s) [{plugins}]"],
    cause:
      "{plugins} allows the pod on certain nodes only, and these are others: a local volume, most often.",
    change: ["let the pod run where its volumes are"],
  }),
  filter({
    id: "preemption-no-help",
    rule: "defaultpreemption",
    texts: [
      "Preemption is not helpful for scheduling",
      "No preemption victims found for incoming pod",
      "No victims found on node {node} for preemptor pod {pod}",
      "not eligible due to preemptionPolicy=Never.",
      "not eligible due to {why}",
    ],
    cause: "Removing pods of lower priority would not make room either.",
    change: [],
  }),
];
