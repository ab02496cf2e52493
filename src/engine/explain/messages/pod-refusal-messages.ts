/**
 * Why kubelets do not admit a pod that is bound to their node. Upstream: pkg/kubelet v1.36 lifecycle/predicate.go, handlers.go,
 * sysctl/allowlist.go, cm/admission, cm/topologymanager, eviction, nodeshutdown.
 */
import type { MessagePattern } from "./message-pattern.ts";
import { messagesOf } from "./messages-of.ts";

const kubelet = messagesOf("kubelet", "pkg/kubelet/");

export const podRefusalMessages: readonly MessagePattern[] = [
  kubelet({
    id: "pod-rejected",
    rule: "kubelet.go rejectPod",
    texts: ["Pod was rejected: {detail}"],
    cause: "The kubelet did not take the pod in, which has failed with that.",
    change: [],
    outlook: "stuck",
  }),
  kubelet({
    id: "pod-rejected-by-node",
    rule: "lifecycle/predicate.go",
    reasons: [
      "NodeAffinity",
      "NodePorts",
      "TaintToleration",
      "OutOfcpu",
      "OutOfmemory",
      "OutOfephemeral-storage",
      "OutOfpods",
    ],
    texts: [
      "Predicate {predicate} failed: {detail}",
      "Node didn't have enough resource: {resource}, requested: {requested}, used: {used}, capacity: {capacity}",
    ],
    cause: "The kubelet refuses the pod, which came past the scheduler or too late.",
    change: [
      "remove spec.nodeName, so that the scheduler chooses",
      "where it names none: look for the pod that its owner makes in its place",
    ],
    outlook: "stuck",
  }),
  kubelet({
    id: "pod-refused-for-node-pressure",
    rule: "eviction/eviction_manager.go Admit",
    reasons: ["Evicted"],
    texts: ["The node had condition: [{condition}].", "Pod The node had condition: [{condition}]."],
    cause:
      "The node is short of something ({condition}), and meanwhile its kubelet takes no pods in but critical ones. The pod came past the scheduler, or bears the node's taint for that, as those of DaemonSets do.",
    change: [
      "end the shortage on the node; of disk, clear images and logs or give it a larger one",
      "keep the pod off: no spec.nodeName, and no toleration of such taints",
    ],
    outlook: "stuck",
  }),
  kubelet({
    id: "pod-for-other-os",
    rule: "lifecycle/predicate.go rejectPodAdmissionBasedOnOSField, rejectPodAdmissionBasedOnOSSelector",
    reasons: ["PodOSNotSupported", "PodOSSelectorNodeLabelDoesNotMatch"],
    texts: ["Failed to admit pod as the {why}"],
    cause:
      "The pod is for another operating system than its node has. The scheduler looks neither at spec.os nor at the pod's labels for that.",
    change: ["keep the pod to nodes of its system: kubernetes.io/os in spec.nodeSelector"],
    outlook: "stuck",
  }),
  kubelet({
    id: "strict-groups-not-supported",
    rule: "lifecycle/predicate.go rejectPodAdmissionBasedOnSupplementalGroupsPolicy",
    reasons: ["SupplementalGroupsPolicyNotSupported"],
    texts: ["SupplementalGroupsPolicy=Strict is not supported in this node"],
    cause:
      "The pod is to have no groups but those that it names, which the node's container runtime cannot see to. The scheduler does not know that.",
    change: [
      "leave out securityContext.supplementalGroupsPolicy",
      "update the node's container runtime: containerd from 2.0 on and CRI-O from 1.31 on can",
    ],
    outlook: "stuck",
    field: "spec.securityContext.supplementalGroupsPolicy",
  }),
  kubelet({
    id: "sysctl-not-allowed",
    rule: "sysctl/allowlist.go Admit",
    reasons: ["SysctlForbidden"],
    texts: [
      'forbidden sysctl: "{sysctl}" not allowlisted',
      'forbidden sysctl: "{sysctl}" not whitelisted',
      'forbidden sysctl: "{sysctl}" not allowed with host {namespace} enabled',
    ],
    cause:
      "The pod sets {sysctl}, which the node's kubelet lets no pod set. The scheduler does not know that.",
    change: [
      "leave it out of securityContext.sysctls, and set it on the node",
      "start the node's kubelet with --allowed-unsafe-sysctls",
    ],
    outlook: "stuck",
    field: "spec.securityContext.sysctls",
  }),
  kubelet({
    id: "devices-not-allocated",
    rule: "cm/admission/errors.go, cm/topologymanager, lifecycle/predicate.go",
    reasons: ["UnexpectedAdmissionError", "TopologyAffinityError"],
    texts: [
      "Allocate failed due to {why}, which is unexpected",
      "Update plugin resources failed due to {why}, which is unexpected.",
      "Unexpected error while attempting to recover from admission failure: {why}",
      "Resources cannot be allocated with Topology locality",
    ],
    cause:
      "The node could not give the pod the devices, processors or memory that it asks for; that is not simulated here, and no matter of volumes.",
    change: ["look at the device plugin's pod on the node; the pod's owner makes another pod"],
    outlook: "stuck",
  }),
  kubelet({
    id: "node-lacks-feature",
    rule: "lifecycle/predicate.go, lifecycle/handlers.go",
    reasons: ["AppArmor", "SupplementalGroupsPolicyNotSupported", "PodFeatureUnsupported"],
    texts: [
      "Cannot enforce AppArmor: {why}",
      "SupplementalGroupsPolicy={policy} is not supported in this node",
      "Pod requires node features that are not available: {features}",
    ],
    cause: "The node, or its container runtime, cannot do what the pod's securityContext asks for.",
    change: ["leave it out, or keep the pod to nodes that can"],
    outlook: "stuck",
  }),
  kubelet({
    id: "node-shutting-down",
    rule: "nodeshutdown/nodeshutdown_manager.go",
    reasons: ["NodeShutdown", "Terminated"],
    texts: [
      "Pod was rejected as the node is shutting down.",
      "Pod was terminated in response to imminent node shutdown.",
    ],
    cause: "The node goes down: it ends its pods, and takes no new ones in.",
    change: ["look at the pod's owner for the pod that replaces it on another node"],
    outlook: "done",
  }),
];
