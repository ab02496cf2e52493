/**
 * The Node object as a kubelet registers it. Upstream: pkg/kubelet/kubelet_node_status.go initialNode, nodestatus/setters.go
 * v1.36. Not modeled: leases (health is read from the kubelet's machine instead), images, more than one address.
 */
import type { Draft } from "../api/meta.ts";
import { timestamp } from "../api/timestamp.ts";
import type { NodeCondition, NodeStatus } from "../api/types.ts";
import type { NodeTaint } from "../csi/driver-profile.ts";
import type { KubernetesVersion, NodeProfile } from "../scenario.ts";
import { unschedulableTaint } from "../scheduler/plugins/node-unschedulable.ts";
import type { Instant } from "../trace/instant.ts";
import { isOn } from "../version-differences.ts";

const capacityDefaults: Readonly<Record<string, string>> = {
  cpu: "8",
  memory: "32Gi",
  "ephemeral-storage": "100Gi",
  pods: "110",
};

export const managedAttachAnnotation = "volumes.kubernetes.io/controller-managed-attach-detach";

/** The capacity that the kubelet reports, as quantities; all of it is allocatable. */
export function nodeCapacity({ capacity }: NodeProfile): Readonly<Record<string, string>> {
  return { ...capacityDefaults, ...capacity };
}

export function nodeLabels(profile: NodeProfile): Readonly<Record<string, string>> {
  return {
    "beta.kubernetes.io/arch": "amd64",
    "beta.kubernetes.io/os": "linux",
    "kubernetes.io/arch": "amd64",
    "kubernetes.io/hostname": profile.name,
    "kubernetes.io/os": "linux",
    ...(profile.zone !== undefined && { "topology.kubernetes.io/zone": profile.zone }),
    ...profile.labels,
  };
}

const defaultLabelKeys: ReadonlySet<string> = new Set([
  "beta.kubernetes.io/arch",
  "beta.kubernetes.io/instance-type",
  "beta.kubernetes.io/os",
  "failure-domain.beta.kubernetes.io/region",
  "failure-domain.beta.kubernetes.io/zone",
  "kubernetes.io/arch",
  "kubernetes.io/hostname",
  "kubernetes.io/os",
  "node.kubernetes.io/instance-type",
  "topology.kubernetes.io/region",
  "topology.kubernetes.io/zone",
]);

/** The labels that a kubelet also restores on an existing Node; it sets the others only on a new Node. */
export function defaultLabels(profile: NodeProfile): Readonly<Record<string, string>> {
  const own = Object.entries(nodeLabels(profile));
  return Object.fromEntries(own.filter(([key]) => defaultLabelKeys.has(key)));
}

export function initialNode(
  profile: NodeProfile,
  version: KubernetesVersion,
  address: string,
  now: Instant,
): Draft<"Node"> {
  const taints = taintsOf(profile);
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: {
      name: profile.name,
      labels: nodeLabels(profile),
      annotations: { [managedAttachAnnotation]: "true" },
    },
    spec: {
      ...(taints.length > 0 && { taints }),
      ...(profile.isCordoned === true && { unschedulable: true }),
    },
    status: initialStatus(profile, version, address, now),
  };
}

/** A kubelet that registers itself as unschedulable adds the matching taint. */
function taintsOf({ taints = [], isCordoned }: NodeProfile): readonly NodeTaint[] {
  const isTold = taints.some(({ key }) => key === unschedulableTaint.key);
  return isCordoned === true && !isTold ? [...taints, unschedulableTaint] : taints;
}

export function initialStatus(
  profile: NodeProfile,
  version: KubernetesVersion,
  address: string,
  now: Instant,
): NodeStatus {
  const capacity = nodeCapacity(profile);
  return {
    capacity,
    allocatable: capacity,
    conditions: reportedConditions(profile, now),
    addresses: [
      { type: "InternalIP", address },
      { type: "Hostname", address: profile.name },
    ],
    daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
    ...(isOn("SupplementalGroupsPolicy", version) && {
      features: { supplementalGroupsPolicy: profile.fakeMounts !== true },
    }),
    nodeInfo: {
      architecture: "amd64",
      bootID: "",
      containerRuntimeVersion: "containerd://2.1.0",
      kernelVersion: "6.12.0",
      kubeProxyVersion: "",
      kubeletVersion: `v${version}.0`,
      machineID: "",
      operatingSystem: "linux",
      osImage: "Debian GNU/Linux 13 (trixie)",
      systemUUID: "",
    },
  };
}

/** The conditions that the kubelet reports for its node. */
export function reportedConditions(
  { ailments = [] }: NodeProfile,
  now: Instant,
): readonly NodeCondition[] {
  return healthyConditions(now).map((condition) => ({
    ...condition,
    ...ailments.find(({ type }) => type === condition.type),
  }));
}

function healthyConditions(now: Instant): readonly NodeCondition[] {
  const condition = (
    type: string,
    status: string,
    reason: string,
    message: string,
  ): NodeCondition => ({
    type,
    status,
    reason,
    message,
    lastHeartbeatTime: timestamp(now),
    lastTransitionTime: timestamp(now),
  });
  return [
    condition(
      "MemoryPressure",
      "False",
      "KubeletHasSufficientMemory",
      "kubelet has sufficient memory available",
    ),
    condition("DiskPressure", "False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
    condition(
      "PIDPressure",
      "False",
      "KubeletHasSufficientPID",
      "kubelet has sufficient PID available",
    ),
    condition("Ready", "True", "KubeletReady", "kubelet is posting ready status"),
  ];
}
