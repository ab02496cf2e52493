/**
 * Services, as far as workloads with storage need them. Upstream: pkg/apis/core/validation ValidateService, v1.36.
 * Not modeled: which addresses and node ports the cluster has and other services hold.
 */
import {
  keepsKubeletPortInside,
  knowsSameZoneAndNode,
  relaxesServiceNames,
} from "../../version-differences.ts";
import { topologyHints, topologyMode } from "../annotation-keys.ts";
import { asJson, type FieldErrors } from "../field-error.ts";
import { type FieldPath, metadataPath, specPath } from "../field-path.ts";
import { checkAlphabeticLabel, checkLabel, checkLabelKey, checkSubdomain } from "../names/names.ts";
import { hasNodePorts, isReachable, needsHealthCheck } from "../strategy/service.ts";
import { TextSet } from "../text-set.ts";
import type { Service, ServicePort, ServiceSpec } from "../types.ts";
import { validateCidr } from "./addresses.ts";
import { validatePortNumber, validatePortNumberOrName } from "./handlers.ts";
import { validateLabels, validateMetaUpdate, validateObjectMeta } from "./object-meta.ts";
import {
  isHeadless,
  validateAddressesKept,
  validateClusterAddresses,
  validateExternalAddresses,
  validateSingleStack,
} from "./service-addresses.ts";

const protocols: readonly string[] = ["SCTP", "TCP", "UDP"];
const affinities: readonly string[] = ["ClientIP", "None"];
const types: readonly string[] = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];
const trafficPolicies: readonly string[] = ["Cluster", "Local"];
const distributions: readonly string[] = ["PreferClose", "PreferSameZone", "PreferSameNode"];
const onlyClose: readonly string[] = ["PreferClose"];
const affinitySecondsMax = 86_400;
const kubeletPort = 10_250;
const portsPath = specPath.child("ports");
const loadBalancersOnly = "may only be used when `type` is 'LoadBalancer'";

/**
 * Errors from allocating addresses and ports, which come before all other rules. Upstream:
 * pkg/registry/core/service/storage/alloc.go initIPFamilyFields, initNodePorts.
 */
export function validateServiceAllocation(
  { spec = {} }: Service,
  errors: FieldErrors,
  old?: Service,
): void {
  validateClusterAddresses(spec, errors, old?.spec?.clusterIPs);
  if (errors.none) validateSingleStack(spec, errors);
  if (errors.none && old === undefined && hasNodePorts(spec)) allocateNodePorts(spec, errors);
}

/** Entries with the same port number may share a node port; no other entry can have it then. */
function allocateNodePorts({ ports = [] }: ServiceSpec, errors: FieldErrors): void {
  const byPort = new Map<number, number>();
  const taken = new Set<number>();
  for (const [index, { port, nodePort = 0 }] of ports.entries()) {
    const shared = byPort.get(port);
    if (nodePort === 0 || nodePort === shared) continue;
    if (taken.has(nodePort)) {
      const path = portsPath.index(index).child("nodePort");
      errors.invalid(path, nodePort, "provided port is already allocated");
      return;
    }
    taken.add(nodePort);
    if (shared === undefined) byPort.set(port, nodePort);
  }
}

export function validateService(service: Service, errors: FieldErrors): void {
  const checkName = relaxesServiceNames(errors.version) ? checkLabel : checkAlphabeticLabel;
  validateObjectMeta(service.metadata, checkName, errors);
  validateRest(service, undefined, errors);
}

/** Everything after the metadata. */
function validateRest(
  { metadata, spec = {} }: Service,
  old: Service | undefined,
  errors: FieldErrors,
): void {
  const { annotations = {} } = metadata;
  const [mode, hints] = [annotations[topologyMode], annotations[topologyHints]];
  if (mode !== undefined && hints !== undefined && mode !== hints) {
    const detail = `must match annotations[${topologyHints}] when both are specified`;
    errors.invalid(metadataPath.child("annotations").key(topologyMode), mode, detail);
  }
  validateServiceSpec(spec, old?.spec ?? {}, errors, () => {
    const ranges = annotations[sourceRanges];
    if (ranges === undefined || (spec.loadBalancerSourceRanges ?? []).length > 0) return;
    const path = metadataPath.child("annotations").key(sourceRanges);
    if (spec.type !== "LoadBalancer") errors.forbidden(path, loadBalancersOnly);
    if (ranges.trim() === "" || ranges === old?.metadata.annotations?.[sourceRanges]) return;
    for (const range of ranges.split(",")) validateCidr(range.trim(), path, errors);
  });
}

const sourceRanges = "service.beta.kubernetes.io/load-balancer-source-ranges";

