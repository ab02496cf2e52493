/**
 * Whether a bound claim may grow; validation has already refused all others. Upstream:
 * plugin/pkg/admission/storage/persistentvolume/resize, v1.36.
 */
import { requestedStorage } from "../claim-size.ts";
import type { ApiError } from "../meta.ts";
import { compareQuantityTexts } from "../quantity.ts";
import type { ClusterView } from "../request-context.ts";
import { effectiveClassName } from "../storage-class-name.ts";
import type { PersistentVolumeClaim } from "../types.ts";
import { forbidden } from "./forbidden.ts";

export function checkResize(
  next: PersistentVolumeClaim,
  old: PersistentVolumeClaim,
  cluster: ClusterView,
): ApiError | undefined {
  const size = (claim: PersistentVolumeClaim): string | undefined => requestedStorage(claim);
  if (compareQuantityTexts(size(next), size(old)) <= 0) return undefined;
  const className = effectiveClassName(next);
  const storageClass =
    className === "" ? undefined : cluster.get("StorageClass", undefined, className);
  if (className === effectiveClassName(old) && storageClass?.allowVolumeExpansion === true)
    return undefined;
  return forbidden(
    next,
    "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize",
  );
}
