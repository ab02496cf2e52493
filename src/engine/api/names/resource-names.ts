/** Which resources are which. Upstream: pkg/apis/core/helper IsNativeResource, IsExtendedResourceName, IsOvercommitAllowed, v1.36. */
import { checkLabelKey } from "./names.ts";

export function isNativeResource(name: string): boolean {
  return !name.includes("/") || name.includes("kubernetes.io/");
}

/** Devices and the like, which plugins offer. */
export function isExtendedResource(name: string): boolean {
  if (isNativeResource(name) || name.startsWith("requests.")) return false;
  return checkLabelKey(`requests.${name}`).length === 0;
}

export function isHugePages(name: string): boolean {
  return name.startsWith("hugepages-");
}

/** Pages, and what quotas call requests for them. Upstream: IsQuotaHugePageResourceName. */
export function isQuotaHugePages(name: string): boolean {
  return isHugePages(name) || name.startsWith("requests.hugepages-");
}

/** Extended resources and huge pages cannot be asked for below their limit. */
export function mayOvercommit(name: string): boolean {
  return isNativeResource(name) && !isHugePages(name);
}

/** What a pod can ask for as a whole. Upstream: component-helpers resource.IsSupportedPodLevelResource. */
export function isPodLevelResource(name: string): boolean {
  return name === "cpu" || name === "memory" || isHugePages(name);
}
