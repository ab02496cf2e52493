/** Services that are accepted with a warning. Upstream: pkg/api/service/warnings.go GetWarningsForService, v1.36. */
import type { KubernetesVersion } from "../../scenario.ts";
import {
  deprecatesExternalAddresses,
  deprecatesPreferClose,
  warnsOfHeadlessServices,
} from "../../version-differences.ts";
import { topologyHints, topologyMode } from "../annotation-keys.ts";
import { type FieldPath, specPath } from "../field-path.ts";
import type { Service, ServiceSpec } from "../types.ts";
import { addressWarning, rangeWarnings } from "../validation/addresses.ts";

export function warnOfService(
  { metadata, spec = {} }: Service,
  warnings: string[],
  version: KubernetesVersion,
): void {
  if (metadata.annotations?.[topologyHints] !== undefined)
    warnings.push(`annotation ${topologyHints} is deprecated, please use ${topologyMode} instead`);
  warnOfAddresses(spec, version, warnings);
  const { type, externalIPs = [], externalName = "", trafficDistribution } = spec;
  if (type === "ExternalName" && externalIPs.length > 0)
    warnings.push('spec.externalIPs is ignored when spec.type is "ExternalName"');
  if (type !== "ExternalName" && externalName !== "")
    warnings.push('spec.externalName is ignored when spec.type is not "ExternalName"');
  if (trafficDistribution === "PreferClose" && deprecatesPreferClose(version))
    warnings.push('spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"');
}

function warnOfAddresses(spec: ServiceSpec, version: KubernetesVersion, warnings: string[]): void {
  const { type, clusterIP = "", externalIPs = [], loadBalancerIP = "" } = spec;
  const isHeadless = type === "ClusterIP" && clusterIP === "None";
  const look = (address: string, at: FieldPath): void => {
    const complaint = addressWarning(address, version);
    if (complaint !== undefined) warnings.push(`${at}: ${complaint}`);
  };
  if (clusterIP !== "None")
    spec.clusterIPs?.forEach((address, index) => {
      look(address, specPath.child("clusterIPs").index(index));
    });
  if (isHeadless && warnsOfHeadlessServices(version)) {
    const isIgnored = "is ignored for headless services";
    if (loadBalancerIP !== "") warnings.push(`spec.loadBalancerIP ${isIgnored}`);
    if (externalIPs.length > 0) warnings.push(`spec.externalIPs ${isIgnored}`);
    if (spec.sessionAffinity !== "None") warnings.push(`spec.SessionAffinity ${isIgnored}`);
  }
  externalIPs.forEach((address, index) => {
    look(address, specPath.child("externalIPs").index(index));
  });
  if (externalIPs.length > 0 && !isHeadless && type !== "ExternalName") {
    if (deprecatesExternalAddresses(version))
      warnings.push(
        "spec.externalIPs is deprecated and may no longer be implemented in some clusters",
      );
  }
  look(loadBalancerIP, specPath.child("loadBalancerIP"));
  spec.loadBalancerSourceRanges?.forEach((range, index) => {
    for (const complaint of rangeWarnings(range, version))
      warnings.push(`${specPath.child("loadBalancerSourceRanges").index(index)}: ${complaint}`);
  });
}
