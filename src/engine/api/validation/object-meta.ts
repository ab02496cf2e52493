/**
 * Metadata of every kind. Upstream: apimachinery v0.36 pkg/api/validation/objectmeta.go and
 * pkg/apis/core/validation ValidateObjectMeta.
 */
import { type AsJson, asJson, type FieldErrors } from "../field-error.ts";
import { type FieldPath, metadataPath } from "../field-path.ts";
import { ownerStruct } from "../go/struct.ts";
import { byteLength, goQuote, isLongerThan, isPrintable } from "../go/text.ts";
import { compareText } from "../go/text-order.ts";
import {
  checkLabel,
  checkLabelKey,
  checkLabelValue,
  maskTrailingDash,
  type NameCheck,
} from "../names/names.ts";
import type { ManagedFieldsEntry, ObjectMeta, OwnerReference } from "../types.ts";

export const annotationBytesMax = 262_144;
const managerBytesMax = 128;
const subresourceBytesMax = 256;
/** Upstream: pkg/apis/core/helper/helpers.go, standardFinalizers. */
export const standardFinalizers: ReadonlySet<string> = new Set([
  "kubernetes",
  "orphan",
  "foregroundDeletion",
]);

const generateNamePath = metadataPath.child("generateName");
const namePath = metadataPath.child("name");
const namespacePath = metadataPath.child("namespace");
const labelsPath = metadataPath.child("labels");
const annotationsPath = metadataPath.child("annotations");
const finalizersPath = metadataPath.child("finalizers");
const ownersPath = metadataPath.child("ownerReferences");
const managersPath = metadataPath.child("managedFields");

/** For built-in kinds. Custom resources, runtime classes and disruption budgets also accept nonstandard finalizers. */
export function validateObjectMeta(
  metadata: ObjectMeta,
  checkName: NameCheck,
  errors: FieldErrors,
): void {
  validateGenericMeta(metadata, checkName, errors);
  validateStandardFinalizers(metadata.finalizers, finalizersPath, errors);
}

/** Upstream: ValidateObjectMetaAccessor. */
export function validateGenericMeta(
  metadata: ObjectMeta,
  checkName: NameCheck,
  errors: FieldErrors,
): void {
  const { generateName, name, namespace } = metadata;
  if (generateName !== undefined)
    errors.invalidEach(generateNamePath, generateName, checkName(maskTrailingDash(generateName)));
  if (name === undefined || name === "")
    errors.required(namePath, "name or generateName is required");
  else errors.invalidEach(namePath, name, checkName(name));
  if (namespace !== undefined) errors.invalidEach(namespacePath, namespace, checkLabel(namespace));
  validateGeneration(metadata.generation, errors);
  validateLabels(metadata.labels, labelsPath, errors);
  validateAnnotations(metadata.annotations, annotationsPath, errors);
  if (metadata.ownerReferences !== undefined)
    validateOwnerReferences(metadata.ownerReferences, ownersPath, errors);
  validateFinalizers(metadata.finalizers, finalizersPath, errors);
  if (metadata.managedFields !== undefined)
    validateManagedFields(metadata.managedFields, managersPath, errors);
}

function validateGeneration(generation: number | undefined, errors: FieldErrors): void {
  if (generation !== undefined && generation < 0) {
    errors.invalid(
      metadataPath.child("generation"),
      generation,
      "must be greater than or equal to 0",
    );
  }
}

/** Upstream: unversionedvalidation.ValidateLabels. The path does not include the key. */
export function validateLabels(
  labels: Readonly<Record<string, string>> | undefined,
  path: FieldPath,
  errors: FieldErrors,
): void {
  for (const key in labels) {
    errors.invalidEach(path, key, checkLabelKey(key));
    const value = labels[key] ?? "";
    errors.invalidEach(path, value, checkLabelValue(value));
  }
}

export function validateAnnotations(
  annotations: Readonly<Record<string, string>> | undefined,
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (annotations === undefined) return;
  for (const key in annotations) errors.invalidEach(path, key, checkLabelKey(key.toLowerCase()));
  if (isLongerThan(annotationBytesMax, annotations, true)) errors.tooLong(path, annotationBytesMax);
}

function validateOwnerReferences(
  references: readonly OwnerReference[],
  path: FieldPath,
  errors: FieldErrors,
): void {
  let controller: OwnerReference | undefined;
  let shown: AsJson | undefined;
  for (const reference of references) {
    validateOwnerReference(reference, path, errors);
    if (reference.controller !== true) continue;
    if (controller === undefined) controller = reference;
    else {
      const both = `${controller.kind}/${controller.name} and ${reference.kind}/${reference.name}`;
      errors.invalid(
        path,
        (shown ??= asJson(references.map(ownerStruct))),
        `Only one reference can have Controller set to true. Found "true" in references for ${both}`,
      );
    }
  }
}

