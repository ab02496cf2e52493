/**
 * Who set which field. Servers take no offence at what they cannot read of it: they go on with what they knew before, which is
 * not modelled. Upstream: apimachinery v0.36 pkg/util/managedfields/internal DecodeManagedFields, decodeLiveOrNew.
 */
import { dropField, type Mutable } from "./mutable.ts";
import type { ManagedFieldsEntry, ObjectMeta } from "./types.ts";

/** One entry that is not readable takes all others with it. */
export function dropUnreadableManagers(metadata: Mutable<ObjectMeta>): void {
  if (metadata.managedFields?.every(isReadable) === false) dropField(metadata, "managedFields");
}

function isReadable({ operation, apiVersion = "", fieldsType }: ManagedFieldsEntry): boolean {
  const isKnown = operation === "Apply" || operation === "Update";
  return isKnown && apiVersion !== "" && fieldsType === "FieldsV1";
}
