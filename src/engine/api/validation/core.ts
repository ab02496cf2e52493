/**
 * Namespaces, ConfigMaps, Secrets, ServiceAccounts, PriorityClasses, PodTemplates, disruption budgets.
 * Upstream: pkg/apis/core/validation, pkg/apis/scheduling/validation, pkg/apis/policy/validation, v1.36.
 */
import { bytesOfBase64 } from "../decoding/base64.ts";
import { asJson, type FieldErrors } from "../field-error.ts";
import { FieldPath, metadataPath, specPath } from "../field-path.ts";
import { goObjectError } from "../go/json-syntax.ts";
import { goStruct } from "../go/struct.ts";
import { isLongerThan } from "../go/text.ts";
import {
  checkConfigKey,
  checkLabel,
  checkLabelKey,
  checkPathSegment,
  checkSubdomain,
} from "../names/names.ts";
import { semanticEqual } from "../semantic-equal.ts";
import { systemPriorities } from "../system-priorities.ts";
import type {
  ConfigMap,
  ControllerRevision,
  Namespace,
  PodDisruptionBudget,
  PodTemplate,
  PriorityClass,
  Secret,
  ServiceAccount,
} from "../types.ts";
import {
  validateGenericMeta,
  validateMetaUpdate,
  validateObjectMeta,
  validateStandardFinalizer,
} from "./object-meta.ts";
import { validatePodTemplate } from "./pod-spec.ts";
import { validateRatchetedSelector } from "./selectors.ts";
import { validateAtMostAll, validateIntOrPercent } from "./workload.ts";

const evictionPolicies: readonly string[] = ["AlwaysAllow", "IfHealthyBudget"];
const preemptionPolicies: readonly string[] = ["PreemptLowerPriority", "Never"];
const userPriorityMax = 1_000_000_000;
const dataPath = new FieldPath("data");
const wholeObject = new FieldPath("[]");
const dataBytesMax = 1_048_576;
const immutablePath = new FieldPath("immutable");

export function validateNamespace(namespace: Namespace, errors: FieldErrors): void {
  validateObjectMeta(namespace.metadata, checkLabel, errors);
  namespace.spec?.finalizers?.forEach((finalizer) => {
    errors.invalidEach(specPath.child("finalizers"), finalizer, checkLabelKey(finalizer));
    validateStandardFinalizer(finalizer, specPath.child("finalizers"), errors);
  });
}

export function validateNamespaceUpdate(
  next: Namespace,
  old: Namespace,
  errors: FieldErrors,
): void {
  validateNamespace(next, errors);
  validateMetaUpdate(next.metadata, old.metadata, errors);
}

export function validateConfigMap(configMap: ConfigMap, errors: FieldErrors): void {
  validateObjectMeta(configMap.metadata, checkSubdomain, errors);
  for (const key in configMap.data) {
    const at = dataPath.key(key);
    errors.invalidEach(at, key, checkConfigKey(key));
    if (Object.hasOwn(configMap.binaryData ?? {}, key))
      errors.invalid(at, key, "duplicate of key present in binaryData");
  }
  for (const key in configMap.binaryData) {
    errors.invalidEach(new FieldPath("binaryData").key(key), key, checkConfigKey(key));
  }
  const binaryBytes = sum(configMap.binaryData, decodedLength);
  if (isLongerThan(dataBytesMax - binaryBytes, configMap.data, false))
    errors.tooLong(wholeObject, dataBytesMax);
}

export function validateConfigMapUpdate(
  next: ConfigMap,
  old: ConfigMap,
  errors: FieldErrors,
): void {
  validateMetaUpdate(next.metadata, old.metadata, errors);
  validateSealed(next, old, ["data", "binaryData"], errors);
  validateConfigMap(next, errors);
}

function sum(
  data: Readonly<Record<string, string>> | undefined,
  length: (text: string) => number,
): number {
  let total = 0;
  for (const key in data) total += length(data[key] ?? "");
  return total;
}

/** The number of bytes that a base64 text stands for. */
function decodedLength(text: string): number {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  return Math.floor((text.length * 3) / 4) - padding;
}

type Sealable = Pick<ConfigMap, "immutable" | "data" | "binaryData">;