function validateOwnerReference(
  reference: OwnerReference,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const { apiVersion, kind, name, uid } = reference;
  const parts = apiVersion.split("/");
  const version = parts.length > 2 ? "" : (parts.at(-1) ?? "");
  if (version === "")
    errors.invalid(path.child("apiVersion"), apiVersion, "version must not be empty");
  if (kind === "") errors.invalid(path.child("kind"), kind, "must not be empty");
  if (name === "") errors.invalid(path.child("name"), name, "must not be empty");
  if (uid === "") errors.invalid(path.child("uid"), uid, "must not be empty");
  if (apiVersion === "v1" && kind === "Event") {
    errors.invalid(
      path,
      asJson(ownerStruct(reference)),
      "/v1, Kind=Event is disallowed from being an owner",
    );
  }
}

function validateFinalizers(
  finalizers: readonly string[] | undefined,
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (finalizers === undefined) return;
  for (const finalizer of finalizers) errors.invalidEach(path, finalizer, checkLabelKey(finalizer));
  if (finalizers.includes("orphan") && finalizers.includes("foregroundDeletion")) {
    errors.invalid(
      path,
      asJson(finalizers),
      "finalizer orphan and foregroundDeletion cannot be both set",
    );
  }
}

/** Upstream: validateKubeFinalizerName. */
function validateStandardFinalizers(
  finalizers: readonly string[] | undefined,
  path: FieldPath,
  errors: FieldErrors,
): void {
  finalizers?.forEach((finalizer, index) => {
    validateStandardFinalizer(finalizer, path.index(index), errors);
  });
}

export function validateStandardFinalizer(
  finalizer: string,
  path: FieldPath,
  errors: FieldErrors,
): void {
  if (finalizer.includes("/") || standardFinalizers.has(finalizer)) return;
  const detail = "name is neither a standard finalizer name nor is it fully qualified";
  errors.invalid(path, finalizer, detail);
}

function validateManagedFields(
  entries: readonly ManagedFieldsEntry[],
  path: FieldPath,
  errors: FieldErrors,
): void {
  entries.forEach(({ manager = "", subresource = "" }, index) => {
    const at = path.index(index);
    validateManager(manager, at.child("manager"), errors);
    if (byteLength(subresource) > subresourceBytesMax)
      errors.tooLong(at.child("subresource"), subresourceBytesMax);
  });
}

/** Upstream: ValidateFieldManager. */
function validateManager(manager: string, path: FieldPath, errors: FieldErrors): void {
  if (byteLength(manager) > managerBytesMax) errors.tooLong(path, managerBytesMax);
  let position = 0;
  for (const character of manager) {
    if (!isPrintable(character)) {
      const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
      errors.invalid(path, manager, `invalid character U+${code} (at position ${position})`);
    }
    position += byteLength(character);
  }
}

/** Rules for the update of any object. Upstream: ValidateObjectMetaAccessorUpdate. */
export function validateGenericUpdate(
  next: ObjectMeta,
  old: ObjectMeta,
  errors: FieldErrors,
): void {
  validateNoNewFinalizers(next, old, errors);
  for (const field of immutableFields) {
    const value = next[field];
    if (value !== old[field])
      errors.invalid(metadataPath.child(field), asJson(value ?? null), "field is immutable");
  }
  validateLabels(next.labels, labelsPath, errors);
  validateAnnotations(next.annotations, annotationsPath, errors);
  validateOwnerReferences(next.ownerReferences ?? [], ownersPath, errors);
  validateManagedFields(next.managedFields ?? [], managersPath, errors);
}

/** Rules for the update of a built-in kind. Upstream: pkg/apis/core/validation ValidateObjectMetaUpdate. */
export function validateMetaUpdate(next: ObjectMeta, old: ObjectMeta, errors: FieldErrors): void {
  validateGenericUpdate(next, old, errors);
  validateStandardFinalizers(next.finalizers, finalizersPath, errors);
}

const immutableFields = [
  "name",
  "namespace",
  "uid",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
] as const;

/** An object that is being deleted accepts no new finalizers. */
function validateNoNewFinalizers(next: ObjectMeta, old: ObjectMeta, errors: FieldErrors): void {
  if (old.deletionTimestamp === undefined) return;
  const added = new Set(next.finalizers);
  for (const finalizer of old.finalizers ?? []) added.delete(finalizer);
  if (added.size === 0) return;
  const list = `[]string{${[...added]
    .sort(compareText)
    .map((finalizer) => goQuote(finalizer))
    .join(", ")}}`;
  errors.forbidden(
    finalizersPath,
    `no new finalizers can be added if the object is being deleted, found new finalizers ${list}`,
  );
}
