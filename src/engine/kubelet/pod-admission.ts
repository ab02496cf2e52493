/**
 * Whether the kubelet admits a pod that was bound to its node; the first failed check counts. Upstream:
 * pkg/kubelet/lifecycle/predicate.go, pkg/scheduler AdmissionCheck, pkg/kubelet/sysctl/allowlist.go v1.36.
 * Not modeled: preemption for critical pods.
 */
import { sysctlWithDots } from "../api/names/sysctl.ts";
import { untoleratedTaint } from "../api/selection/tolerations.ts";
import type { Node, Pod, PodSpec } from "../api/types.ts";
import { portsConflict } from "../scheduler/cache/node-info.ts";
import { hostPorts } from "../scheduler/cache/pod-info.ts";
import {
  allocatableOf,
  inOrderOfReport,
  podRequests,
  type Resources,
} from "../scheduler/cache/resources.ts";
import { nodeMatchesPod } from "../scheduler/plugins/node-affinity.ts";

export interface Refusal {
  readonly reason: string;
  readonly message: string;
}

/** Undefined if the pod is admitted. `others` are the pods that already hold resources of the node. */
export function admissionRefusal(
  pod: Pod,
  others: readonly Pod[],
  node: Node | undefined,
): Refusal | undefined {
  const sysctl = sysctlRefusal(pod.spec);
  if (sysctl !== undefined) return sysctl;
  if (node === undefined) return undefined;
  // The kubelet's own operating system is in its node's label.
  const os = node.metadata.labels?.["kubernetes.io/os"] ?? "linux";
  const osLabel = pod.metadata.labels?.["kubernetes.io/os"];
  if (osLabel !== undefined && osLabel !== os) {
    const message = "Failed to admit pod as the `kubernetes.io/os` label doesn't match node label";
    return { reason: "PodOSSelectorNodeLabelDoesNotMatch", message };
  }
  if (pod.spec.os !== undefined && pod.spec.os.name !== os) {
    return {
      reason: "PodOSNotSupported",
      message: "Failed to admit pod as the OS field doesn't match node OS",
    };
  }
  if (lacksStrictGroups(pod.spec, node)) {
    return {
      reason: "SupplementalGroupsPolicyNotSupported",
      message: "SupplementalGroupsPolicy=Strict is not supported in this node",
    };
  }
  const shortage = resourceRefusal(pod, others, node);
  if (shortage !== undefined) return shortage;
  if (!nodeMatchesPod(pod, node)) {
    return failedPredicate("NodeAffinity", "node(s) didn't match Pod's node affinity/selector");
  }
  if (hasPortConflict(pod, others)) {
    return failedPredicate(
      "NodePorts",
      "node(s) didn't have free ports for the requested pod ports",
    );
  }
  if (untoleratedTaint(pod.spec.tolerations, node.spec.taints, ["NoExecute"]) !== undefined) {
    return failedPredicate("TaintToleration", "node(s) had taints that the pod doesn't tolerate");
  }
  return undefined;
}

/** The sysctls that pods may set without allowedUnsafeSysctls. Upstream: safe_sysctls.go. */
const safeSysctls: readonly string[] = [
  "kernel.shm_rmid_forced",
  "net.ipv4.ip_local_port_range",
  "net.ipv4.ip_local_reserved_ports",
  "net.ipv4.ip_unprivileged_port_start",
  "net.ipv4.ping_group_range",
  "net.ipv4.tcp_fin_timeout",
  "net.ipv4.tcp_keepalive_intvl",
  "net.ipv4.tcp_keepalive_probes",
  "net.ipv4.tcp_keepalive_time",
  "net.ipv4.tcp_rmem",
  "net.ipv4.tcp_syncookies",
  "net.ipv4.tcp_wmem",
];

/** Does not check host namespaces: the API server refuses pods whose sysctls they rule out. */
function sysctlRefusal({ securityContext }: PodSpec): Refusal | undefined {
  for (const { name } of securityContext?.sysctls ?? []) {
    const dotted = sysctlWithDots(name);
    if (safeSysctls.includes(dotted)) continue;
    return {
      reason: "SysctlForbidden",
      message: `forbidden sysctl: "${dotted}" not allowlisted`,
    };
  }
  return undefined;
}

/**
 * A node that does not report the feature counts as supporting it. Upstream: rejectPodAdmissionBasedOnSupplementalGroupsPolicy.
 */
function lacksStrictGroups({ securityContext }: PodSpec, { status }: Node): boolean {
  return (
    securityContext?.supplementalGroupsPolicy === "Strict" &&
    status?.features?.supplementalGroupsPolicy === false
  );
}

function failedPredicate(name: string, why: string): Refusal {
  return { reason: name, message: `Predicate ${name} failed: ${why}` };
}

const requestsOfSpec = new WeakMap<PodSpec, Resources>();

/** Cached by spec, which never changes in place: a full node asks for the same pods again with each new pod. */
function requestsOf(spec: PodSpec): Resources {
  let requests = requestsOfSpec.get(spec);
  if (requests === undefined) requestsOfSpec.set(spec, (requests = podRequests(spec)));
  return requests;
}

function resourceRefusal(pod: Pod, others: readonly Pod[], node: Node): Refusal | undefined {
  const allocatable = allocatableOf(node);
  const short = (resource: string, requested: number, used: number): Refusal | undefined => {
    const capacity = allocatable.get(resource) ?? 0;
    if (requested <= capacity - used) return undefined;
    const message = `Node didn't have enough resource: ${resource}, requested: ${requested}, used: ${used}, capacity: ${capacity}`;
    return { reason: `OutOf${resource}`, message };
  };
  const tooMany = short("pods", 1, others.length);
  if (tooMany !== undefined) return tooMany;
  for (const [resource, requested] of inOrderOfReport(podRequests(pod.spec))) {
    const isForeign = resource.includes("/") && !allocatable.has(resource);
    if (isForeign) continue;
    const used = others.reduce(
      (sum, other) => sum + (requestsOf(other.spec).get(resource) ?? 0),
      0,
    );
    const refused = short(resource, requested, used);
    if (refused !== undefined) return refused;
  }
  return undefined;
}

function hasPortConflict(pod: Pod, others: readonly Pod[]): boolean {
  const wanted = hostPorts(pod);
  if (wanted.length === 0) return false;
  return others.some((other) => portsConflict(wanted, hostPorts(other)));
}