/** An immutable object stays immutable and keeps its data. */
function validateSealed(
  next: Sealable,
  old: Sealable,
  fields: readonly ("data" | "binaryData")[],
  errors: FieldErrors,
): void {
  if (old.immutable !== true) return;
  const detail = "field is immutable when `immutable` is set";
  if (next.immutable !== true) errors.forbidden(immutablePath, detail);
  for (const field of fields) {
    const [after, before] = [next[field], old[field]];
    // Go distinguishes absent from empty here, and nothing empty is ever stored.
    const isSame =
      (after === undefined) === (before === undefined) && semanticEqual(after, before, field);
    if (!isSame) errors.forbidden(new FieldPath(field), detail);
  }
}

/** The keys that Secrets of a type must have. */
const requiredKeys: ReadonlyMap<string, readonly string[]> = new Map([
  ["kubernetes.io/dockercfg", [".dockercfg"]],
  ["kubernetes.io/dockerconfigjson", [".dockerconfigjson"]],
  ["kubernetes.io/ssh-auth", ["ssh-privatekey"]],
  ["kubernetes.io/tls", ["tls.crt", "tls.key"]],
]);

const dockerTypes: ReadonlySet<string> = new Set([
  "kubernetes.io/dockercfg",
  "kubernetes.io/dockerconfigjson",
]);

/** Any JSON object is accepted. */
function validateDockerConfig(key: string, value: string, errors: FieldErrors): void {
  const error = goObjectError(bytesOfBase64(value));
  if (error !== undefined) errors.invalid(dataPath.key(key), "<secret contents redacted>", error);
}

export function validateSecret(secret: Secret, errors: FieldErrors): void {
  validateObjectMeta(secret.metadata, checkSubdomain, errors);
  for (const key in secret.data) errors.invalidEach(dataPath.key(key), key, checkConfigKey(key));
  if (sum(secret.data, decodedLength) > dataBytesMax) errors.tooLong(dataPath, dataBytesMax);
  const type = secret.type ?? "";
  for (const key of requiredKeys.get(type) ?? []) {
    const value = secret.data?.[key];
    const isMissing =
      type === "kubernetes.io/ssh-auth" ? (value ?? "") === "" : value === undefined;
    if (isMissing) errors.required(dataPath.key(key));
    else if (dockerTypes.has(type)) validateDockerConfig(key, value ?? "", errors);
  }
  if (
    type === "kubernetes.io/basic-auth" &&
    secret.data?.["username"] === undefined &&
    secret.data?.["password"] === undefined
  ) {
    errors.required(dataPath.key("username"));
    errors.required(dataPath.key("password"));
  }
  if (type === "kubernetes.io/service-account-token") {
    const annotation = "kubernetes.io/service-account.name";
    if ((secret.metadata.annotations?.[annotation] ?? "") === "")
      errors.required(metadataPath.child("annotations").key(annotation));
  }
}

export function validateSecretUpdate(next: Secret, old: Secret, errors: FieldErrors): void {
  validateMetaUpdate(next.metadata, old.metadata, errors);
  if (next.type !== old.type)
    errors.invalid(new FieldPath("type"), asJson(next.type ?? ""), "field is immutable");
  validateSealed(next, old, ["data"], errors);
  validateSecret(next, errors);
}

export function validateServiceAccount(account: ServiceAccount, errors: FieldErrors): void {
  validateObjectMeta(account.metadata, checkSubdomain, errors);
}

export function validateServiceAccountUpdate(
  next: ServiceAccount,
  old: ServiceAccount,
  errors: FieldErrors,
): void {
  validateMetaUpdate(next.metadata, old.metadata, errors);
  validateServiceAccount(next, errors);
}

export function validatePriorityClass(priorityClass: PriorityClass, errors: FieldErrors): void {
  validateObjectMeta(priorityClass.metadata, checkSubdomain, errors);
  const { name } = priorityClass.metadata;
  const { value = 0, preemptionPolicy } = priorityClass;
  if (name.startsWith("system-")) {
    const complaint = checkSystemClass(priorityClass);
    const detail = `priority class names with 'system-' prefix are reserved for system use only. error: ${complaint}`;
    if (complaint !== undefined) errors.forbidden(metadataPath.child("name"), detail);
  } else if (value > userPriorityMax) {
    errors.forbidden(
      new FieldPath("value"),
      `maximum allowed value of a user defined priority is ${userPriorityMax}`,
    );
  }
  if (preemptionPolicy === "") errors.required(new FieldPath("preemptionPolicy"));
  else if (preemptionPolicy !== undefined && !preemptionPolicies.includes(preemptionPolicy)) {
    errors.notSupported(
      new FieldPath("preemptionPolicy"),
      asJson(preemptionPolicy),
      preemptionPolicies,
    );
  }
}

