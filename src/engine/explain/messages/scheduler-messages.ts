/**
 * Messages of the scheduler: of FailedScheduling, and the reason of each of its filters. Upstream: kube-scheduler v1.36
 * pkg/scheduler/framework/types.go FitError, pkg/scheduler/framework/plugins.
 */
import { partsOf } from "./message-part.ts";
import type { MessagePattern } from "./message-pattern.ts";

const component = "kube-scheduler";

const filter = partsOf(component, "plugins/");

const volumeFilters: readonly MessagePattern[] = [
  filter(
    "unbound-immediate-claims",
    "volumebinding PreFilter",
    [
      "pod has unbound immediate PersistentVolumeClaims",
      "pod has unbound PersistentVolumeClaims",
      "pod has unbound immediate PersistentVolumeClaims (repeated {times} times)",
    ],
    "A claim of the pod has a class that binds at once, and is still Pending: the cause is at the claim, not at the pod.",
    [
      "look at the claim's own events: FailedBinding, ExternalProvisioning, ProvisioningFailed or VolumeMismatch",
    ],
  ),
  filter(
    "claim-not-found",
    "volumebinding PreFilter",
    ['persistentvolumeclaim "{claim}" not found'],
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
      "or use a class with a provisioner",
    ],
  ),
  filter(
    "volume-out-of-reach",
    "volumebinding Filter",
    [
      "node(s) didn't match PersistentVolume's node affinity",
      "node(s) had volume node affinity conflict",
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
    ["node(s) exceed max volume count"],
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
    ["node(s) had no available volume zone"],
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
    ["node(s) had no available disk"],
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
    ["end the other pod first (strategy Recreate)", "or use ReadWriteOnce"],
  ),
];

const placementFilters: readonly MessagePattern[] = [
  filter(
    "node-selector-mismatch",
    "nodeaffinity",
    ["node(s) didn't match Pod's node affinity/selector", "node(s) didn't match node selector"],
    "The pod's nodeSelector or required node affinity asks for labels that these nodes do not have.",
    ["correct the selector, or label the nodes"],
    "retried",
    "spec.nodeSelector",
  ),
  filter(
    "untolerated-taint",
    "tainttoleration",
    [
      "node(s) had untolerated taint {taint}",
      "node(s) had untolerated taint(s)",
      "node(s) had taint {taint}, that the pod didn't tolerate",
      "node(s) had taints that the pod didn't tolerate",
    ],
    "These nodes have a taint that the pod does not tolerate.",
    ["add a toleration to the pod, or remove the taint"],
    "retried",
    "spec.tolerations",
  ),
  filter(
    "node-unschedulable",
    "nodeunschedulable",
    ["node(s) were unschedulable"],
    "These nodes are cordoned.",
    ["kubectl uncordon them"],
  ),
  filter(
    "not-enough-resources",
    "noderesources",
    ["Insufficient {resource}", "Too many pods"],
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

export const schedulerMessages: readonly MessagePattern[] = [
  {
    id: "unschedulable",
    component,
    rule: "schedule_one.go handleSchedulingFailure, FitError",
    reasons: ["FailedScheduling"],
    texts: ["{available}/{total} nodes are available: {detail}", "0/{total} nodes are available"],
    detail: "node-reasons",
    outlook: "retried",
    cause:
      "Each of the {total} nodes was ruled out by at least one filter; the pod is tried again when something changes.",
    change: [],
  },
  {
    id: "no-nodes",
    component,
    rule: "schedule_one.go findNodesThatFitPod",
    reasons: ["FailedScheduling"],
    texts: ["no nodes available to schedule pods"],
    outlook: "retried",
    cause: "The cluster has no node.",
    change: ["add a node"],
  },
  {
    id: "bind-volumes-failed",
    component,
    rule: "plugins/volumebinding PreBind",
    reasons: ["FailedScheduling"],
    texts: [
      'running PreBind plugin "VolumeBinding": binding volumes: {detail}',
      "running PreBind plugin VolumeBinding: binding volumes: {detail}",
      "binding volumes: {detail}",
    ],
    outlook: "retried",
    cause:
      "The pod had its node, and its claims were not bound there within the time (10 minutes by default).",
    change: ["look at the claims' events: the provisioner's messages are there"],
  },
  {
    id: "provisioning-failed-for-pod",
    component,
    rule: "plugins/volumebinding binder.go checkBindings",
    texts: [
      'provisioning failed for PVC "{claim}"',
      'selectedNode annotation reset for PVC "{claim}"',
    ],
    outlook: "retried",
    cause:
      "The provisioner gave claim {claim} back: it cannot make a volume for the node that was chosen.",
    change: ["read claim {claim}'s ProvisioningFailed event"],
  },
  {
    id: "bind-volumes-lost",
    component,
    rule: "plugins/volumebinding binder.go checkBindings",
    texts: [
      'ClaimRef got reset for pv "{volume}"',
      'pv "{volume}" node affinity doesn\'t match node "{node}": {why}',
      'failed to get node "{node}": {why}',
    ],
    outlook: "retried",
    cause: "While the claims were being bound, something else changed a volume or the node.",
    change: [],
  },
  {
    id: "timed-out",
    component: "waiting component",
    rule: "apimachinery wait.ErrWaitTimeout, context.DeadlineExceeded",
    texts: [
      "timed out waiting for the condition",
      "{lists}: context deadline exceeded",
      "context deadline exceeded",
    ],
    outlook: "retried",
    cause: "What was waited for did not happen in time.",
    change: [],
  },
  {
    id: "scheduling-gated",
    field: "spec.schedulingGates",
    component,
    rule: "plugins/schedulinggates",
    reasons: ["FailedScheduling", "SchedulingGated"],
    texts: [
      "waiting for scheduling gates: [{gates}]",
      "Scheduling is blocked due to non-empty scheduling gates",
    ],
    outlook: "waits",
    cause: "The pod has scheduling gates that somebody has to remove.",
    change: ["remove spec.schedulingGates"],
  },
  {
    id: "scheduled",
    component,
    rule: "schedule_one.go bind",
    reasons: ["Scheduled"],
    texts: ["Successfully assigned {pod} to {node}"],
    outlook: "done",
    cause: "The pod has its node, {node}.",
    change: [],
  },
  {
    id: "preempted",
    component,
    rule: "plugins/defaultpreemption",
    reasons: ["Preempted"],
    texts: ["Preempted by pod {pod} on node {node}", "Preempted by a pod on node {node}"],
    outlook: "done",
    cause: "The pod had to give way to a pod of higher priority on {node}.",
    change: ["give it a higher priority class"],
  },
  ...volumeFilters,
  ...placementFilters,
];
