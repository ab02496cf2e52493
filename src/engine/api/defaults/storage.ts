/** Defaults of claims, volumes, classes and drivers. Upstream: pkg/apis/{core,storage}/v1/defaults.go, v1.36. */
import type { Mutable } from "../mutable.ts";
import type {
  CSIDriver,
  PersistentVolume,
  PersistentVolumeClaim,
  StorageClass,
  VolumeAttachment,
} from "../types.ts";
import { setSourceDefaults } from "./volume.ts";

/** Also used for the claim templates of a StatefulSet, whose status is Pending, too. */
export function setClaimDefaults(claim: Mutable<PersistentVolumeClaim>): void {
  claim.spec.volumeMode ??= "Filesystem";
  claim.status ??= {};
  claim.status.phase ??= "Pending";
}

export function setVolumeObjectDefaults(volume: Mutable<PersistentVolume>): void {
  volume.status ??= {};
  volume.status.phase ??= "Pending";
  volume.spec.persistentVolumeReclaimPolicy ??= "Retain";
  volume.spec.volumeMode ??= "Filesystem";
  setSourceDefaults(volume.spec);
}

export function setStorageClassDefaults(storageClass: Mutable<StorageClass>): void {
  storageClass.reclaimPolicy ??= "Delete";
  storageClass.volumeBindingMode ??= "Immediate";
}

/** Only the source: reclaim policy and volume mode have defaults in a PersistentVolume, but not in an inline spec. */
export function setVolumeAttachmentDefaults(attachment: Mutable<VolumeAttachment>): void {
  const inline = attachment.spec.source.inlineVolumeSpec;
  if (inline !== undefined) setSourceDefaults(inline);
}

export function setDriverDefaults(driver: Mutable<CSIDriver>): void {
  const { spec } = driver;
  spec.attachRequired ??= true;
  spec.podInfoOnMount ??= false;
  spec.storageCapacity ??= false;
  spec.fsGroupPolicy ??= "ReadWriteOnceWithFSType";
  if ((spec.volumeLifecycleModes ?? []).length === 0) spec.volumeLifecycleModes = ["Persistent"];
  spec.requiresRepublish ??= false;
  spec.seLinuxMount ??= false;
}