/** Upstream: pkg/apis/scheduling/v1 IsKnownSystemPriorityClass. */
function checkSystemClass(priorityClass: PriorityClass): string | undefined {
  const { name } = priorityClass.metadata;
  const known = systemPriorities.get(name);
  if (known === undefined) return `${name} is not a known system priority class`;
  if (priorityClass.value !== known) return `value of ${name} PriorityClass must be ${known}`;
  return priorityClass.globalDefault === true
    ? `globalDefault of ${name} PriorityClass must be false`
    : undefined;
}

export function validatePriorityClassUpdate(
  next: PriorityClass,
  old: PriorityClass,
  errors: FieldErrors,
): void {
  validateMetaUpdate(next.metadata, old.metadata, errors);
  if ((next.value ?? 0) !== (old.value ?? 0))
    errors.forbidden(new FieldPath("value"), "may not be changed in an update.");
  if (next.preemptionPolicy !== old.preemptionPolicy) {
    errors.invalid(
      new FieldPath("preemptionPolicy"),
      asJson(next.preemptionPolicy ?? null),
      "field is immutable",
    );
  }
}

export function validatePodTemplateObject(template: PodTemplate, errors: FieldErrors): void {
  validateObjectMeta(template.metadata, checkSubdomain, errors);
  validatePodTemplate(template.template, new FieldPath("template"), errors);
}

export function validatePodTemplateObjectUpdate(
  next: PodTemplate,
  old: PodTemplate,
  errors: FieldErrors,
): void {
  validateMetaUpdate(next.metadata, old.metadata, errors);
  validatePodTemplate(next.template, new FieldPath("template"), errors);
}

export function validateControllerRevision(
  revision: ControllerRevision,
  errors: FieldErrors,
): void {
  validateRevisionNumber(revision, errors);
  if (revision.data === undefined) errors.required(dataPath, "data is mandatory");
  else if (typeof revision.data !== "object" || Array.isArray(revision.data))
    errors.required(dataPath, "data must be a valid JSON object");
}

function validateRevisionNumber(
  { metadata, revision }: ControllerRevision,
  errors: FieldErrors,
): void {
  validateObjectMeta(metadata, checkSubdomain, errors);
  const path = new FieldPath("revision");
  if (revision < 0) errors.invalid(path, revision, "must be greater than or equal to 0");
}

/** The data is immutable. Upstream: ValidateControllerRevisionUpdate. */
export function validateControllerRevisionUpdate(
  next: ControllerRevision,
  old: ControllerRevision,
  errors: FieldErrors,
): void {
  validateMetaUpdate(next.metadata, old.metadata, errors);
  validateRevisionNumber(next, errors);
  if (!semanticEqual(next.data, old.data))
    errors.invalid(dataPath, asJson(next.data ?? null), "field is immutable");
}

/** The name has to be a path segment, as for every object, and is checked only if the spec is valid. */
export function validatePodDisruptionBudget(
  budget: PodDisruptionBudget,
  errors: FieldErrors,
): void {
  validateBudgetSpec(budget, errors);
  if (errors.none) validateGenericMeta(budget.metadata, checkPathSegment, errors);
}

export function validatePodDisruptionBudgetUpdate(
  next: PodDisruptionBudget,
  _old: PodDisruptionBudget,
  errors: FieldErrors,
): void {
  validateBudgetSpec(next, errors);
}

function validateBudgetSpec({ spec }: PodDisruptionBudget, errors: FieldErrors): void {
  const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy } = spec ?? {};
  if (minAvailable !== undefined && maxUnavailable !== undefined) {
    errors.invalid(
      specPath,
      asJson(goStruct("PodDisruptionBudgetSpec", spec)),
      "minAvailable and maxUnavailable cannot be both set",
    );
  }
  validateIntOrPercent(minAvailable, specPath.child("minAvailable"), errors);
  validateAtMostAll(minAvailable, specPath.child("minAvailable"), errors);
  validateIntOrPercent(maxUnavailable, specPath.child("maxUnavailable"), errors);
  validateAtMostAll(maxUnavailable, specPath.child("maxUnavailable"), errors);
  validateRatchetedSelector(selector, specPath.child("selector"), errors);
  const policy = unhealthyPodEvictionPolicy;
  if (policy !== undefined && !evictionPolicies.includes(policy)) {
    const path = specPath.child("unhealthyPodEvictionPolicy");
    errors.notSupported(path, asJson(policy), evictionPolicies);
  }
}
