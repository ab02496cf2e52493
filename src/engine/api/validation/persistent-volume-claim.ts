/**
 * Claims. Upstream: pkg/apis/core/validation ValidatePersistentVolumeClaim, ValidatePersistentVolumeClaimSpec,
 * validateDataSource, validateDataSourceRef, v1.36.
 */
import { asJson, type FieldErrors } from "../field-error.ts";
import { type FieldPath, specPath } from "../field-path.ts";
import { checkLabel, checkSubdomain } from "../names/names.ts";
import { quantityOrZero } from "../quantity.ts";
import type {
  PersistentVolumeClaim,
  PersistentVolumeClaimSpec,
  TypedLocalObjectReference,
  TypedObjectReference,
} from "../types.ts";
import { validateObjectMeta } from "./object-meta.ts";
import { validatePositiveQuantity } from "./resources.ts";
import { validateLabelSelector } from "./selectors.ts";

const supportedAccessModes: readonly string[] = [
  "ReadOnlyMany",
  "ReadWriteMany",
  "ReadWriteOnce",
  "ReadWriteOncePod",
];
export const supportedVolumeModes: readonly string[] = ["Block", "Filesystem"];

export interface ClaimOptions {
  /** True if the stored claim already names an API group; this one may then be invalid. */
  readonly allowInvalidGroup?: boolean;
  readonly allowInvalidSelector?: boolean;
}

export function validatePersistentVolumeClaim(
  claim: PersistentVolumeClaim,
  errors: FieldErrors,
  options: ClaimOptions = {},
): void {
  validateObjectMeta(claim.metadata, checkSubdomain, errors);
  validateClaimSpec(claim.spec, specPath, errors, options);
}

/** Also used for the claim templates of pods and StatefulSets. */
export function validateClaimSpec(
  spec: PersistentVolumeClaimSpec,
  path: FieldPath,
  errors: FieldErrors,
  options: ClaimOptions = {},
): void {
  const modes = spec.accessModes ?? [];
  if (modes.length === 0)
    errors.required(path.child("accessModes"), "at least 1 access mode is required");
  validateLabelSelector(spec.selector, path.child("selector"), errors, {
    allowInvalidValues: options.allowInvalidSelector === true,
  });
  validateAccessModes(modes, path, errors);
  const storage = spec.resources?.requests?.["storage"];
  const storagePath = path.child("resources").key("storage");
  if (storage === undefined) errors.required(storagePath);
  else validatePositiveQuantity(quantityOrZero(storage), storagePath, errors);
  validateClassName(spec.storageClassName, path.child("storageClassName"), errors);
  if (spec.volumeMode !== undefined && !supportedVolumeModes.includes(spec.volumeMode)) {
    errors.notSupported(path.child("volumeMode"), asJson(spec.volumeMode), supportedVolumeModes);
  }
  validateDataSources(spec, path, errors, options);
  validateClassName(
    spec.volumeAttributesClassName,
    path.child("volumeAttributesClassName"),
    errors,
  );
}

/** Also used for PersistentVolumes. An unknown mode beside ReadWriteOncePod does not count as another mode. */
export function validateAccessModes(
  modes: readonly string[],
  path: FieldPath,
  errors: FieldErrors,
): void {
  let exclusive = false;
  let others = false;
  for (const mode of modes) {
    if (!supportedAccessModes.includes(mode))
      errors.notSupported(path.child("accessModes"), asJson(mode), supportedAccessModes);
    else if (mode === "ReadWriteOncePod") exclusive = true;
    else others = true;
  }
  if (exclusive && others)
    errors.forbidden(
      path.child("accessModes"),
      "may not use ReadWriteOncePod with other access modes",
    );
}

export function validateClassName(
  name: string | undefined,
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (name !== undefined && name !== "") errors.invalidEach(path, name, checkSubdomain(name));
}

function validateDataSources(
  spec: PersistentVolumeClaimSpec,
  path: FieldPath,
  errors: FieldErrors,
  options: ClaimOptions,
): void {
  const { dataSource, dataSourceRef } = spec;
  if (dataSource !== undefined)
    validateDataSource(dataSource, path.child("dataSource"), errors, options);
  if (dataSourceRef !== undefined)
    validateDataSourceRef(dataSourceRef, path.child("dataSourceRef"), errors, options);
  if (dataSource === undefined || dataSourceRef === undefined) return;
  if ((dataSourceRef.namespace ?? "") !== "") {
    errors.invalid(
      path,
      asJson({}),
      "may not be specified when dataSourceRef.namespace is specified",
    );
  } else if (
    dataSource.apiGroup !== dataSourceRef.apiGroup ||
    dataSource.kind !== dataSourceRef.kind ||
    dataSource.name !== dataSourceRef.name
  ) {
    errors.invalid(path, asJson({}), "must match dataSourceRef");
  }
}

function validateDataSource(
  source: TypedLocalObjectReference,
  path: FieldPath,
  errors: FieldErrors,
  options: ClaimOptions,
): void {
  if (source.name === "") errors.required(path.child("name"));
  if (source.kind === "") errors.required(path.child("kind"));
  const group = source.apiGroup ?? "";
  if (group === "" && source.kind !== "PersistentVolumeClaim") {
    errors.invalid(
      path,
      source.kind,
      "must be 'PersistentVolumeClaim' when referencing the default apiGroup",
    );
  }
  if (group !== "" && options.allowInvalidGroup !== true)
    errors.invalidEach(path.child("apiGroup"), group, checkSubdomain(group));
}

function validateDataSourceRef(
  source: TypedObjectReference,
  path: FieldPath,
  errors: FieldErrors,
  options: ClaimOptions,
): void {
  validateDataSource(source, path, errors, options);
  const namespace = source.namespace ?? "";
  if (namespace !== "")
    errors.invalidEach(path.child("namespace"), namespace, checkLabel(namespace));
}
