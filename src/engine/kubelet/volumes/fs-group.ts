/**
 * Whether the kubelet hands a CSI volume to the pod's fsGroup. Upstream: pkg/volume/csi/csi_mounter.go supportsFSGroup v1.36.
 * Not modelled: the walk itself and the warnings that it takes long.
 */
import type { CSIDriver } from "../../api/types.ts";
import type { VolumeSpec } from "./plugin.ts";

export function needsFsGroupChange(driver: CSIDriver | undefined, spec: VolumeSpec): boolean {
  const policy = driver?.spec.fsGroupPolicy ?? "ReadWriteOnceWithFSType";
  if (policy === "None" || spec.readOnly || spec.volume?.csi?.readOnly === true) return false;
  if (policy === "File") return true;
  const volume = spec.persistentVolume;
  if (volume === undefined) return (spec.volume?.csi?.fsType ?? "") !== "";
  const modes = volume.spec.accessModes ?? [];
  const isExclusive = modes.includes("ReadWriteOnce") || modes.includes("ReadWriteOncePod");
  return (volume.spec.csi?.fsType ?? "") !== "" && isExclusive;
}
