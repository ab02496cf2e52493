/** The class that a volume, claim or claim template names: the annotation takes precedence over the field. */
import { betaStorageClassAnnotation } from "../../../engine/api/storage-class-name.ts";
import { type Fields, fieldsAt, textAt } from "../manifest-fields.ts";

/** Undefined if it names none. */
export function writtenClass(value: Fields): string | undefined {
  const annotation = fieldsAt(value, "metadata", "annotations")[betaStorageClassAnnotation];
  return typeof annotation === "string" ? annotation : textAt(value, "spec", "storageClassName");
}
