/**
 * What the server fills in and drops in services. Upstream: pkg/registry/core/service/storage alloc.go initIPFamilyFields,
 * initNodePorts, patchAllocatedValues, normalizeClusterIPs, storage.go defaultOnReadService; pkg/registry/core/service/strategy.go
 * dropTypeDependentFields. Addresses and ports are not really allocated.
 */
import type { Mutable } from "../mutable.ts";
import { semanticEqual } from "../semantic-equal.ts";
import type { Service, ServicePort, ServiceSpec } from "../types.ts";
import { isIPv6 } from "../validation/addresses.ts";

/** An ExternalName gets no address, but one that is specified is put into the list. */
export function prepareNewAddresses(spec: Mutable<ServiceSpec>): void {
  if (hasAddress(spec)) allocateAddresses(spec);
  else listAddress(spec);
  if (hasNodePorts(spec) && !renouncesNodePorts(spec)) shareNodePorts(spec.ports ?? []);
}

/**
 * Ports with the same number, such as those of DNS, share the first node port that is specified for one of them. Upstream:
 * initNodePorts, findRequestedNodePort.
 */
function shareNodePorts(ports: readonly Mutable<ServicePort>[]): void {
  const requested = new Map<number, number>();
  for (const { port, nodePort = 0 } of ports)
    if (nodePort !== 0 && !requested.has(port)) requested.set(port, nodePort);
  for (const port of ports) {
    const shared = requested.get(port.port);
    if ((port.nodePort ?? 0) === 0 && shared !== undefined) port.nodePort = shared;
  }
}

/**
 * For a service that was stored before there were clusterIPs and ipFamilies. Upstream: storage.go defaultOnReadService v1.36;
 * a missing address is not expected.
 */
export function completeStoredAddresses(spec: Mutable<ServiceSpec>): void {
  if (!hasAddress(spec)) delete spec.internalTrafficPolicy;
  if (hasAddress(spec) && (spec.ipFamilies ?? []).length === 0) allocateAddresses(spec);
  else listAddress(spec);
}

/** IPv4, unless the families or an address say otherwise. */
function allocateAddresses(spec: Mutable<ServiceSpec>): void {
  if ((spec.clusterIP ?? "") === "" && (spec.clusterIPs ?? []).length === 0)
    spec.clusterIP = spec.ipFamilies?.[0] === "IPv6" ? "fd00:10:96::" : "10.96.0.0";
  listAddress(spec);
  const openEnded = spec.clusterIP === "None" && Object.keys(spec.selector ?? {}).length === 0;
  spec.ipFamilyPolicy ??= openEnded ? "RequireDualStack" : "SingleStack";
  spec.ipFamilies = familiesOf(spec, openEnded);
}

function listAddress(spec: Mutable<ServiceSpec>): void {
  const { clusterIP = "", clusterIPs = [] } = spec;
  if (clusterIPs.length === 0 && clusterIP !== "") spec.clusterIPs = [clusterIP];
}

/** A headless service without a selector gets both by default, because its endpoints are not known. */
function familiesOf(
  { clusterIPs = [], ipFamilies = [], ipFamilyPolicy }: ServiceSpec,
  openEnded: boolean,
): string[] {
  const families = [...ipFamilies];
  const countMax = ipFamilyPolicy === "SingleStack" ? 1 : 2;
  for (const address of clusterIPs.slice(ipFamilies.length, countMax)) {
    const family = isIPv6(address) ? "IPv6" : "IPv4";
    if (address !== "None" && !families.includes(family)) families.push(family);
  }
  if (families.length === 0) families.push("IPv4");
  if (openEnded && families.length === 1 && ipFamilyPolicy !== "SingleStack")
    families.push(families[0] === "IPv4" ? "IPv6" : "IPv4");
  return families;
}

/** Keeps what a client leaves out, and drops what the new type does not use, unless the client changed it. */
export function prepareServiceUpdate(service: Mutable<Service>, current: Service): void {
  service.spec ??= {};
  const { spec } = service;
  const before = current.spec ?? {};
  if (!hasAddress(spec)) followAddress(spec, before);
  else if (hasAddress(before)) keepAddresses(spec, before);
  else allocateAddresses(spec);
  if (hasNodePorts(spec) && !renouncesNodePorts(spec) && hasNodePorts(before))
    keepNodePorts(spec.ports ?? [], before.ports);
  if (needsHealthCheck(spec) && needsHealthCheck(before) && before.healthCheckNodePort)
    spec.healthCheckNodePort ||= before.healthCheckNodePort;
  dropTypeDependentFields(spec, before);
}

function keepAddresses(spec: Mutable<ServiceSpec>, before: ServiceSpec): void {
  for (const field of ["clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy"] as const) {
    const value = before[field];
    if (value !== undefined && (spec[field] ?? "").length === 0)
      Object.assign(spec, { [field]: value });
  }
  followAddress(spec, before);
  if (spec.ipFamilyPolicy === "SingleStack") dropSecond(spec, before);
}

/** Drops what belongs to the second family, unless the client changed it. */
function dropSecond(spec: Mutable<ServiceSpec>, before: ServiceSpec): void {
  for (const field of ["clusterIPs", "ipFamilies"] as const) {
    const list = spec[field] ?? [];
    if (list.length > 1 && semanticEqual(list, before[field])) spec[field] = list.slice(0, 1);
  }
}

/** A clusterIP that is changed alone also replaces the list. */
function followAddress(spec: Mutable<ServiceSpec>, before: ServiceSpec): void {
  const { clusterIP, clusterIPs } = spec;
  const isChanged = clusterIP !== undefined && clusterIP !== (before.clusterIP ?? "");
  if (isChanged && semanticEqual(clusterIPs, before.clusterIPs))
    spec.clusterIPs = clusterIP === "" ? [] : [clusterIP];
}

/** Ports keep the node port of the old port with their name, unless another port has it by now. */
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

export function hasNodePorts({ type }: ServiceSpec): boolean {
  return type === "NodePort" || type === "LoadBalancer";
}

/** True if node ports that are left out are to go. Upstream: patchAllocatedValues (kubernetes/kubernetes#122320). */
function renouncesNodePorts({ type, allocateLoadBalancerNodePorts }: ServiceSpec): boolean {
  return type === "LoadBalancer" && allocateLoadBalancerNodePorts === false;
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
