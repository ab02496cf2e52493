/**
 * True for volumes that should be recycled, but whose type cannot be. Upstream: pkg/volume/plugins.go
 * FindRecyclablePluginBySpec, v1.36.
 */
import { type Fields, fieldsAt, textAt } from "../../workspace/manifest-fields.ts";

export function isRecycledInVain(volume: Fields): boolean {
  const spec = fieldsAt(volume, "spec");
  const canRecycle = spec["nfs"] !== undefined || spec["hostPath"] !== undefined;
  return textAt(spec, "persistentVolumeReclaimPolicy") === "Recycle" && !canRecycle;
}
