/** The storage that a claim requests and the storage that it has been given. */
import type { PersistentVolumeClaim } from "./types.ts";

/** Undefined only in a claim that is not stored yet: validation requires a request. */
export function requestedStorage({
  spec,
}: Pick<PersistentVolumeClaim, "spec">): string | undefined {
  return spec.resources?.requests?.["storage"];
}

/** The capacity in its status; undefined until the claim is bound. */
export function grantedStorage({
  status,
}: Pick<PersistentVolumeClaim, "status">): string | undefined {
  return status?.capacity?.["storage"];
}
