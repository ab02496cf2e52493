/** What a claim asks for and what it has got. */
import type { PersistentVolumeClaim } from "./types.ts";

/** Undefined in a claim that is only being read: a stored one asks for something. */
export function requestedStorage({
  spec,
}: Pick<PersistentVolumeClaim, "spec">): string | undefined {
  return spec.resources?.requests?.["storage"];
}

/** What status says of its volume; undefined until the claim is bound. */
export function grantedStorage({
  status,
}: Pick<PersistentVolumeClaim, "status">): string | undefined {
  return status?.capacity?.["storage"];
}
