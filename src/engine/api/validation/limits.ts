/** LimitRanges and ResourceQuotas. Upstream: pkg/apis/core/validation ValidateLimitRange, ValidateResourceQuotaSpec, v1.36. */
import type { KubernetesVersion } from "../../scenario.ts";
import { hasQuotasOfAttributesClasses } from "../../version-differences.ts";
import { asJson, type FieldErrors } from "../field-error.ts";
import { type FieldPath, specPath, statusPath } from "../field-path.ts";
import { goStruct } from "../go/struct.ts";
import { goFloat } from "../go/text.ts";
import { compareText, sortedKeys } from "../go/text-order.ts";
import { checkLabelKey, checkSubdomain } from "../names/names.ts";
import { isQuotaHugePages, mayOvercommit } from "../names/resource-names.ts";
import {
  compareQuantities,
  nanosPerOne,
  parseQuantity,
  type Quantity,
  quantityInt64,
  quantityMilliInt64,
} from "../quantity.ts";
import type {
  LimitRange,
  LimitRangeItem,
  ResourceQuota,
  ResourceQuotaSpec,
  ScopedResourceSelectorRequirement,
} from "../types.ts";
import { validateMetaUpdate, validateObjectMeta } from "./object-meta.ts";
import { checkContainerResourceName } from "./resource-requirements.ts";
import {
  checkResourceName,
  quantityValue,
  standardResources,
  validateResourceAmount,
} from "./resources.ts";

const limitTypes: ReadonlySet<string> = new Set(["Pod", "Container", "PersistentVolumeClaim"]);
const milliSafeMax = 9_223_372_036_854_775n;

export function validateLimitRange(limitRange: LimitRange, errors: FieldErrors): void {
  validateObjectMeta(limitRange.metadata, checkSubdomain, errors);
  const types = new Set<string>();
  limitRange.spec?.limits?.forEach((item, index) => {
    const path = specPath.child("limits").index(index);
    errors.invalidEach(path.child("type"), asJson(item.type), checkLimitType(item.type));
    if (types.has(item.type)) errors.duplicate(path.child("type"), asJson(item.type));
    types.add(item.type);
    validateItem(item, path, errors);
  });
}

export function validateLimitRangeUpdate(
  next: LimitRange,
  _old: LimitRange,
  errors: FieldErrors,
): void {
  validateLimitRange(next, errors);
}

function checkLimitType(type: string): readonly string[] {
  const complaints = checkLabelKey(type);
  if (complaints.length > 0) return complaints;
  return type.includes("/") || limitTypes.has(type)
    ? []
    : ["must be a standard limit type or fully qualified"];
}

function validateItem(item: LimitRangeItem, path: FieldPath, errors: FieldErrors): void {
  const names = new Set<string>();
  const look = (
    field: "max" | "min" | "default" | "defaultRequest" | "maxLimitRequestRatio",
  ): void => {
    for (const name of sortedKeys(item[field])) {
      const complaints =
        limitTypes.has(item.type) && item.type !== "PersistentVolumeClaim"
          ? checkContainerResourceName(name)
          : checkResourceName(name);
      errors.invalidEach(path.child(field).key(name), asJson(name), complaints);
      names.add(name);
    }
  };
  look("max");
  look("min");
  for (const field of ["default", "defaultRequest"] as const) {
    if (item.type !== "Pod") look(field);
    else if (sortedKeys(item[field]).length > 0)
      errors.forbidden(path.child(field), "may not be specified when `type` is 'Pod'");
  }
  if (
    item.type === "PersistentVolumeClaim" &&
    item.min?.["storage"] === undefined &&
    item.max?.["storage"] === undefined
  ) {
    errors.required(
      path.child("limits"),
      "either minimum or maximum storage value is required, but neither was provided",
    );
  }
  look("maxLimitRequestRatio");
  for (const name of [...names].sort(compareText)) validateAmounts(item, name, path, errors);
}

type Bound = "min" | "max" | "default" | "defaultRequest";

interface Comparison {
  readonly low: Bound;
  readonly high: Bound;
  /** Where the error is reported, and which of the two values it shows. */
  readonly field: Bound;
  readonly shown: "low" | "high";
  readonly words: readonly [low: string, high: string];
}

/** Which bound must not be greater than which: min, defaultRequest, default, max. In Go's order. */
const comparisons: readonly Comparison[] = [
  { low: "min", high: "max", field: "min", shown: "low", words: ["min", "max"] },
  {
    low: "min",
    high: "defaultRequest",
    field: "defaultRequest",
    shown: "high",
    words: ["min", "default request"],
  },
  {
    low: "defaultRequest",
    high: "max",
    field: "defaultRequest",
    shown: "low",
    words: ["default request", "max"],
  },
  {
    low: "defaultRequest",
    high: "default",
    field: "defaultRequest",
    shown: "low",
    words: ["default request", "default limit"],
  },
  { low: "min", high: "default", field: "default", shown: "low", words: ["min", "default"] },
  { low: "default", high: "max", field: "default", shown: "high", words: ["default", "max"] },
];