export function validateServiceUpdate(next: Service, old: Service, errors: FieldErrors): void {
  const [spec, before] = [next.spec ?? {}, old.spec ?? {}];
  validateMetaUpdate(next.metadata, old.metadata, errors);
  validateAddressesKept(spec, before, errors);
  const balances = spec.type === "LoadBalancer" && before.type === "LoadBalancer";
  if (balances && spec.loadBalancerClass !== before.loadBalancerClass) {
    errors.invalid(
      specPath.child("loadBalancerClass"),
      asJson(spec.loadBalancerClass ?? null),
      "may not change once set",
    );
  }
  validateLoadBalancerClass(spec, errors);
  const healthPort = before.healthCheckNodePort ?? 0;
  const isHealthChecked = needsHealthCheck(spec) && needsHealthCheck(before) && healthPort !== 0;
  if (isHealthChecked && (spec.healthCheckNodePort ?? healthPort) !== healthPort)
    errors.forbidden(specPath.child("healthCheckNodePort"), "field is immutable");
  validateRest(next, old, errors);
}

function validateServiceSpec(
  spec: ServiceSpec,
  stored: ServiceSpec,
  errors: FieldErrors,
  validateRangesAnnotation: () => void,
): void {
  const ports = spec.ports ?? [];
  if (ports.length === 0 && !isHeadless(spec) && spec.type !== "ExternalName")
    errors.required(portsPath);
  validateByType(spec, errors);
  validatePorts(ports, errors);
  if (spec.selector !== undefined)
    validateLabels(spec.selector, specPath.child("selector"), errors);
  validateAffinity(spec, errors);
  validateClusterAddresses(spec, errors, stored.clusterIPs);
  validateExternalAddresses(
    spec.externalIPs ?? [],
    specPath.child("externalIPs"),
    errors,
    stored.externalIPs,
  );
  const { type = "" } = spec;
  if (!types.includes(type)) errors.notSupported(specPath.child("type"), asJson(type), types);
  validateNodePorts(ports, type, errors);
  validateRepeatedPorts(ports, errors);
  validateLoadBalancer(spec, stored, errors, validateRangesAnnotation);
  validateTraffic(spec, errors);
}

function validateByType(spec: ServiceSpec, errors: FieldErrors): void {
  const { type = "", externalName = "", ports = [] } = spec;
  if (type === "LoadBalancer" && keepsKubeletPortInside(errors.version)) {
    const detail = `may not expose port ${kubeletPort} externally since it is used by kubelet`;
    for (const [index, { port }] of ports.entries())
      if (port === kubeletPort) errors.invalid(portsPath.index(index), port, detail);
  }
  if ((type === "LoadBalancer" || type === "NodePort") && isHeadless(spec)) {
    const path = specPath.child("clusterIPs").index(0);
    errors.invalid(path, "None", `may not be set to 'None' for ${type} services`);
  }
  if (type !== "ExternalName") return;
  for (const field of ["clusterIPs", "ipFamilies", "ipFamilyPolicy"] as const) {
    if ((spec[field] ?? []).length > 0)
      errors.forbidden(specPath.child(field), "may not be set for ExternalName services");
  }
  const name = externalName.replace(/\.$/, "");
  const path = specPath.child("externalName");
  if (name === "") errors.required(path);
  else errors.invalidEach(path, name, checkSubdomain(name));
}

function validatePorts(ports: readonly ServicePort[], errors: FieldErrors): void {
  const names = new TextSet();
  ports.forEach((port, index) => {
    const at = portsPath.index(index);
    const { name = "", protocol = "", appProtocol } = port;
    if (name === "") {
      if (ports.length > 1) errors.required(at.child("name"));
    } else {
      errors.invalidEach(at.child("name"), name, checkLabel(name));
      if (names.has(name)) errors.duplicate(at.child("name"), name);
      names.add(name);
    }
    validatePortNumber(port.port, at.child("port"), errors);
    if (!protocols.includes(protocol))
      errors.notSupported(at.child("protocol"), asJson(protocol), protocols);
    if (port.targetPort !== undefined)
      validatePortNumberOrName(port.targetPort, at.child("targetPort"), errors);
    if (appProtocol !== undefined)
      errors.invalidEach(at.child("appProtocol"), appProtocol, checkLabelKey(appProtocol));
  });
}

