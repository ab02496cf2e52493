/**
 * What becomes of a bound volume once its claim is deleted. Upstream: pv_controller.go reclaimVolume,
 * sig-storage-lib-external-provisioner controller.go shouldDelete v1.36: provisioners delete only volumes that one has made.
 */
import type { PersistentVolume } from "../../api/types.ts";
import { annotation } from "../../matching/annotations.ts";

/** A sentence; undefined for a static volume with policy Delete, which may have no deleter, and for other policies. */
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
