/**
 * Whether the kubelet hands a CSI volume to the pod's fsGroup. Upstream: pkg/volume/csi/csi_mounter.go v1.36.
 * Not modelled: the walk itself and the warnings that it takes long.
 */
import type { CSIDriver } from "../../api/types.ts";
import { fsGroupRefusal } from "../../matching/fs-group.ts";
import type { VolumeSpec } from "./plugin.ts";

export function needsFsGroupChange(driver: CSIDriver | undefined, spec: VolumeSpec): boolean {
  const volume = spec.persistentVolume;
  const refusal = fsGroupRefusal({
    policy: driver?.spec.fsGroupPolicy,
    readOnly: spec.readOnly || spec.volume?.csi?.readOnly === true,
    fsType: volume === undefined ? spec.volume?.csi?.fsType : volume.spec.csi?.fsType,
    accessModes: volume === undefined ? undefined : (volume.spec.accessModes ?? []),
  });
  return refusal === undefined;
}
