/**
 * What the server fills in and takes away in services. Upstream: pkg/registry/core/service/storage alloc.go initIPFamilyFields,
 * patchAllocatedValues, normalizeClusterIPs; pkg/registry/core/service/strategy.go dropTypeDependentFields. Addresses and ports are
 * not really allocated.
 */
import type { Mutable } from "../mutable.ts";
import { semanticEqual } from "../semantic-equal.ts";
import type { Service, ServicePort, ServiceSpec } from "../types.ts";

/**
 * Address families of a cluster with IPv4 only. A headless service without selector is said to have both, for nobody knows its
 * endpoints.
 */
export function allocateAddresses(spec: Mutable<ServiceSpec>): void {
  if ((spec.clusterIP ?? "") === "" && (spec.clusterIPs ?? []).length === 0)
    spec.clusterIP = "10.96.0.0";
  if ((spec.clusterIPs ?? []).length === 0) spec.clusterIPs = [spec.clusterIP ?? ""];
  const openEnded = spec.clusterIP === "None" && Object.keys(spec.selector ?? {}).length === 0;
  spec.ipFamilyPolicy ??= openEnded ? "RequireDualStack" : "SingleStack";
  if ((spec.ipFamilies ?? []).length === 0)
    spec.ipFamilies = openEnded ? ["IPv4", "IPv6"] : ["IPv4"];
}

/** What a client does not repeat stays; what a new type has no use for goes, unless the client changed it. */
export function prepareServiceUpdate(service: Mutable<Service>, current: Service): void {
  service.spec ??= {};
  const { spec } = service;
  const before = current.spec ?? {};
  if (hasAddress(spec)) {
    if (hasAddress(before)) keepAddresses(spec, before);
    else allocateAddresses(spec);
  }
  if (hasNodePorts(spec) && hasNodePorts(before)) keepNodePorts(spec.ports ?? [], before.ports);
  if (needsHealthCheck(spec) && needsHealthCheck(before) && before.healthCheckNodePort)
    spec.healthCheckNodePort ||= before.healthCheckNodePort;
  dropTypeDependentFields(spec, before);
}

/** A list follows the one address that is changed. */
function keepAddresses(spec: Mutable<ServiceSpec>, before: ServiceSpec): void {
  for (const field of ["clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy"] as const) {
    const value = before[field];
    if (value !== undefined && (spec[field] ?? "").length === 0)
      Object.assign(spec, { [field]: value });
  }
  const { clusterIP, clusterIPs } = spec;
  const isChanged = clusterIP !== undefined && clusterIP !== before.clusterIP;
  if (isChanged && semanticEqual(clusterIPs, before.clusterIPs)) spec.clusterIPs = [clusterIP];
}

/** By the names of the ports, if no other has the number by now. */
function keepNodePorts(
  ports: readonly Mutable<ServicePort>[],
  before: readonly ServicePort[] = [],
): void {
  const known = new Map(before.map(({ name = "", nodePort = 0 }) => [name, nodePort]));
  const used = new Set(ports.map(({ nodePort = 0 }) => nodePort));
  for (const port of ports) {
    const nodePort = known.get(port.name ?? "") ?? 0;
    if ((port.nodePort ?? 0) !== 0 || used.has(nodePort) || nodePort === 0) continue;
    port.nodePort = nodePort;
    used.add(nodePort);
  }
}

function dropTypeDependentFields(spec: Mutable<ServiceSpec>, before: ServiceSpec): void {
  const dropIf = (isUseless: boolean, ...fields: readonly (keyof ServiceSpec)[]): void => {
    if (isUseless && fields.every((field) => semanticEqual(spec[field], before[field])))
      for (const field of fields) delete spec[field];
  };
  const losesAddress = hasAddress(before) && !hasAddress(spec);
  dropIf(losesAddress, "clusterIP", "clusterIPs");
  dropIf(losesAddress, "ipFamilies");
  dropIf(losesAddress, "ipFamilyPolicy");
  if (hasNodePorts(before) && !hasNodePorts(spec)) dropNodePorts(spec.ports ?? [], before.ports);
  dropIf(needsHealthCheck(before) && !needsHealthCheck(spec), "healthCheckNodePort");
  const stopsBalancing = before.type === "LoadBalancer" && spec.type !== "LoadBalancer";
  dropIf(stopsBalancing, "allocateLoadBalancerNodePorts");
  dropIf(stopsBalancing, "loadBalancerClass");
  dropIf(isReachable(before) && !isReachable(spec), "externalTrafficPolicy");
}

function dropNodePorts(
  ports: readonly Mutable<ServicePort>[],
  before: readonly ServicePort[] = [],
): void {
  const known = new Set([0, ...before.map(({ nodePort = 0 }) => nodePort)]);
  if (ports.every(({ nodePort = 0 }) => known.has(nodePort)))
    for (const port of ports) delete port.nodePort;
}

function hasAddress({ type }: ServiceSpec): boolean {
  return type !== "ExternalName";
}

function hasNodePorts({ type }: ServiceSpec): boolean {
  return type === "NodePort" || type === "LoadBalancer";
}

export function needsHealthCheck({ type, externalTrafficPolicy }: ServiceSpec): boolean {
  return type === "LoadBalancer" && externalTrafficPolicy === "Local";
}

/** Upstream: ExternallyAccessible. */
export function isReachable({ type, externalIPs = [] }: ServiceSpec): boolean {
  return (
    type === "LoadBalancer" ||
    type === "NodePort" ||
    (type === "ClusterIP" && externalIPs.length > 0)
  );
}