type Bounds = Readonly<Record<Bound, Quantity | undefined>>;

function validateAmounts(
  item: LimitRangeItem,
  name: string,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const read = (bound: Bound): Quantity | undefined => {
    // Whole pods have no defaults; those that are given all the same are refused and not compared.
    if (item.type === "Pod" && bound.startsWith("default")) return undefined;
    const text = item[bound]?.[name];
    return text === undefined ? undefined : parseQuantity(text);
  };
  const bounds: Bounds = {
    min: read("min"),
    max: read("max"),
    default: read("default"),
    defaultRequest: read("defaultRequest"),
  };
  for (const { low, high, field, shown, words } of comparisons) {
    const [lower, higher] = [bounds[low], bounds[high]];
    if (lower === undefined || higher === undefined || compareQuantities(lower, higher) <= 0)
      continue;
    const detail = `${words[0]} value ${lower.text} is greater than ${words[1]} value ${higher.text}`;
    const value = quantityValue(shown === "low" ? lower : higher);
    errors.invalid(path.child(field).key(name), value, detail);
  }
  const text = item.maxLimitRequestRatio?.[name];
  const ratio = text === undefined ? undefined : parseQuantity(text);
  if (ratio !== undefined)
    validateRatio(ratio, bounds, path.child("maxLimitRequestRatio").key(name), errors);
  if (!mayOvercommit(name)) validateEqualDefaults(bounds, name, path, errors);
}

/** A resource that cannot be overcommitted must have equal default request and limit. */
function validateEqualDefaults(
  { default: limit, defaultRequest: request }: Bounds,
  name: string,
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (limit === undefined || request === undefined) return;
  if (compareQuantities(limit, request) === 0) return;
  const detail = `default value ${limit.text} must equal to defaultRequest value ${request.text} in ${name}`;
  errors.invalid(path.child("defaultRequest").key(name), quantityValue(request), detail);
}

function validateRatio(
  ratio: Quantity,
  { min, max }: Bounds,
  at: FieldPath,
  errors: FieldErrors,
): void {
  if (ratio.nanos < nanosPerOne)
    errors.invalid(at, quantityValue(ratio), `ratio ${ratio.text} is less than 1`);
  if (min === undefined || max === undefined) return;
  const small = [ratio, min, max].every((quantity) => quantityInt64(quantity) < milliSafeMax);
  const value = (quantity: Quantity): number =>
    Number(small ? quantityMilliInt64(quantity) : quantityInt64(quantity));
  const possible = value(max) / value(min);
  if (value(ratio) / (small ? 1000 : 1) > possible) {
    errors.invalid(
      at,
      quantityValue(ratio),
      `ratio ${ratio.text} is greater than max/min = ${goFloat(possible)}`,
    );
  }
}

/** Quotas limit the size of claims as requests.storage. */
const notForQuota: ReadonlySet<string> = new Set(["storage"]);
export function validateResourceQuota(quota: ResourceQuota, errors: FieldErrors): void {
  validateObjectMeta(quota.metadata, checkSubdomain, errors);
  validateQuotaSpec(quota.spec ?? {}, errors);
}

export function validateResourceQuotaUpdate(
  next: ResourceQuota,
  old: ResourceQuota,
  errors: FieldErrors,
): void {
  validateMetaUpdate(next.metadata, old.metadata, errors);
  validateQuotaSpec(next.spec ?? {}, errors);
  const distinct = (quota: ResourceQuota): string =>
    [...new Set(quota.spec?.scopes)].sort(compareText).join(",");
  if (distinct(next) !== distinct(old)) {
    errors.invalid(
      specPath.child("scopes"),
      asJson(next.spec?.scopes ?? null),
      "field is immutable",
    );
  }
}

export function validateQuotaStatus({ status }: ResourceQuota, errors: FieldErrors): void {
  for (const list of ["hard", "used"] as const)
    validateQuotaAmounts(status?.[list], statusPath.child(list), errors);
}

function validateQuotaAmounts(
  amounts: ResourceQuotaSpec["hard"],
  path: FieldPath,
  errors: FieldErrors,
): void {
  for (const name of sortedKeys(amounts)) {
    const at = path.key(name);
    errors.invalidEach(at, asJson(name), checkQuotaResourceName(name));
    const quantity = parseQuantity(amounts?.[name] ?? "");
    if (quantity === undefined) continue;
    validateResourceAmount(name, quantity, at, errors);
  }
}

function validateQuotaSpec(spec: ResourceQuotaSpec, errors: FieldErrors): void {
  validateQuotaAmounts(spec.hard, specPath.child("hard"), errors);
  validateScopes(spec, errors);
  const requirements = spec.scopeSelector?.matchExpressions ?? [];
  for (const requirement of requirements) validateScopeRequirement(requirement, spec, errors);
  validateNoConflict(
    requirements.map(({ scopeName }) => scopeName),
    spec,
    requirementsPath,
    errors,
  );
}

