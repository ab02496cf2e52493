/**
 * Services that are accepted with a warning. Upstream: pkg/api/service/warnings.go GetWarningsForService, v1.36. Not modelled:
 * addresses and ranges that are not written as they should be, and traffic distributions that are called otherwise now.
 */
import type { Service } from "../types.ts";

const oldHints = "service.kubernetes.io/topology-aware-hints";
const topologyMode = "service.kubernetes.io/topology-mode";

export function warnOfService({ metadata, spec }: Service, warnings: string[]): void {
  const { annotations } = metadata;
  if (annotations?.[oldHints] !== undefined)
    warnings.push(`annotation ${oldHints} is deprecated, please use ${topologyMode} instead`);
  const { type, clusterIP, loadBalancerIP = "", externalName = "", sessionAffinity } = spec ?? {};
  const hasExternalAddresses = (spec?.externalIPs ?? []).length > 0;
  if (type === "ClusterIP" && clusterIP === "None") {
    const isIgnored = "is ignored for headless services";
    if (loadBalancerIP !== "") warnings.push(`spec.loadBalancerIP ${isIgnored}`);
    if (hasExternalAddresses) warnings.push(`spec.externalIPs ${isIgnored}`);
    if (sessionAffinity !== "None") warnings.push(`spec.SessionAffinity ${isIgnored}`);
  }
  if (type === "ExternalName" && hasExternalAddresses)
    warnings.push('spec.externalIPs is ignored when spec.type is "ExternalName"');
  if (type !== "ExternalName" && externalName !== "")
    warnings.push('spec.externalName is ignored when spec.type is not "ExternalName"');
}
