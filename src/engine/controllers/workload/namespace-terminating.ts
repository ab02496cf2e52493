/** Whether an object is refused because its namespace is going away. Upstream: apierrors.HasStatusCause with v1.NamespaceTerminatingCause. */
import type { ApiError } from "../../api/meta.ts";

/** In a namespace that is going away nothing can be made; controllers do not report that as a failure. */
export function isNamespaceTerminating(error: ApiError): boolean {
  return error.causes?.some((cause) => cause.reason === "NamespaceTerminating") === true;
}