function checkQuotaResourceName(name: string): readonly string[] {
  const complaints = checkResourceName(name);
  return name.includes("/") || isQuotaResource(name)
    ? complaints
    : [...complaints, "must be a standard resource for quota"];
}

/** Upstream: IsStandardQuotaResourceName. */
function isQuotaResource(name: string): boolean {
  return (standardResources.has(name) && !notForQuota.has(name)) || isQuotaHugePages(name);
}

const podScopes: readonly string[] = [
  "Terminating",
  "NotTerminating",
  "BestEffort",
  "NotBestEffort",
  "PriorityClass",
  "CrossNamespacePodAffinity",
];
const existenceScopes: readonly string[] = [
  "Terminating",
  "NotTerminating",
  "BestEffort",
  "NotBestEffort",
  "CrossNamespacePodAffinity",
];
/** What scopes of pods can be applied to: neither huge pages nor ephemeral storage. Upstream: podComputeQuotaResources. */
const podResources: ReadonlySet<string> = new Set([
  "pods",
  "cpu",
  "memory",
  "limits.cpu",
  "limits.memory",
  "requests.cpu",
  "requests.memory",
]);
const claimResources: ReadonlySet<string> = new Set(["persistentvolumeclaims", "requests.storage"]);

/** Upstream: IsResourceQuotaScopeValidForResource. */
function isScopeFor(scope: string, resource: string): boolean {
  if (scope === "VolumeAttributesClass") return claimResources.has(resource);
  if (scope === "BestEffort") return resource === "pods";
  return !podScopes.includes(scope) || podResources.has(resource);
}

function misapplied(scope: string, spec: ResourceQuotaSpec): number {
  const names = Object.keys(spec.hard ?? {});
  return names.filter((name) => isQuotaResource(name) && !isScopeFor(scope, name)).length;
}

const requirementsPath = specPath.child("scopeSelector").child("matchExpressions");
const conflictingScopes: readonly (readonly [string, string])[] = [
  ["BestEffort", "NotBestEffort"],
  ["Terminating", "NotTerminating"],
];

function validateScopes(spec: ResourceQuotaSpec, errors: FieldErrors): void {
  const scopes = spec.scopes ?? [];
  const path = specPath.child("scopes");
  const shown = asJson(scopes);
  const complain = (detail: string): void => errors.invalid(path, shown, detail);
  for (const scope of scopes) {
    if (!isKnownScope(scope, errors.version)) complain("unsupported scope");
    for (let count = misapplied(scope, spec); count > 0; count--)
      complain("unsupported scope applied to resource");
  }
  validateNoConflict(scopes, spec, path, errors);
}

/** Upstream: helper.IsStandardResourceQuotaScope. */
function isKnownScope(scope: string, version: KubernetesVersion): boolean {
  if (scope === "VolumeAttributesClass") return hasQuotasOfAttributesClasses(version);
  return podScopes.includes(scope);
}

/** Shows the value of `scopes`, wherever the conflict is. */
function validateNoConflict(
  scopes: readonly string[],
  spec: ResourceQuotaSpec,
  path: FieldPath,
  errors: FieldErrors,
): void {
  for (const pair of conflictingScopes) {
    if (pair.every((scope) => scopes.includes(scope)))
      errors.invalid(path, asJson(spec.scopes ?? null), "conflicting scopes");
  }
}

/** The path has no index to say which requirement is meant. */
function validateScopeRequirement(
  { scopeName, operator, values = [] }: ScopedResourceSelectorRequirement,
  spec: ResourceQuotaSpec,
  errors: FieldErrors,
): void {
  const path = requirementsPath;
  if (!isKnownScope(scopeName, errors.version))
    errors.invalid(path.child("scopeName"), asJson(scopeName), "unsupported scope");
  for (let count = misapplied(scopeName, spec); count > 0; count--) {
    errors.invalid(
      path,
      asJson(goStruct("ScopeSelector", spec.scopeSelector)),
      "unsupported scope applied to resource",
    );
  }
  if (existenceScopes.includes(scopeName) && operator !== "Exists") {
    const detail =
      "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";
    errors.invalid(path.child("operator"), asJson(operator), detail);
  }
  if (operator === "In" || operator === "NotIn") {
    if (values.length === 0) {
      errors.required(
        path.child("values"),
        "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
      );
    }
  } else if (operator === "Exists" || operator === "DoesNotExist") {
    if (values.length > 0) {
      errors.invalid(
        path.child("values"),
        asJson(values),
        "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector",
      );
    }
  } else {
    errors.invalid(path.child("operator"), asJson(operator), "not a valid selector operator");
  }
}
