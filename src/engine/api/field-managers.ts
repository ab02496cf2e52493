/**
 * managedFields: who set which field. The server does not refuse entries that it cannot read: it keeps what it knew before,
 * which is not modeled. Upstream: apimachinery v0.36 pkg/util/managedfields/internal DecodeManagedFields, decodeLiveOrNew.
 */
import { dropField, type Mutable } from "./mutable.ts";
import type { ManagedFieldsEntry, ObjectMeta } from "./types.ts";

/** Drops all entries if one of them is unreadable. */
export function dropUnreadableManagers(metadata: Mutable<ObjectMeta>): void {
  if (metadata.managedFields?.every(isReadable) === false) dropField(metadata, "managedFields");
}

function isReadable({ operation, apiVersion = "", fieldsType }: ManagedFieldsEntry): boolean {
  const isKnown = operation === "Apply" || operation === "Update";
  return isKnown && apiVersion !== "" && fieldsType === "FieldsV1";
}
