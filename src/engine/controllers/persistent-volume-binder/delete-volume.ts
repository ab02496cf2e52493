/**
 * Deletes a released volume: first the asset behind it, with the plugin that made it, then the object. Upstream:
 * pv_controller.go deleteVolumeOperation, doDeleteVolume, findDeletablePlugin v1.36. Not modeled: 1.35 and older read the
 * volume, and check that it is released, before they look for the plugin.
 */
import { refOf } from "../../api/meta.ts";
import type { PersistentVolume } from "../../api/types.ts";
import { annotation, annotationOf, finalizer, hasAnnotation } from "../../matching/annotations.ts";
import { isInTreeName } from "../../matching/csi-migration.ts";
import { event, getLive, isNotFound, remove, type Task } from "../../runtime/effects.ts";
import { forgetsMissingDeleters } from "../../version-differences.ts";
import type { Binder } from "./binder.ts";
import type { OperationResult } from "./operations.ts";
import { isVolumeReleased } from "./released.ts";
import { saveVolume } from "./saves.ts";
import { failVolume } from "./status.ts";
import { withoutFinalizer } from "./upkeep.ts";
import type { Attempt, VolumePlugin } from "./volume-plugins.ts";

type Deleter = VolumePlugin & Required<Pick<VolumePlugin, "newDeleter">>;

type FoundDeleter =
  | { readonly type: "plugin"; readonly plugin: Deleter }
  | { readonly type: "external" }
  | { readonly type: "none"; readonly error: string };

export function* deleteVolume(binder: Binder, volume: PersistentVolume): Task<OperationResult> {
  const deleter = findDeleter(binder, volume);
  if (deleter.type === "external") {
    return { ok: true };
  } else if (deleter.type === "none") {
    yield* failVolume(binder, volume, "VolumeFailedDelete", deleter.error);
    return forgetsMissingDeleters(binder.context.version)
      ? { ok: true }
      : { ok: false, error: deleter.error };
  } else {
    const live = yield* getLive("PersistentVolume", undefined, volume.metadata.name);
    if (!live.ok)
      return isNotFound(live.error) ? { ok: true } : { ok: false, error: live.error.message };
    if (!isVolumeReleased(binder, live.object)) return { ok: true };
    return yield* deleteReleased(binder, live.object);
  }
}

function* deleteReleased(binder: Binder, volume: PersistentVolume): Task<OperationResult> {
  const deleted = yield* deleteAsset(binder, volume);
  if (deleted.ok) {
    // The asset is gone even if this fails; a later sync then deletes the object.
    yield* remove("PersistentVolume", undefined, volume.metadata.name);
    return { ok: true };
  } else if (deleted.inUse === true) {
    yield* event(refOf(volume), "Normal", "VolumeDelete", deleted.error);
    return { ok: false, error: deleted.error };
  } else {
    yield* failVolume(binder, volume, "VolumeFailedDelete", deleted.error);
    return { ok: false, error: deleted.error };
  }
}

/** Deletes the asset behind the volume, then removes this controller's finalizer. */
export function* deleteAsset(binder: Binder, volume: PersistentVolume): Task<Attempt> {
  const found = findDeleter(binder, volume);
  if (found.type !== "plugin") {
    return {
      ok: false,
      error: found.type === "none" ? found.error : "the volume has an external deleter",
    };
  }
  const { name } = volume.metadata;
  const deleter = found.plugin.newDeleter(volume);
  if (!deleter.ok) {
    return { ok: false, error: `failed to create deleter for volume "${name}": ${deleter.error}` };
  }
  const removed = yield* deleter.remove();
  if (!removed.ok) return removed;
  const live = yield* getLive("PersistentVolume", undefined, name);
  if (!live.ok) return { ok: false, error: live.error.message };
  const freed = withoutFinalizer(live.object, finalizer.volumeController);
  if (freed === live.object) return { ok: true };
  const saved = yield* saveVolume(binder, freed);
  return saved.ok || isNotFound(saved.error)
    ? { ok: true }
    : { ok: false, error: saved.error.message };
}

export function isDeletedExternally(binder: Binder, volume: PersistentVolume): boolean {
  return findDeleter(binder, volume).type === "external";
}

/** Upstream: findDeletablePlugin. */
function findDeleter(binder: Binder, volume: PersistentVolume): FoundDeleter {
  const { plugins } = binder.settings;
  const provisioner = annotationOf(volume, annotation.provisionedBy) ?? "";
  if (provisioner !== "") {
    const found = plugins.deleterByName(provisioner);
    if (found.ok) return { type: "plugin", plugin: found.plugin };
    return isInTreeName(provisioner) ? { type: "none", error: found.error } : { type: "external" };
  }
  if (hasAnnotation(volume, annotation.migratedTo) || volume.spec.csi !== undefined)
    return { type: "external" };
  const found = plugins.deleterFor(volume);
  if (found.ok) return { type: "plugin", plugin: found.plugin };
  const { name } = volume.metadata;
  return {
    type: "none",
    error: `error getting deleter volume plugin for volume "${name}": ${found.error}`,
  };
}