function validateAffinity(spec: ServiceSpec, errors: FieldErrors): void {
  const { sessionAffinity = "", sessionAffinityConfig: config } = spec;
  if (!affinities.includes(sessionAffinity))
    errors.notSupported(specPath.child("sessionAffinity"), asJson(sessionAffinity), affinities);
  // Defaulting has removed the config if there is no affinity, and filled it in if there is.
  if (sessionAffinity !== "ClientIP") return;
  const seconds = config?.clientIP?.timeoutSeconds ?? affinitySecondsMax;
  if (seconds > 0 && seconds <= affinitySecondsMax) return;
  errors.invalid(
    specPath.child("sessionAffinityConfig").child("clientIP").child("timeoutSeconds"),
    seconds,
    `must be greater than 0 and less than ${affinitySecondsMax}`,
  );
}

function validateNodePorts(ports: readonly ServicePort[], type: string, errors: FieldErrors): void {
  const at = (index: number): FieldPath => portsPath.index(index).child("nodePort");
  if (type === "ClusterIP") {
    ports.forEach(({ nodePort = 0 }, index) => {
      if (nodePort !== 0) errors.forbidden(at(index), "may not be used when `type` is 'ClusterIP'");
    });
  }
  const taken = new TextSet();
  ports.forEach(({ protocol = "", nodePort = 0 }, index) => {
    if (nodePort === 0) return;
    const key = `${protocol}/${nodePort}`;
    if (taken.has(key)) errors.duplicate(at(index), nodePort);
    taken.add(key);
  });
}

function validateRepeatedPorts(ports: readonly ServicePort[], errors: FieldErrors): void {
  const seen = new TextSet();
  ports.forEach(({ protocol = "", port }, index) => {
    const key = `${protocol}/${port}`;
    if (seen.has(key)) {
      errors.duplicate(
        portsPath.index(index),
        asJson({
          Name: "",
          Protocol: protocol,
          AppProtocol: null,
          Port: port,
          TargetPort: 0,
          NodePort: 0,
        }),
      );
    }
    seen.add(key);
  });
}

function validateLoadBalancer(
  spec: ServiceSpec,
  stored: ServiceSpec,
  errors: FieldErrors,
  validateRangesAnnotation: () => void,
): void {
  const { loadBalancerSourceRanges = [] } = spec;
  const balances = spec.type === "LoadBalancer";
  const rangesPath = specPath.child("LoadBalancerSourceRanges");
  if (loadBalancerSourceRanges.length > 0 && !balances)
    errors.forbidden(rangesPath, loadBalancersOnly);
  const known = (stored.loadBalancerSourceRanges ?? []).map((range) => range.trim());
  loadBalancerSourceRanges.forEach((padded, index) => {
    validateCidr(padded.trim(), rangesPath.index(index), errors, known);
  });
  validateRangesAnnotation();
  if (spec.allocateLoadBalancerNodePorts !== undefined && !balances)
    errors.forbidden(specPath.child("allocateLoadBalancerNodePorts"), loadBalancersOnly);
  validateLoadBalancerClass(spec, errors);
}

/** Called twice in an update. Upstream: validateLoadBalancerClassField. */
function validateLoadBalancerClass(
  { type, loadBalancerClass }: ServiceSpec,
  errors: FieldErrors,
): void {
  if (loadBalancerClass === undefined) return;
  const path = specPath.child("loadBalancerClass");
  if (type === "LoadBalancer")
    errors.invalidEach(path, loadBalancerClass, checkLabelKey(loadBalancerClass));
  else errors.forbidden(path, loadBalancersOnly);
}

function validateTraffic(spec: ServiceSpec, errors: FieldErrors): void {
  const { externalTrafficPolicy: external = "", healthCheckNodePort = 0 } = spec;
  const path = specPath.child("externalTrafficPolicy");
  if (isReachable(spec)) {
    if (!trafficPolicies.includes(external))
      errors.notSupported(path, asJson(external), trafficPolicies);
  } else if (external !== "")
    errors.invalid(path, asJson(external), "may only be set for externally-accessible services");
  if (healthCheckNodePort !== 0) {
    const at = specPath.child("healthCheckNodePort");
    if (needsHealthCheck(spec)) validatePortNumber(healthCheckNodePort, at, errors);
    else {
      errors.invalid(
        at,
        healthCheckNodePort,
        "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
      );
    }
  }
  const internal = spec.internalTrafficPolicy;
  if (internal !== undefined && !trafficPolicies.includes(internal)) {
    const at = specPath.child("internalTrafficPolicy");
    errors.notSupported(at, asJson(internal), trafficPolicies);
  }
  const distribution = spec.trafficDistribution;
  const known = knowsSameZoneAndNode(errors.version) ? distributions : onlyClose;
  if (distribution !== undefined && !known.includes(distribution)) {
    const at = specPath.child("trafficDistribution");
    errors.notSupported(at, asJson(distribution), known);
  }
}
