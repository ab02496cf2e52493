/**
 * The quota usage of a pod. Upstream: pkg/quota/v1/evaluator/core/pods.go v1.36 and component-helpers resource.PodRequests. Not
 * modeled: devices of dynamic resource allocation, resizes in flight.
 */
import { compareText } from "../api/go/text-order.ts";
import type { KubeObject } from "../api/meta.ts";
import { computeResourceNames } from "../api/names/compute-resource-names.ts";
import {
  isNativeResource,
  isPodLevelResource,
  isQuotaHugePages,
} from "../api/names/resource-names.ts";
import { containersAtCreation } from "../api/pod-containers.ts";
import { oneQuantity, zeroQuantity } from "../api/quantity.ts";
import { podTotal, podTotalWithOverhead } from "../api/resource-totals.ts";
import { instantOf } from "../api/timestamp.ts";
import type {
  PodSpec,
  ResourceQuotaSpec,
  ScopedResourceSelectorRequirement,
} from "../api/types.ts";
import { isPodEnded } from "../matching/pod-state.ts";
import type { Instant } from "../trace/instant.ts";
import { addLists, type ResourceList } from "./resource-list.ts";

type Pod = KubeObject<"Pod">;

/** Names of container resources that a quota may limit. */
const computeNames: ReadonlySet<string> = new Set([...computeResourceNames, "pods", "count/pods"]);
/** Resources that each container must specify if a quota limits them. */
const requiredNames: ReadonlySet<string> = new Set([
  "cpu",
  "memory",
  "requests.cpu",
  "requests.memory",
  "limits.cpu",
  "limits.memory",
]);

/** Upstream: MatchingResources, isExtendedResourceNameForQuota. */
export function isPodResource(name: string): boolean {
  if (computeNames.has(name) || isQuotaHugePages(name)) return true;
  if (name.startsWith("requests.deviceclass.resource.kubernetes.io/")) return true;
  // Extended resources have a domain other than Kubernetes' own; names with storage.k8s.io belong to claims.
  return (
    name.startsWith("requests.") &&
    !isNativeResource(name) &&
    !name.includes(".storageclass.storage.k8s.io/")
  );
}

/**
 * False for a pod that has ended or is stuck terminating: it only counts as an object, so that its successor need not wait.
 * Upstream: QuotaV1Pod.
 */
export function isChargeable(pod: Pod, now: Instant): boolean {
  if (isPodEnded(pod)) return false;
  const stuckFrom = stuckSince(pod);
  return stuckFrom === undefined || now <= stuckFrom;
}

/**
 * Returns when a terminating pod counts as stuck: one more grace period after its deletionTimestamp. Undefined if it is not
 * terminating.
 */
export function stuckSince({ metadata }: Pod): Instant | undefined {
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata;
  return deletionTimestamp === undefined || deletionGracePeriodSeconds === undefined
    ? undefined
    : instantOf(deletionTimestamp) + deletionGracePeriodSeconds * 1000;
}

export function podUsage(pod: Pod, now: Instant): ResourceList {
  const usage = new Map([["count/pods", oneQuantity]]);
  if (!isChargeable(pod, now)) return usage;
  usage.set("pods", oneQuantity);
  for (const [name, quantity] of podTotalWithOverhead(pod.spec, "requests")) {
    usage.set(`requests.${name}`, quantity);
    if (!name.includes("/") || name.startsWith("hugepages-")) usage.set(name, quantity);
  }
  for (const [name, quantity] of podTotalWithOverhead(pod.spec, "limits"))
    usage.set(`limits.${name}`, quantity);
  return usage;
}

/** True if the pod has resources of its own; its containers then need none. Upstream: IsPodLevelResourcesSet. */
function speaksForContainers({ resources }: PodSpec): boolean {
  const names = [
    ...Object.keys(resources?.requests ?? {}),
    ...Object.keys(resources?.limits ?? {}),
  ];
  return names.some(isPodLevelResource);
}

/** Returns which limited resources the containers fail to specify; undefined if none. Upstream: Constraints. */
export function missingRequirements(pod: Pod, limited: readonly string[]): string | undefined {
  if (speaksForContainers(pod.spec)) return undefined;
  const missing = new Map<string, Set<string>>();
  for (const container of containersAtCreation(pod.spec)) {
    const said = new Set([
      ...Object.keys(container.resources?.requests ?? {}).flatMap((name) => [
        name,
        `requests.${name}`,
      ]),
      ...Object.keys(container.resources?.limits ?? {}).map((name) => `limits.${name}`),
    ]);
    for (const name of limited) {
      if (!requiredNames.has(name) || said.has(name)) continue;
      missing.set(name, (missing.get(name) ?? new Set()).add(container.name));
    }
  }
  if (missing.size === 0) return undefined;
  const parts = [...missing]
    .sort(([a], [b]) => compareText(a, b))
    .map(([name, containers]) => `${name} for: ${[...containers].sort(compareText).join(",")}`);
  return `must specify ${parts.join("; ")}`;
}

/** Upstream: podMatchesScopeFunc. */
export function podMatchesScope(pod: Pod, requirement: ScopedResourceSelectorRequirement): boolean {
  switch (requirement.scopeName) {
    case "Terminating":
      return hasDeadline(pod);
    case "NotTerminating":
      return !hasDeadline(pod);
    case "BestEffort":
      return isBestEffort(pod);
    case "NotBestEffort":
      return !isBestEffort(pod);
    case "PriorityClass":
      return matchesValues(pod.spec.priorityClassName, requirement);
    case "CrossNamespacePodAffinity":
      return usesOtherNamespaces(pod.spec);
    default:
      return false;
  }
}

/** Applies an operator to a single name. Upstream: scopedResourceSelectorRequirementsAsSelector. */
export function matchesValues(
  value: string | undefined,
  { operator, values = [] }: Pick<ScopedResourceSelectorRequirement, "operator" | "values">,
): boolean {
  const name = value ?? "";
  if (operator === "In") return name !== "" && values.includes(name);
  if (operator === "NotIn") return !values.includes(name);
  return operator === "Exists" ? name !== "" : name === "";
}

/** Tells the scopes Terminating and NotTerminating apart; the only scope property that may change. Upstream: IsTerminating. */
export function hasDeadline({ spec }: Pod): boolean {
  return spec.activeDeadlineSeconds !== undefined;
}

/** A runtime class's overhead does not count as a request. Upstream: qos.GetPodQOS. */
function isBestEffort({ spec }: Pod): boolean {
  const sum = addLists(podTotal(spec, "requests"), podTotal(spec, "limits"));
  return ![...sum].some(
    ([name, quantity]) =>
      (name === "cpu" || name === "memory") && quantity.nanos > zeroQuantity.nanos,
  );
}

function usesOtherNamespaces({ affinity }: PodSpec): boolean {
  const terms = [affinity?.podAffinity, affinity?.podAntiAffinity].flatMap((rules) => [
    ...(rules?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(rules?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(
      (preferred) => preferred.podAffinityTerm,
    ),
  ]);
  return terms.some(
    (term) => (term.namespaces ?? []).length > 0 || term.namespaceSelector !== undefined,
  );
}

/** The scopes of a quota, from both fields, as requirements. */
export function scopeRequirements(
  spec: ResourceQuotaSpec | undefined,
): readonly ScopedResourceSelectorRequirement[] {
  const plain = (spec?.scopes ?? []).map((scopeName) => ({ scopeName, operator: "Exists" }));
  return [...plain, ...(spec?.scopeSelector?.matchExpressions ?? [])];
}
