/** Upstream: apiserver pkg/admission NewForbidden. */
import { type ApiError, type Cause, type Kind, qualifiedResource } from "../meta.ts";
import type { ObjectMeta } from "../types.ts";

export function forbidden(
  object: { readonly kind: Kind; readonly metadata: ObjectMeta },
  why: string,
  causes?: readonly Cause[],
): ApiError {
  const message = `${qualifiedResource(object.kind)} "${object.metadata.name ?? ""}" is forbidden: ${why}`;
  return { code: 403, reason: "Forbidden", message, ...(causes !== undefined && { causes }) };
}
