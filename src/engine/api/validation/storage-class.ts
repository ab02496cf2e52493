/**
 * Storage classes and attributes classes. Upstream: pkg/apis/storage/validation ValidateStorageClass,
 * ValidateStorageClassUpdate, ValidateVolumeAttributesClass, v1.36.
 */
import { callsClassFieldsImmutable } from "../../version-differences.ts";
import { asJson, type FieldErrors, type ShownValue } from "../field-error.ts";
import { FieldPath } from "../field-path.ts";
import { isLongerThan, sortedMap } from "../go/text.ts";
import { checkLabelKey, checkSubdomain } from "../names/names.ts";
import { semanticEqual } from "../semantic-equal.ts";
import type { StorageClass, VolumeAttributesClass } from "../types.ts";
import { validateMetaUpdate, validateObjectMeta } from "./object-meta.ts";
import { validateTopologyTerms } from "./selectors.ts";

const parameterCountMax = 512;
const parameterBytesMax = 262_144;
const reclaimPolicies: readonly string[] = ["Delete", "Retain"];
const bindingModes: readonly string[] = ["Immediate", "WaitForFirstConsumer"];

const provisionerPath = new FieldPath("provisioner");
const driverNamePath = new FieldPath("driverName");
const parametersPath = new FieldPath("parameters");
const reclaimPolicyPath = new FieldPath("reclaimPolicy");
const bindingModePath = new FieldPath("volumeBindingMode");
const topologiesPath = new FieldPath("allowedTopologies");

export function validateStorageClass(storageClass: StorageClass, errors: FieldErrors): void {
  validateObjectMeta(storageClass.metadata, checkSubdomain, errors);
  validateProvisioner(storageClass.provisioner, provisionerPath, errors);
  validateParameters(storageClass.parameters, errors);
  const { reclaimPolicy = "", volumeBindingMode = "" } = storageClass;
  if (reclaimPolicy !== "" && !reclaimPolicies.includes(reclaimPolicy)) {
    errors.notSupported(reclaimPolicyPath, asJson(reclaimPolicy), reclaimPolicies);
  }
  if (!bindingModes.includes(volumeBindingMode))
    errors.notSupported(bindingModePath, asJson(volumeBindingMode), bindingModes);
  validateTopologyTerms(storageClass.allowedTopologies, topologiesPath, errors);
}

/** Parameters, provisioner, reclaim policy and binding mode are immutable. */
export function validateStorageClassUpdate(
  next: StorageClass,
  old: StorageClass,
  errors: FieldErrors,
): void {
  validateStorageClass(next, errors);
  validateMetaUpdate(next.metadata, old.metadata, errors);
  if (!semanticEqual(next.parameters ?? {}, old.parameters ?? {})) {
    refuseChange(parametersPath, asJson(sortedMap(next.parameters)), errors);
  }
  if (next.provisioner !== old.provisioner) {
    refuseChange(provisionerPath, next.provisioner, errors);
  }
  if (next.reclaimPolicy !== old.reclaimPolicy) {
    refuseChange(reclaimPolicyPath, asJson(next.reclaimPolicy ?? null), errors);
  }
  if (next.volumeBindingMode !== old.volumeBindingMode) {
    errors.invalid(bindingModePath, asJson(next.volumeBindingMode ?? null), "field is immutable");
  }
}

function refuseChange(path: FieldPath, value: ShownValue, errors: FieldErrors): void {
  if (callsClassFieldsImmutable(errors.version)) errors.invalid(path, value, "field is immutable");
  else errors.forbidden(path, `updates to ${path} are forbidden.`);
}

export function validateVolumeAttributesClass(
  attributesClass: VolumeAttributesClass,
  errors: FieldErrors,
): void {
  validateObjectMeta(attributesClass.metadata, checkSubdomain, errors);
  validateAttributes(attributesClass, errors);
}

function validateAttributes(attributesClass: VolumeAttributesClass, errors: FieldErrors): void {
  validateProvisioner(attributesClass.driverName, driverNamePath, errors);
  validateParameters(attributesClass.parameters, errors);
  if (Object.keys(attributesClass.parameters ?? {}).length === 0) {
    errors.required(parametersPath, "must contain at least one key/value pair");
  }
}

export function validateVolumeAttributesClassUpdate(
  next: VolumeAttributesClass,
  old: VolumeAttributesClass,
  errors: FieldErrors,
): void {
  validateMetaUpdate(next.metadata, old.metadata, errors);
  if (next.driverName !== old.driverName)
    errors.forbidden(driverNamePath, "updates to driverName are forbidden.");
  if (!semanticEqual(next.parameters ?? {}, old.parameters ?? {})) {
    errors.forbidden(parametersPath, "updates to parameters are forbidden.");
  }
  validateVolumeAttributesClass(next, errors);
}

/** A label key, in upper or lower case. */
function validateProvisioner(name: string, path: FieldPath, errors: FieldErrors): void {
  if (name === "") errors.required(path);
  else errors.invalidEach(path, name.toLowerCase(), checkLabelKey(name.toLowerCase()));
}

function validateParameters(
  parameters: Readonly<Record<string, string>> | undefined,
  errors: FieldErrors,
): void {
  if (parameters === undefined) return;
  if (Object.keys(parameters).length > parameterCountMax) {
    errors.tooLong(parametersPath, parameterCountMax);
    return;
  }
  if (parameters[""] !== undefined) errors.invalid(parametersPath, "", "field can not be empty.");
  if (isLongerThan(parameterBytesMax, parameters, true))
    errors.tooLong(parametersPath, parameterBytesMax);
}
