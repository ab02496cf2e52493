/** Updates of claims. Upstream: pkg/apis/core/validation ValidatePersistentVolumeClaimUpdate, v1.36. */
import { hasVolumeAttributesClasses } from "../../version-differences.ts";
import { grantedStorage, requestedStorage } from "../claim-size.ts";
import { asJson, type FieldErrors } from "../field-error.ts";
import { FieldPath, metadataPath, specPath } from "../field-path.ts";
import { goStruct } from "../go/struct.ts";
import { goJson } from "../go/text.ts";
import type { Mutable } from "../mutable.ts";
import { compareQuantityTexts } from "../quantity.ts";
import { semanticEqual } from "../semantic-equal.ts";
import { betaStorageClassAnnotation } from "../storage-class-name.ts";
import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from "../types.ts";
import { unifiedDiff } from "../unified-diff.ts";
import { attributesClassPath, validateOldAttributesClass } from "./attributes-class.ts";
import { validateMetaUpdate } from "./object-meta.ts";
import { validatePersistentVolumeClaim } from "./persistent-volume-claim.ts";
import { isUsableSelector } from "./selectors.ts";

const immutableText =
  "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims";

/** Whether the claim is bound is read from the stored one. */
export function validatePersistentVolumeClaimUpdate(
  next: PersistentVolumeClaim,
  old: PersistentVolumeClaim,
  errors: FieldErrors,
): void {
  validateMetaUpdate(next.metadata, old.metadata, errors);
  validatePersistentVolumeClaim(next, errors, {
    allowInvalidGroup: hasGroup(old.spec),
    allowInvalidSelector: old.spec.selector !== undefined && !isUsableSelector(old.spec.selector),
  });
  validateClassAnnotation(next, old, errors);
  const before = withLateVolume(next, old);
  const after = maskMutable(next, old);
  if (!semanticEqual(before, after)) {
    const text = (spec: PersistentVolumeClaimSpec): string =>
      goJson(goStruct("PersistentVolumeClaimSpec", spec), 1);
    errors.forbidden(specPath, `${immutableText}\n${unifiedDiff(text(before), text(after))}`);
  }
  validateSize(next, old, errors);
  if (next.spec.volumeMode !== old.spec.volumeMode) {
    errors.invalid(
      new FieldPath("volumeMode"),
      asJson(next.spec.volumeMode ?? null),
      "field is immutable",
    );
  }
  validateAttributesClass(next, old, errors);
}

/** True if the claim names an API group, valid or not. Upstream: allowInvalidAPIGroupInDataSourceOrRef. */
function hasGroup({ dataSource, dataSourceRef }: PersistentVolumeClaimSpec): boolean {
  return dataSource?.apiGroup !== undefined || dataSourceRef?.apiGroup !== undefined;
}

/** True if a claim that only has the old annotation gets the field with the same class. */
function isClassUpgrade(next: PersistentVolumeClaim, old: PersistentVolumeClaim): boolean {
  const before = old.metadata.annotations?.[betaStorageClassAnnotation];
  const after = next.metadata.annotations?.[betaStorageClassAnnotation];
  if (
    before === undefined ||
    old.spec.storageClassName !== undefined ||
    next.spec.storageClassName === undefined
  )
    return false;
  return next.spec.storageClassName === before && (after === undefined || after === before);
}

function validateClassAnnotation(
  next: PersistentVolumeClaim,
  old: PersistentVolumeClaim,
  errors: FieldErrors,
): void {
  // An empty annotation counts as absent.
  const before = old.metadata.annotations?.[betaStorageClassAnnotation] ?? "";
  const after = next.metadata.annotations?.[betaStorageClassAnnotation] ?? "";
  if (before === after || isClassUpgrade(next, old)) return;
  errors.invalid(
    metadataPath.child("annotations").child(betaStorageClassAnnotation),
    after,
    "field is immutable",
  );
}

/** The old spec, with the new volume if it had none. */
function withLateVolume(
  next: PersistentVolumeClaim,
  old: PersistentVolumeClaim,
): PersistentVolumeClaimSpec {
  const { volumeName } = next.spec;
  const isLate = (old.spec.volumeName ?? "") === "" && volumeName !== undefined;
  return isLate ? { ...old.spec, volumeName } : old.spec;
}

/** The new spec with its mutable fields reset: a class that was not set; if bound, also the size and the attributes class. */
function maskMutable(
  next: PersistentVolumeClaim,
  old: PersistentVolumeClaim,
): PersistentVolumeClaimSpec {
  const masked = { ...next.spec } as Mutable<PersistentVolumeClaimSpec>;
  const before = old.spec;
  if (before.storageClassName === undefined && allowsClass(old, masked.storageClassName))
    delete masked.storageClassName;
  if (old.status?.phase !== "Bound") return masked;
  masked.resources = { ...next.spec.resources };
  if (before.resources?.requests === undefined) delete masked.resources.requests;
  else if (next.spec.resources?.requests !== undefined) {
    const storage = before.resources.requests["storage"];
    const { storage: _, ...others } = next.spec.resources.requests;
    masked.resources.requests = { ...others, ...(storage !== undefined && { storage }) };
  }
  if (before.volumeAttributesClassName === undefined) delete masked.volumeAttributesClassName;
  else masked.volumeAttributesClassName = before.volumeAttributesClassName;
  return masked;
}

/** True unless the old annotation, which still wins, names another class. Upstream: validateStorageClassUpgradeFromNil. */
function allowsClass(old: PersistentVolumeClaim, className: string | undefined): boolean {
  const annotation = old.metadata.annotations?.[betaStorageClassAnnotation];
  return annotation === undefined || annotation === className;
}

/** The requested size may be reduced, as after a failed expansion, but must stay above status.capacity. */
function validateSize(
  next: PersistentVolumeClaim,
  old: PersistentVolumeClaim,
  errors: FieldErrors,
): void {
  const size = requestedStorage(next);
  if (compareQuantityTexts(size, requestedStorage(old)) >= 0) return;
  if (compareQuantityTexts(size, grantedStorage(old)) > 0) return;
  errors.forbidden(
    specPath.child("resources").child("requests").child("storage"),
    "field can not be less than status.capacity",
  );
}

function validateAttributesClass(
  next: PersistentVolumeClaim,
  old: PersistentVolumeClaim,
  errors: FieldErrors,
): void {
  validateOldAttributesClass(next.spec, old.spec, errors);
  const name = next.spec.volumeAttributesClassName;
  if (name === old.spec.volumeAttributesClassName || (name ?? "") !== "") return;
  const nothing = name === undefined ? "nil" : "empty string";
  if (!hasVolumeAttributesClasses(errors.version)) {
    const what = name === undefined ? nothing : `an ${nothing}`;
    errors.forbidden(attributesClassPath, `update from non-nil value to ${what} is forbidden`);
  } else if ((old.status?.currentVolumeAttributesClassName ?? undefined) !== undefined) {
    const detail = `update to ${nothing} is forbidden when status.currentVolumeAttributesClassName is not nil`;
    errors.forbidden(attributesClassPath, detail);
  }
}
