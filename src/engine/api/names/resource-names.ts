/** Kinds of resources. Upstream: pkg/apis/core/helper IsNativeResource, IsExtendedResourceName, IsOvercommitAllowed, v1.36. */
import { checkLabelKey } from "./names.ts";

export function isNativeResource(name: string): boolean {
  return !name.includes("/") || name.includes("kubernetes.io/");
}

/** Resources of plugins, such as devices. */
export function isExtendedResource(name: string): boolean {
  if (isNativeResource(name) || name.startsWith("requests.")) return false;
  return checkLabelKey(`requests.${name}`).length === 0;
}

export function isHugePages(name: string): boolean {
  return name.startsWith("hugepages-");
}

/** Huge pages, and the names of requests for them in quotas. Upstream: IsQuotaHugePageResourceName. */
export function isQuotaHugePages(name: string): boolean {
  return isHugePages(name) || name.startsWith("requests.hugepages-");
}

/** False for extended resources and huge pages, whose requests must equal their limits. */
export function mayOvercommit(name: string): boolean {
  return isNativeResource(name) && !isHugePages(name);
}

/** Resources that a pod can request as a whole. Upstream: component-helpers resource.IsSupportedPodLevelResource. */
export function isPodLevelResource(name: string): boolean {
  return name === "cpu" || name === "memory" || isHugePages(name);
}
