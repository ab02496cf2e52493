import { betaStorageClassAnnotation } from "../../engine/api/storage-class-name.ts";
import { type Fields, fieldsAt, textAt } from "./manifest-fields.ts";

/** The class of a volume, a claim or a template for claims, by the annotation that wins over the field; undefined where it names none. */
export function writtenClass(value: Fields): string | undefined {
  const annotation = fieldsAt(value, "metadata", "annotations")[betaStorageClassAnnotation];
  return typeof annotation === "string" ? annotation : textAt(value, "spec", "storageClassName");
}
