/**
 * Messages of the scheduler: FailedScheduling and what follows it. Upstream: kube-scheduler v1.36
 * pkg/scheduler/framework/types.go FitError, schedule_one.go.
 */
import type { MessagePattern } from "./message-pattern.ts";
import { placementFilters, volumeFilters } from "./scheduler-filter-messages.ts";

const component = "kube-scheduler";
/** The scheduler of EKS for pods of a Fargate profile. */
const fargate = "fargate-scheduler";

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
    id: "unschedulable-by-predicates",
    component,
    rule: "before 1.9 generic_scheduler.go FitError",
    reasons: ["FailedScheduling"],
    texts: [
      "No nodes are available that match all of the following predicates:: {detail}",
      "No nodes are available that match all of the predicates: {detail}",
    ],
    detail: "node-reasons",
    outlook: "retried",
    cause: "Each node was ruled out by at least one predicate, as filters were called.",
    change: [],
  },
  {
    id: "fargate-volumes",
    component: fargate,
    rule: "its own words",
    reasons: ["FailedScheduling"],
    texts: ["Pod not supported on Fargate: volumes not supported: {detail}"],
    detail: "list",
    outlook: "stuck",
    cause:
      "The pod is to run on Fargate, which has no node for drivers: it mounts EFS volumes that were made by hand, emptyDir, ConfigMaps, Secrets and projected ones, and no others.",
    change: ["use such a volume", "run the pod on EC2 nodes: by its namespace or labels"],
  },
  {
    id: "fargate-claim-unbound",
    component: fargate,
    rule: "its own words",
    texts: ["{name} not supported because: PVC {claim} not bound"],
    outlook: "retried",
    cause:
      "Claim {claim} is not bound, and for a pod on Fargate nothing provisions or binds its volume first.",
    change: [
      "write a volume for it by hand (efs.csi.aws.com), of a class with volumeBindingMode: Immediate",
      "look at the claim's own events",
    ],
  },
  {
    id: "fargate-driver",
    component: fargate,
    rule: "its own words",
    texts: [
      "{name} not supported because: PVC {claim} bound to invalid PV {volume} with CSI Driver: {driver}",
    ],
    outlook: "stuck",
    cause: "Claim {claim} has a volume of {driver}, which Fargate does not mount: it has EFS only.",
    change: ["use a volume of EFS that was made by hand, or run the pod on EC2 nodes"],
  },
  {
    id: "fargate-volume-type",
    component: fargate,
    rule: "its own words",
    texts: ["{name} is of an unsupported volume Type"],
    outlook: "stuck",
    cause:
      "Fargate mounts no volumes of the type of {name}: hostPath and inline CSI volumes, for instance.",
    change: ["use another volume, or run the pod on EC2 nodes"],
  },
  {
    id: "fargate-unfit",
    component: fargate,
    rule: "its own words",
    reasons: ["FailedScheduling"],
    texts: ["Pod not supported on Fargate: {why}"],
    outlook: "stuck",
    cause: "The pod is to run on Fargate, which does not take it: {why}.",
    change: ["leave that out", "run the pod on EC2 nodes: by its namespace or labels"],
  },
  {
    id: "karpenter-claim-without-class",
    component: "karpenter",
    rule: "pkg/controllers/provisioning/scheduling/volumetopology.go ValidatePersistentVolumeClaims",
    reasons: ["FailedScheduling"],
    texts: [
      "Failed to schedule pod, unbound pvc must define a storage class (PersistentVolumeClaim={claim}, StorageClass={rest}",
      "Failed to schedule pod, unbound pvc must define a storage class{rest}",
      "unbound pvc must define a storage class{rest}",
    ],
    outlook: "retried",
    cause:
      "A claim of the pod has neither volume nor class, so no volume is provisioned for it; for such a pod Karpenter, which EKS Auto Mode has too, makes no node.",
    change: [
      "name a class in the claim's storageClassName (recreate the claim), or mark a class as the cluster's default",
      "on EKS from 1.30 on no class is marked so, and in Auto Mode there is none: its provisioner is ebs.csi.eks.amazonaws.com",
    ],
  },
  {
    id: "no-scale-up",
    component: "cluster-autoscaler",
    rule: "processors/status/eventing_scale_up_processor.go",
    reasons: ["NotTriggerScaleUp"],
    texts: [
      "pod didn't trigger scale-up: {detail}",
      "pod didn't trigger scale-up (it wouldn't fit if a new node is added): {detail}",
      "pod didn't trigger scale-up (it wouldn't fit if a new node is added)",
    ],
    detail: "node-reasons",
    outlook: "retried",
    cause:
      "A new node of any group would be ruled out as well; the counts are of groups, not of nodes. A volume that is in one zone needs a group of that zone.",
    change: ["let a node group exist in the volume's zone, and label its template with the zone"],
  },
  {
    id: "scale-up",
    component: "cluster-autoscaler",
    rule: "processors/status/eventing_scale_up_processor.go",
    reasons: ["TriggeredScaleUp", "ScaleDown", "Nominated"],
    texts: [
      "pod triggered scale-up: {groups}",
      "Pod should schedule on: {node_claim}",
      "deleting pod for node scale down",
      "pod evicted due to node scale down",
    ],
    outlook: "waits",
    cause: "Nodes are being added or removed; the pod is placed when its node is ready.",
    change: [],
  },
  {
    id: "no-node-to-make",
    component: "karpenter",
    rule: "pkg/controllers/provisioning/scheduling/scheduler.go",
    reasons: ["FailedScheduling"],
    texts: ["Failed to schedule pod, {why}", "Failed to provision new node, {why}"],
    outlook: "retried",
    cause:
      "No node pool can make a node for the pod: its selectors, taints, resources, or the zone of a volume.",
    change: ["read which requirement fails; a bound volume's zone is one of them"],
  },
  {
    id: "claim-not-bound-yet",
    component,
    rule: "before 1.12 predicates.go, volume_binding.go",
    reasons: ["FailedScheduling"],
    texts: [
      'PersistentVolumeClaim is not bound: "{claim}" (repeated {times} times)',
      'PersistentVolumeClaim is not bound: "{claim}"',
      'SchedulerPredicates failed due to PersistentVolumeClaim is not bound: "{claim}", which is unexpected.',
      '[SchedulerPredicates failed due to PersistentVolumeClaim is not bound: "{claim}", which is unexpected.{rest}]',
    ],
    outlook: "retried",
    cause: "Claim {claim} is still Pending: the cause is at the claim, not at the pod.",
    change: [
      "look at the claim's own events: FailedBinding, ExternalProvisioning, ProvisioningFailed or VolumeMismatch",
    ],
  },
  {
    id: "bind-volumes-failed",
    component,
    rule: "plugins/volumebinding PreBind",
    reasons: ["FailedScheduling"],
    texts: [
      'running PreBind plugin "VolumeBinding": binding volumes: {detail}',
      'running PreBind plugin "VolumeBinding": {detail}',
      'error while running "VolumeBinding" prebind plugin for pod "{podName}": Failed to bind volumes: {detail}',
      "Failed to bind volumes: {detail}",
      "running PreBind plugin VolumeBinding: binding volumes: {detail}",
      "binding volumes: {detail}",
    ],
    outlook: "retried",
    cause:
      "The pod had its node, and its claims could not be bound there, or not within the time (10 minutes by default).",
    change: [
      "look at the claims' events: the provisioner's messages are there, or ExternalProvisioning alone where none runs",
    ],
  },
  {
    id: "plugin-failed",
    component,
    rule: "framework/runtime/framework.go",
    reasons: ["FailedScheduling"],
    texts: [
      'error while running "{plugin}" prebind plugin for pod "{podName}": {detail}',
      'error while running "{plugin}" filter plugin for pod "{podName}": {detail}',
      'running "{plugin}" filter plugin for pod "{podName}": {detail}',
      'running "{plugin}" filter plugin: {detail}',
      'running PreFilter plugin "{plugin}": {detail}',
      'running PreScore plugin "{plugin}": {detail}',
      'running Filter plugin "{plugin}": {detail}',
      'running Reserve plugin "{plugin}": {detail}',
      'running Bind plugin "{plugin}": {detail}',
      'running Permit plugin "{plugin}": {detail}',
      'binding rejected: running Bind plugin "{plugin}": {detail}',
    ],
    outlook: "retried",
    cause: "The scheduler's plugin {plugin} could not do its part; the pod is tried again.",
    change: ["read the rest of the message"],
  },
  {
    id: "being-deleted",
    component,
    rule: "schedule_one.go skipPodSchedule",
    reasons: ["FailedScheduling"],
    texts: [
      "skip schedule deleting pod: {pod}",
      'Operation cannot be fulfilled on pods/binding "{pod}": pod {name} is being deleted, cannot be assigned to a host',
    ],
    outlook: "done",
    cause: "Pod {pod} is being deleted and gets no node any more.",
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
    id: "bind-volume-elsewhere",
    component,
    rule: "plugins/volumebinding binder.go checkBindings",
    texts: ['pv "{volume}" node affinity doesn\'t match node "{node}": {why}'],
    outlook: "retried",
    cause:
      "Volume {volume} was made for a pod on node {node}, and lies where that node does not reach it: its driver did not heed the node that was chosen.",
    change: [
      "compare the volume's nodeAffinity with the node's labels: both are the driver's, and a node may have changed its zone or its name",
      "let the driver's csi-provisioner heed topology (Topology, --strict-topology)",
    ],
  },
  {
    id: "bind-volumes-lost",
    component,
    rule: "plugins/volumebinding binder.go checkBindings",
    texts: ['ClaimRef got reset for pv "{volume}"', 'failed to get node "{node}": {why}'],
    outlook: "retried",
    cause: "While the claims were being bound, something else changed a volume or the node.",
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
  {
    id: "preempted-before-binding",
    component,
    rule: "framework/preemption/executor.go PreemptPod",
    reasons: ["Preempted"],
    texts: ["Preempted by pod {pod} on node {node} (in kube-scheduler memory)."],
    outlook: "retried",
    cause:
      "The pod's volumes were still being bound for {node} when a pod of higher priority took its place. It is not deleted: it waits for a node again.",
    change: ["give it a higher priority class"],
  },
  ...volumeFilters,
  ...placementFilters,
];
