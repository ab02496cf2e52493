/** Environment variables. Upstream: pkg/apis/core/validation ValidateEnv, ValidateEnvFrom, v1.36. */
import { isOn } from "../../version-differences.ts";
import type { FieldErrors } from "../field-error.ts";
import type { FieldPath } from "../field-path.ts";
import { checkEnvName, checkLabel, checkSubdomain, maskTrailingDash } from "../names/names.ts";
import { visitContainers } from "../pod-containers.ts";
import type { EnvFromSource, EnvVar, FileKeySelector, PodSpec, Volume } from "../types.ts";
import {
  environmentFields,
  validateFieldSelector,
  validateKeySelector,
  validateResourceFieldSelector,
} from "./field-selectors.ts";
import { validateNoBacksteps } from "./volume-sources.ts";

const oneAtATime = "may not have more than one field specified at a time";

export function validateEnv(
  variables: readonly EnvVar[],
  path: FieldPath,
  errors: FieldErrors,
): void {
  variables.forEach((variable, index) => {
    const at = path.index(index);
    if (variable.name === "") errors.required(at.child("name"));
    else errors.invalidEach(at.child("name"), variable.name, checkEnvName(variable.name));
    validateValueFrom(variable, at.child("valueFrom"), errors);
  });
}

function validateValueFrom(
  { value = "", valueFrom }: EnvVar,
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
  if (fileKeyRef !== undefined) validateFileKeyRef(fileKeyRef, path.child("fileKeyRef"), errors);
  const count = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef].filter(
    (s) => s !== undefined,
  ).length;
  if (count === 0) {
    const last = isOn("EnvFiles", errors.version)
      ? ", `secretKeyRef` or `fileKeyRef`"
      : " or `secretKeyRef`";
    const detail = `must specify one of: \`fieldRef\`, \`resourceFieldRef\`, \`configMapKeyRef\`${last}`;
    errors.invalid(path, "", detail);
  } else if (value !== "")
    errors.invalid(path, "", "may not be specified when `value` is not empty");
  else if (count > 1) errors.invalid(path, "", oneAtATime);
}

function validateFileKeyRef(
  { key, volumeName, path: file }: FileKeySelector,
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (key === "") errors.required(path.child("key"));
  else errors.invalidEach(path.child("key"), key, checkEnvName(key));
  if (volumeName === "") errors.required(path.child("volumeName"));
  else errors.invalidEach(path.child("volumeName"), volumeName, checkLabel(volumeName));
  if (file === "") errors.required(path.child("path"));
  else validateNoBacksteps(file, path.child("path"), errors);
}

/** A fileKeyRef must refer to an emptyDir volume of the pod. Upstream: validateFileKeyRefVolumes. */
export function validateFileVolumes(spec: PodSpec, path: FieldPath, errors: FieldErrors): void {
  let volumes: ReadonlyMap<string, Volume> | undefined;
  visitContainers(spec, path, ({ env }, at) => {
    env?.forEach(({ valueFrom }, index) => {
      const name = valueFrom?.fileKeyRef?.volumeName;
      if (name === undefined) return;
      const place = at.child("env").index(index).child("valueFrom").child("fileKeyRef");
      volumes ??= new Map(spec.volumes?.map((volume) => [volume.name, volume]));
      const volume = volumes.get(name);
      if (volume === undefined) errors.notFound(place.child("volumeName"), name);
      else if (volume.emptyDir === undefined) {
        const detail = "referenced volume must be of type emptyDir";
        errors.invalid(place.child("volumeName"), name, detail);
      }
    });
  });
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
