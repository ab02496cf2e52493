/** The refusal of an admission plugin, in the API server's words. Upstream: apiserver pkg/admission NewForbidden, extractResourceName. */
import { type ApiError, type Cause, type Kind, qualifiedResource } from "../meta.ts";
import type { ObjectMeta } from "../types.ts";

export function forbidden(
  object: { readonly kind: Kind; readonly metadata: ObjectMeta },
  why: string,
  causes?: readonly Cause[],
): ApiError {
  const { name = "", generateName = "" } = object.metadata;
  // Mutating plugins run before a name is generated.
  const known = name || generateName || "Unknown";
  const message = `${qualifiedResource(object.kind)} "${known}" is forbidden: ${why}`;
  return { code: 403, reason: "Forbidden", message, ...(causes !== undefined && { causes }) };
}
