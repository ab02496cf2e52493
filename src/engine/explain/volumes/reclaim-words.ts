/**
 * What becomes of a bound volume once its claim is deleted. Upstream: pv_controller.go reclaimVolume,
 * sig-storage-lib-external-provisioner controller.go shouldDelete v1.36: only what a provisioner has made is deleted by one.
 */
import type { PersistentVolume } from "../../api/types.ts";
import { annotation } from "../../matching/annotations.ts";

/** A sentence; undefined where it depends on whether anybody can delete the volume. */
export function reclaimWords({ metadata, spec }: PersistentVolume): string | undefined {
  switch (spec.persistentVolumeReclaimPolicy) {
    case "Retain":
      return "Deleting the claim leaves the volume with its data, Released (reclaim policy Retain).";
    case "Delete":
      return metadata.annotations?.[annotation.provisionedBy] === undefined
        ? undefined
        : "Deleting the claim deletes the volume with its data (reclaim policy Delete).";
    default:
      return undefined;
  }
}
