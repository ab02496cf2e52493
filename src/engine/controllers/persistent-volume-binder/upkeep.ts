/**
 * Corrects, at the start of each sync, the annotations and finalizers that depend on the provisioner and the reclaim policy.
 * Upstream: pv_controller_base.go updateMigrationAnnotations, modifyDeletionFinalizers v1.36.
 */
import type { PersistentVolume, PersistentVolumeClaim } from "../../api/types.ts";
import {
  annotation,
  annotationOf,
  finalizer,
  hasFinalizer,
  withAnnotations,
  withFinalizers,
  withoutAnnotation,
} from "../../matching/annotations.ts";
import { isInTreeName } from "../../matching/csi-migration.ts";

export type MigratedDriver = (plugin: string) => string | undefined;

/** Returns the volume as it should be; the same object if nothing has to change. */
export function volumeUpkeep(
  volume: PersistentVolume,
  migratedDriver: MigratedDriver,
): PersistentVolume {
  const provisioner = annotationOf(volume, annotation.provisionedBy);
  const migrated = withMigratedTo(volume, provisioner, migratedDriver);
  return provisioner === undefined
    ? migrated
    : withDeletionFinalizers(migrated, provisioner, migratedDriver);
}

/** Returns the claim as it should be; the same object if nothing has to change. */
export function claimUpkeep(
  claim: PersistentVolumeClaim,
  migratedDriver: MigratedDriver,
): PersistentVolumeClaim {
  const provisioner =
    annotationOf(claim, annotation.storageProvisioner) ??
    annotationOf(claim, annotation.betaStorageProvisioner);
  return withMigratedTo(claim, provisioner, migratedDriver);
}

function withMigratedTo<T extends PersistentVolume | PersistentVolumeClaim>(
  object: T,
  provisioner: string | undefined,
  migratedDriver: MigratedDriver,
): T {
  if (provisioner === undefined) return object;
  const driver = migratedDriver(provisioner);
  const current = annotationOf(object, annotation.migratedTo) ?? "";
  if (driver !== undefined) {
    return current === driver
      ? object
      : withAnnotations(object, { [annotation.migratedTo]: driver });
  }
  return current === "" ? object : withoutAnnotation(object, annotation.migratedTo);
}

function withDeletionFinalizers(
  volume: PersistentVolume,
  provisioner: string,
  migratedDriver: MigratedDriver,
): PersistentVolume {
  const own = finalizer.volumeController;
  if (migratedDriver(provisioner) !== undefined) return withoutFinalizer(volume, own);
  if (!isInTreeName(provisioner)) return volume;
  const policy = volume.spec.persistentVolumeReclaimPolicy;
  let next = volume;
  if (policy === "Delete") {
    if (!hasFinalizer(volume, own)) {
      next = withFinalizers(volume, [...(volume.metadata.finalizers ?? []), own]);
    }
  } else if (policy === "Retain" || policy === "Recycle") {
    next = withoutFinalizer(volume, own);
  }
  return withoutFinalizer(next, finalizer.externalProvisioner);
}

export function withoutFinalizer<T extends PersistentVolume | PersistentVolumeClaim>(
  object: T,
  name: string,
): T {
  if (!hasFinalizer(object, name)) return object;
  return withFinalizers(
    object,
    (object.metadata.finalizers ?? []).filter((f) => f !== name),
  );
}
