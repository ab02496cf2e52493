/**
 * Changes to the attributes class that a stored claim or volume names, before 1.34. Upstream:
 * pkg/apis/core/validation ValidatePersistentVolumeClaimUpdate, ValidatePersistentVolumeUpdate, v1.33.
 */
import { hasVolumeAttributesClasses } from "../../version-differences.ts";
import type { FieldErrors } from "../field-error.ts";
import { type FieldPath, specPath } from "../field-path.ts";

interface Attributed {
  readonly volumeAttributesClassName?: string;
}

export const attributesClassPath: FieldPath = specPath.child("volumeAttributesClassName");

/** Without the gate VolumeAttributesClass the name is immutable; a newly added one has been dropped before. */
export function validateOldAttributesClass(
  next: Attributed,
  old: Attributed,
  errors: FieldErrors,
): void {
  if (hasVolumeAttributesClasses(errors.version)) return;
  if (next.volumeAttributesClassName === old.volumeAttributesClassName) return;
  errors.forbidden(
    attributesClassPath,
    "update is forbidden when the VolumeAttributesClass feature gate is disabled",
  );
}
