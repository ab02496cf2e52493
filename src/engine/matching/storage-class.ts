/**
 * When a claim is bound: immediately, or once a pod has a node. Upstream: component-helpers v0.36 storage/volume/pv_helpers.go
 * IsDelayBindingMode.
 */
import { effectiveClassName } from "../api/storage-class-name.ts";
import type { PersistentVolumeClaim, StorageClass } from "../api/types.ts";

export type BindingMode =
  | { readonly ok: true; readonly delayed: boolean }
  | { readonly ok: false; readonly error: string };

/** A claim without a class, or whose class does not exist, is bound immediately. */
export function bindingMode(
  claim: PersistentVolumeClaim,
  classOf: (name: string) => StorageClass | undefined,
): BindingMode {
  const name = effectiveClassName(claim);
  const storageClass = name === "" ? undefined : classOf(name);
  if (storageClass === undefined) return { ok: true, delayed: false };
  if (storageClass.volumeBindingMode === undefined) {
    return { ok: false, error: `VolumeBindingMode not set for StorageClass "${name}"` };
  }
  return { ok: true, delayed: storageClass.volumeBindingMode === "WaitForFirstConsumer" };
}
