/**
 * Applies the reclaim policy to a volume whose claim is gone. Upstream: pv_controller.go reclaimVolume v1.36.
 */
import type { PersistentVolume } from "../../api/types.ts";
import { annotation, annotationOf } from "../../matching/annotations.ts";
import type { Task } from "../../runtime/effects.ts";
import { type Binder, failed, type SyncEnd, settled, unsettled } from "./binder.ts";
import { decideVolume } from "./decisions.ts";
import { deleteVolume, isDeletedExternally } from "./delete-volume.ts";
import { recycleVolume } from "./recycle-volume.ts";
import { failVolume } from "./status.ts";

export function* reclaimVolume(binder: Binder, volume: PersistentVolume): Task<SyncEnd> {
  const policy = volume.spec.persistentVolumeReclaimPolicy ?? "";
  const { name, uid } = volume.metadata;
  if ((annotationOf(volume, annotation.migratedTo) ?? "") !== "") {
    decideVolume(binder, volume, "DeletedExternally", annotationOf(volume, annotation.migratedTo));
    return settled("DeletedExternally");
  } else if (policy === "Retain") {
    decideVolume(binder, volume, "Retained");
    return settled("Retained");
  } else if (policy === "Recycle") {
    decideVolume(binder, volume, "Recycling");
    binder.operations.run(`recycle-${name}[${uid}]`, () => recycleVolume(binder, volume));
    return unsettled("Recycling");
  } else if (policy === "Delete") {
    const external = isDeletedExternally(binder, volume);
    decideVolume(binder, volume, external ? "DeletedExternally" : "Deleting");
    binder.operations.run(`delete-${name}[${uid}]`, () => deleteVolume(binder, volume));
    return external ? settled("DeletedExternally") : unsettled("Deleting");
  } else {
    const message = "Volume has unrecognized PersistentVolumeReclaimPolicy";
    const saved = yield* failVolume(binder, volume, "VolumeUnknownReclaimPolicy", message);
    return saved.ok ? settled("VolumeUnknownReclaimPolicy") : failed(saved.error);
  }
}
