/**
 * The quota usage of an object, and which of a quota's resources concern its kind. Upstream: pkg/quota/v1/evaluator/core
 * (persistent_volume_claims.go, pods.go, services.go) and apiserver pkg/quota/v1/generic object counts, v1.36.
 */
import { requestedStorage } from "../api/claim-size.ts";
import { type Kind, type KubeObject, qualifiedResource } from "../api/meta.ts";
import {
  compareQuantityTexts,
  nanosPerOne,
  oneQuantity,
  type Quantity,
  quantityBytes,
  quantityOf,
  quantityOrZero,
} from "../api/quantity.ts";
import { effectiveClassName } from "../api/storage-class-name.ts";
import type { KubernetesVersion } from "../scenario.ts";
import type { Instant } from "../trace/instant.ts";
import { chargesClaimStatus, heedsScopeChanges } from "../version-differences.ts";
import {
  hasDeadline,
  isPodResource,
  matchesValues,
  podMatchesScope,
  podUsage,
  scopeRequirements,
} from "./pod-usage.ts";
import type { ResourceList } from "./resource-list.ts";

const classSuffix = ".storageclass.storage.k8s.io/";

/** Kinds that quotas also count under a plain name. */
const legacyNames: Partial<Record<Kind, string>> = {
  Service: "services",
  Secret: "secrets",
  ConfigMap: "configmaps",
  ReplicationController: "replicationcontrollers",
  ResourceQuota: "resourcequotas",
};

/**
 * Counts of kinds that every cluster serves but that are not simulated. Missing are the endpoints of Services, which Kubernetes
 * creates itself, and kinds of dynamic resource allocation.
 */
const countsOfAbsentKinds: ReadonlySet<string> = new Set([
  "count/horizontalpodautoscalers.autoscaling",
  "count/ingresses.networking.k8s.io",
  "count/leases.coordination.k8s.io",
  "count/networkpolicies.networking.k8s.io",
  "count/rolebindings.rbac.authorization.k8s.io",
  "count/roles.rbac.authorization.k8s.io",
]);

/** `now` matters for terminating pods: one that is stuck is no longer charged. */
export function usageOf(object: KubeObject, now: Instant): ResourceList {
  switch (object.kind) {
    case "PersistentVolumeClaim":
      return claimUsage(object);
    case "Pod":
      return podUsage(object, now);
    case "Service":
      return serviceUsage(object);
    default:
      return counts(object.kind);
  }
}

/** True if objects of this kind are charged for the resource. */
export function concerns(kind: Kind, name: string): boolean {
  if (name === countName(kind) || name === legacyNames[kind]) return true;
  if (kind === "Pod") return isPodResource(name);
  if (kind === "Service") return name === "services.loadbalancers" || name === "services.nodeports";
  if (kind !== "PersistentVolumeClaim") return false;
  return (
    name === "persistentvolumeclaims" ||
    name === "requests.storage" ||
    name.endsWith(`${classSuffix}requests.storage`) ||
    name.endsWith(`${classSuffix}persistentvolumeclaims`)
  );
}

/** True for the count of a kind that is served but never has objects here: its usage is always 0. */
export function isNeverUsed(name: string): boolean {
  return countsOfAbsentKinds.has(name);
}

function countName(kind: Kind): string {
  return `count/${qualifiedResource(kind)}`;
}

function counts(kind: Kind): Map<string, Quantity> {
  const legacy = legacyNames[kind];
  return new Map([
    [countName(kind), oneQuantity],
    ...(legacy === undefined ? [] : [[legacy, oneQuantity] as const]),
  ]);
}

/** An expansion in progress is charged as soon as it is allocated. */
function claimUsage(claim: KubeObject<"PersistentVolumeClaim">): ResourceList {
  const usage = counts(claim.kind);
  usage.set("persistentvolumeclaims", oneQuantity);
  const className = effectiveClassName(claim);
  if (className !== "") usage.set(`${className}${classSuffix}persistentvolumeclaims`, oneQuantity);
  const requested = requestedStorage(claim);
  if (requested === undefined) return usage;
  const allocated = claim.status?.allocatedResources?.["storage"];
  const text = compareQuantityTexts(allocated, requested) > 0 ? allocated : requested;
  // Rounded up to bytes; a whole number keeps its format.
  const exact = quantityOrZero(text);
  const storage =
    exact.nanos % nanosPerOne === 0n
      ? exact
      : quantityOf(quantityBytes(text) * nanosPerOne, exact.format);
  usage.set("requests.storage", storage);
  if (className !== "") usage.set(`${className}${classSuffix}requests.storage`, storage);
  return usage;
}

function serviceUsage(service: KubeObject<"Service">): ResourceList {
  const usage = counts(service.kind);
  const { type, ports = [], allocateLoadBalancerNodePorts } = service.spec ?? {};
  if (type === "LoadBalancer") usage.set("services.loadbalancers", oneQuantity);
  if (type === "NodePort" || type === "LoadBalancer") {
    const isAllocated = type === "NodePort" || allocateLoadBalancerNodePorts !== false;
    const taken = isAllocated ? ports : ports.filter(({ nodePort = 0 }) => nodePort !== 0);
    const count = quantityOf(BigInt(taken.length) * nanosPerOne, "DecimalSI");
    usage.set("services.nodeports", count);
  }
  return usage;
}

/** Upstream: GetQuotaServiceType. */
export function chargedType(service: KubeObject<"Service">): "NodePort" | "LoadBalancer" | "" {
  const type = service.spec?.type;
  return type === "NodePort" || type === "LoadBalancer" ? type : "";
}

/** True if the object is in all scopes of the quota. */
export function isInScope(quota: KubeObject<"ResourceQuota">, object: KubeObject): boolean {
  return scopeRequirements(quota.spec).every((requirement) => {
    if (object.kind === "Pod") return podMatchesScope(object, requirement);
    if (
      object.kind !== "PersistentVolumeClaim" ||
      requirement.scopeName !== "VolumeAttributesClass"
    )
      return false;
    return vacNames(object).some((name) => matchesValues(name, requirement));
  });
}

/** The claim's requested, current and target VolumeAttributesClass; one undefined if it has none. */
function vacNames({
  spec,
  status,
}: KubeObject<"PersistentVolumeClaim">): readonly (string | undefined)[] {
  const names = [
    spec.volumeAttributesClassName,
    status?.currentVolumeAttributesClassName,
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  ].filter((name) => name !== undefined && name !== "");
  return names.length === 0 ? [undefined] : names;
}

/** True if an update of this kind is checked against quotas. Upstream: the evaluators' Handles. */
export function isChargedOnUpdate(
  before: KubeObject,
  after: KubeObject,
  subresource: "" | "status",
  version: KubernetesVersion,
): boolean {
  if (before.kind === "PersistentVolumeClaim")
    return subresource === "" || chargesClaimStatus(version);
  if (subresource !== "") return false;
  if (before.kind === "Pod" && after.kind === "Pod")
    return heedsScopeChanges(version) && hasDeadline(before) !== hasDeadline(after);
  return before.kind === "Service";
}
