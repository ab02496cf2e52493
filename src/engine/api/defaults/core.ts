/** Defaults of the remaining core kinds. Upstream: pkg/apis/core/v1/defaults.go and pkg/apis/scheduling/v1/defaults.go, v1.36. */
import { base64OfText } from "../decoding/base64.ts";
import { dropField, type Mutable } from "../mutable.ts";
import type {
  LimitRange,
  LimitRangeItem,
  Namespace,
  Node,
  NodeSpec,
  PriorityClass,
  Secret,
  Service,
  ServiceSpec,
} from "../types.ts";

/** `stringData` is encoded into `data`. Upstream: Convert_v1_Secret_To_core_Secret. */
export function setSecretDefaults(secret: Mutable<Secret>): void {
  const { stringData } = secret;
  if (stringData !== undefined) {
    const data = secret.data ?? {};
    for (const key in stringData) data[key] = base64OfText(stringData[key] ?? "");
    secret.data = data;
    delete secret.stringData;
  }
  secret.type ??= "Opaque";
}

export function setNamespaceDefaults(namespace: Mutable<Namespace>): void {
  const { name } = namespace.metadata;
  if (name === undefined || name === "") return;
  namespace.metadata.labels = { ...namespace.metadata.labels, "kubernetes.io/metadata.name": name };
}

export function setNodeDefaults(node: Mutable<Node>): void {
  const { spec, status } = node;
  if (spec !== undefined) unitePodRanges(spec);
  if (status?.capacity !== undefined && Object.keys(status.capacity).length > 0)
    status.allocatable ??= { ...status.capacity };
}

/** `podCIDR` is the first of `podCIDRs`, and takes precedence. Upstream: Convert_v1_NodeSpec_To_core_NodeSpec and back. */
function unitePodRanges(spec: Mutable<NodeSpec>): void {
  const { podCIDR = "", podCIDRs: [first = ""] = [] } = spec;
  if (podCIDR !== "" && podCIDR !== first) spec.podCIDRs = [podCIDR];
  else if (first !== "") spec.podCIDR = first;
}

export function setPriorityClassDefaults(priorityClass: Mutable<PriorityClass>): void {
  priorityClass.preemptionPolicy ??= "PreemptLowerPriority";
}

export function setLimitRangeDefaults(limitRange: Mutable<LimitRange>): void {
  for (const item of limitRange.spec?.limits ?? [])
    if (item.type === "Container") setContainerLimitDefaults(item);
}

/** Upstream: SetDefaults_LimitRangeItem. */
function setContainerLimitDefaults(item: Mutable<LimitRangeItem>): void {
  const limits = { ...item.max, ...item.default };
  const requests = { ...item.min, ...limits, ...item.defaultRequest };
  if (Object.keys(limits).length > 0) item.default = limits;
  if (Object.keys(requests).length > 0) item.defaultRequest = requests;
}

export function setServiceDefaults(service: Mutable<Service>): void {
  service.spec ??= {};
  const { spec } = service;
  spec.sessionAffinity ??= "None";
  if (spec.sessionAffinity === "None") dropField(spec, "sessionAffinityConfig");
  if (
    spec.sessionAffinity === "ClientIP" &&
    spec.sessionAffinityConfig?.clientIP?.timeoutSeconds === undefined
  ) {
    spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: 10_800 } };
  }
  spec.type ??= "ClusterIP";
  for (const port of spec.ports ?? []) {
    port.protocol ??= "TCP";
    if (port.targetPort === undefined || port.targetPort === 0 || port.targetPort === "")
      port.targetPort = port.port;
  }
  setTrafficPolicies(spec);
  if (spec.type !== "LoadBalancer") return;
  for (const way of service.status?.loadBalancer?.ingress ?? [])
    if ((way.ip ?? "") !== "") way.ipMode ??= "VIP";
}

function setTrafficPolicies(spec: Mutable<ServiceSpec>): void {
  const reachable = spec.type === "NodePort" || spec.type === "LoadBalancer";
  const hasOutside = spec.type === "ClusterIP" && (spec.externalIPs ?? []).length > 0;
  if (reachable || hasOutside) spec.externalTrafficPolicy ??= "Cluster";
  if (reachable || spec.type === "ClusterIP") spec.internalTrafficPolicy ??= "Cluster";
  if (spec.type === "LoadBalancer") spec.allocateLoadBalancerNodePorts ??= true;
}
