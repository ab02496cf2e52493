/** Environment variables. Upstream: pkg/apis/core/validation ValidateEnv, ValidateEnvFrom, v1.36. */
import type { FieldErrors } from "../field-error.ts";
import type { FieldPath } from "../field-path.ts";
import { checkConfigKey, checkEnvName, checkSubdomain, maskTrailingDash } from "../names.ts";
import type { EnvFromSource, EnvVar, FileKeySelector } from "../types.ts";
import {
  environmentFields,
  validateFieldSelector,
  validateKeySelector,
  validateResourceFieldSelector,
} from "./field-selectors.ts";
import type { UsableVolumes } from "./pod-volumes.ts";
import { requireFields } from "./volume-sources.ts";

const oneAtATime = "may not have more than one field specified at a time";

export function validateEnv(
  variables: readonly EnvVar[],
  volumes: UsableVolumes,
  path: FieldPath,
  errors: FieldErrors,
): void {
  variables.forEach((variable, index) => {
    const at = path.index(index);
    if (variable.name === "") errors.required(at.child("name"));
    else errors.invalidEach(at.child("name"), variable.name, checkEnvName(variable.name));
    validateValueFrom(variable, volumes, at.child("valueFrom"), errors);
  });
}

function validateValueFrom(
  { value = "", valueFrom }: EnvVar,
  volumes: UsableVolumes,
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (valueFrom === undefined) return;
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = valueFrom;
  if (fieldRef !== undefined)
    validateFieldSelector(fieldRef, environmentFields, path.child("fieldRef"), errors);
  if (resourceFieldRef !== undefined)
    validateResourceFieldSelector(resourceFieldRef, false, path.child("resourceFieldRef"), errors);
  if (configMapKeyRef !== undefined)
    validateKeySelector(configMapKeyRef, path.child("configMapKeyRef"), errors);
  if (secretKeyRef !== undefined)
    validateKeySelector(secretKeyRef, path.child("secretKeyRef"), errors);
  if (fileKeyRef !== undefined)
    validateFileKeyRef(fileKeyRef, volumes, path.child("fileKeyRef"), errors);
  const count = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef].filter(
    (s) => s !== undefined,
  ).length;
  if (count === 0) {
    errors.invalid(
      path,
      "",
      "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`",
    );
  } else if (value !== "")
    errors.invalid(path, "", "may not be specified when `value` is not empty");
  else if (count > 1) errors.invalid(path, "", oneAtATime);
}

function validateFileKeyRef(
  reference: FileKeySelector,
  volumes: UsableVolumes,
  path: FieldPath,
  errors: FieldErrors,
): void {
  requireFields(reference, path, errors, ["key", "volumeName", "path"]);
  if (reference.key !== "")
    errors.invalidEach(path.child("key"), reference.key, checkConfigKey(reference.key));
  if (reference.volumeName === "") return;
  const volume = volumes.get(reference.volumeName);
  if (volume === undefined) errors.notFound(path.child("volumeName"), reference.volumeName);
  else if (volume.emptyDir === undefined) {
    errors.invalid(
      path.child("volumeName"),
      reference.volumeName,
      "referenced volume must be of type emptyDir",
    );
  }
}

export function validateEnvFrom(
  sources: readonly EnvFromSource[],
  path: FieldPath,
  errors: FieldErrors,
): void {
  sources.forEach(({ prefix = "", configMapRef, secretRef }, index) => {
    const at = path.index(index);
    if (prefix !== "") errors.invalidEach(at.child("prefix"), prefix, checkEnvName(prefix));
    for (const [field, reference] of [
      ["configMapRef", configMapRef],
      ["secretRef", secretRef],
    ] as const) {
      if (reference === undefined) continue;
      const { name = "" } = reference;
      if (name === "") errors.required(at.child(field).child("name"));
      else
        errors.invalidEach(
          at.child(field).child("name"),
          name,
          checkSubdomain(maskTrailingDash(name)),
        );
    }
    if (configMapRef === undefined && secretRef === undefined) {
      errors.invalid(path, "", "must specify one of: `configMapRef` or `secretRef`");
    } else if (configMapRef !== undefined && secretRef !== undefined)
      errors.invalid(path, "", oneAtATime);
  });
}
