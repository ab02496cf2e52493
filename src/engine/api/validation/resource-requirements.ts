/**
 * Requests and limits of containers and pods. Upstream: pkg/apis/core/validation validateResourceRequirements,
 * validateContainerResourceName, validatePodResourceName, v1.36.
 */
import { asJson, type FieldErrors } from "../field-error.ts";
import type { FieldPath } from "../field-path.ts";
import { compareText, sortedKeys } from "../go/text-order.ts";
import { checkLabel } from "../names/names.ts";
import {
  isExtendedResource,
  isHugePages,
  isNativeResource,
  isPodLevelResource,
  mayOvercommit,
} from "../names/resource-names.ts";
import {
  compareQuantities,
  parseQuantity,
  type Quantity,
  quantityInt64,
  quantityOrZero,
} from "../quantity.ts";
import type { PodResourceClaim, ResourceClaim, ResourceRequirements } from "../types.ts";
import { checkResourceName, validateResourceAmount } from "./resources.ts";

export const containerResources: ReadonlySet<string> = new Set([
  "cpu",
  "memory",
  "ephemeral-storage",
]);
const amountLists = ["limits", "requests"] as const;

type NameRule = (name: string, path: FieldPath, errors: FieldErrors) => void;

export function checkContainerResourceName(name: string): readonly string[] {
  const complaints = checkResourceName(name);
  if (!name.includes("/")) {
    return containerResources.has(name) || isHugePages(name)
      ? complaints
      : [...complaints, "must be a standard resource for containers"];
  }
  return isNativeResource(name) || isExtendedResource(name)
    ? complaints
    : [...complaints, "doesn't follow extended resource name standard"];
}

export function validateContainerResources(
  resources: ResourceRequirements | undefined,
  podClaims: readonly PodResourceClaim[] | undefined,
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (resources === undefined) return;
  validateRequirements(resources, validateContainerResourceName, podClaims, path, errors);
}

const validateContainerResourceName: NameRule = (name, path, errors) => {
  errors.invalidEach(path, asJson(name), checkContainerResourceName(name));
};

export function validateRequirements(
  resources: ResourceRequirements,
  validateName: NameRule,
  podClaims: readonly PodResourceClaim[] | undefined,
  path: FieldPath,
  errors: FieldErrors,
): void {
  for (const list of amountLists) {
    const amounts = resources[list];
    if (amounts === undefined) continue;
    for (const name of sortedKeys(amounts)) {
      const quantity = quantityOrZero(amounts[name]);
      const at = path.child(list).key(name);
      validateName(name, at, errors);
      validateResourceAmount(name, quantity, at, errors);
      if (list === "requests") validateWithinLimit(name, quantity, resources, path, errors);
      if (isHugePages(name)) validatePages(name, quantity, at, errors);
    }
  }
  if (hasHugePagesAlone(resources)) errors.forbidden(path, "HugePages require cpu or memory");
  if (resources.claims !== undefined)
    validateClaims(resources.claims, podClaims ?? [], path.child("claims"), errors);
}

function hasHugePagesAlone(resources: ResourceRequirements): boolean {
  let hasHugePages = false;
  for (const list of amountLists) {
    for (const name in resources[list]) {
      if (name === "cpu" || name === "memory") return false;
      if (isHugePages(name)) hasHugePages = true;
    }
  }
  return hasHugePages;
}

const nanosPerByte = 1_000_000_000n;

/** Upstream: IsHugePageResourceValueDivisible. */
export function isWholePages(name: string, quantity: Quantity): boolean {
  const size = parseQuantity(name.slice("hugepages-".length));
  if (size === undefined || size.nanos <= 0n || size.nanos % nanosPerByte !== 0n) return false;
  // Quantities are rounded up to whole bytes.
  const bytes = quantityInt64(size);
  return bytes !== 0n && quantityInt64(quantity) % bytes === 0n;
}

function validatePages(
  name: string,
  quantity: Quantity,
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (isWholePages(name, quantity) || errors.flaws.has("pageSizes")) return;
  errors.invalid(
    path,
    quantity.text,
    `${quantity.text} is not positive integer multiple of ${name}`,
  );
}

function validateWithinLimit(
  name: string,
  request: Quantity,
  { limits }: ResourceRequirements,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const text = limits?.[name];
  if (text === undefined) {
    if (!mayOvercommit(name))
      errors.required(path.child("limits"), "Limit must be set for non overcommitable resources");
    return;
  }
  const limit = quantityOrZero(text);
  const order = compareQuantities(request, limit);
  const bound = `${name} limit of ${limit.text}`;
  if (order !== 0 && !mayOvercommit(name))
    errors.invalid(path.child("requests"), request.text, `must be equal to ${bound}`);
  else if (order > 0)
    errors.invalid(path.child("requests"), request.text, `must be less than or equal to ${bound}`);
}

/** Upstream: validateResourceClaimNames. */
function validateClaims(
  claims: readonly ResourceClaim[],
  podClaims: readonly PodResourceClaim[],
  path: FieldPath,
  errors: FieldErrors,
): void {
  const names = new Set(podClaims.map(({ name }) => name));
  names.delete("");
  const known = [...names].sort(compareText);
  const list = known.length === 0 ? " which is empty" : `: ${known.join(", ")}`;
  const seen = new Map<string, Set<string>>();
  claims.forEach((claim, index) => {
    const at = path.index(index);
    const { name } = claim;
    if (name === "") errors.required(at);
    else {
      validateNotTwice(claim, seen, at, errors);
      if (!names.has(name))
        errors.notFound(at, name, `must be one of the names in pod.spec.resourceClaims${list}`);
    }
  });
}

/** A container may use all of a claim, or requests of it, each once. `seen` has the requests by claim; "" means all of it. */
function validateNotTwice(
  { name, request = "" }: ResourceClaim,
  seen: Map<string, Set<string>>,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const requests = seen.get(name) ?? new Set();
  seen.set(name, requests);
  if (requests.has("")) {
    errors.duplicate(path, name);
    return;
  }
  if (request === "") for (const _ of requests) errors.duplicate(path, name);
  else {
    errors.invalidEach(path.child("request"), request, checkLabel(request));
    if (requests.has(request)) errors.duplicate(path, `${name}/${request}`);
  }
  requests.add(request);
}

const podResources: readonly string[] = ["cpu", "hugepages-", "memory"];

/** Upstream: validatePodResourceName. */
export const validatePodResourceName: NameRule = (name, path, errors) => {
  const complaints = checkResourceName(name);
  errors.invalidEach(path, asJson(name), complaints);
  if (complaints.length > 0 || isPodLevelResource(name)) return;
  errors.notSupported(path, asJson(name), podResources);
};
