/**
 * Names and amounts of resources. Upstream: pkg/apis/core/validation ValidateBasicResource, ValidateResourceQuantityValue,
 * pkg/apis/core/helper, v1.36.
 */
import { asJson, type FieldErrors } from "../field-error.ts";
import type { FieldPath } from "../field-path.ts";
import { computeResourceNames } from "../names/compute-resource-names.ts";
import { checkLabelKey } from "../names/names.ts";
import { isExtendedResource, isQuotaHugePages } from "../names/resource-names.ts";
import { looksFractional, type Quantity, quantityInt64 } from "../quantity.ts";

export function quantityValue(quantity: Quantity): { readonly json: string } {
  return asJson(quantity.text);
}

export function validatePositiveQuantity(
  quantity: Quantity,
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (quantity.nanos <= 0n)
    errors.invalid(path, quantityValue(quantity), "must be greater than zero");
}

export function validateNonNegativeQuantity(
  quantity: Quantity,
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (quantity.nanos < 0n)
    errors.invalid(path, quantityValue(quantity), "must be greater than or equal to 0");
}

/** Checks the int64 value, which has overflowed for huge decimals. */
export function validateBasicResource(
  quantity: Quantity,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const value = quantityInt64(quantity);
  if (value < 0n) errors.invalid(path, value, "must be a valid resource quantity");
}

/** Upstream: validateResourceName. */
export function checkResourceName(name: string): readonly string[] {
  const complaints = checkLabelKey(name);
  if (complaints.length > 0) return complaints;
  return name.includes("/") || standardResources.has(name) || isQuotaHugePages(name)
    ? []
    : ["must be a standard resource type or fully qualified"];
}

const countedResources: ReadonlySet<string> = new Set([
  "pods",
  "resourcequotas",
  "services",
  "replicationcontrollers",
  "secrets",
  "configmaps",
  "persistentvolumeclaims",
  "services.nodeports",
  "services.loadbalancers",
]);

/** A resource that is counted must have a whole number. Upstream: ValidateResourceQuantityValue. */
export function validateResourceAmount(
  name: string,
  quantity: Quantity,
  path: FieldPath,
  errors: FieldErrors,
): void {
  validateNonNegativeQuantity(quantity, path, errors);
  const isCounted = countedResources.has(name) || isExtendedResource(name);
  if (isCounted && looksFractional(quantity))
    errors.invalid(path, quantityValue(quantity), "must be an integer");
}

/** Resources of containers, claims and quotas. Upstream: pkg/apis/core/helper standardResources. */
export const standardResources: ReadonlySet<string> = new Set([
  ...computeResourceNames,
  ...countedResources,
  "storage",
  "requests.storage",
]);
