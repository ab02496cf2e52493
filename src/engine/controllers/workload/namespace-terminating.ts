/**
 * Whether an object is refused because its namespace is being deleted. Upstream: apierrors.HasStatusCause with
 * v1.NamespaceTerminatingCause.
 */
import type { ApiError } from "../../api/meta.ts";

/** Nothing can be created in a namespace that is being deleted; controllers do not report that as a failure. */
export function isNamespaceTerminating(error: ApiError): boolean {
  return error.causes?.some((cause) => cause.reason === "NamespaceTerminating") === true;
}
