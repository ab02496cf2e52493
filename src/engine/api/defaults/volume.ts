/** Defaults of volumes and volume sources. Upstream: pkg/apis/core/v1/defaults.go and zz_generated.defaults.go, v1.36. */
import type { Mutable } from "../mutable.ts";
import { defaultPullPolicy } from "../names/image-name.ts";
import type { PersistentVolumeSpec, ProjectedVolumeSource, Volume } from "../types.ts";

const fileMode = 0o644;

/** Sources that pods and PersistentVolumes have in common. */
type SharedSources = Mutable<
  Pick<Volume & PersistentVolumeSpec, "hostPath" | "iscsi" | "rbd" | "azureDisk" | "scaleIO">
>;

/** A volume without a source becomes an emptyDir. */
export function withSources(volumes: Mutable<Volume>[]): Mutable<Volume>[] {
  if (!volumes.some((volume) => hasNoSource(volume))) return volumes;
  return volumes.map((volume) => (hasNoSource(volume) ? { ...volume, emptyDir: {} } : volume));
}

export function setVolumeDefaults(volume: Mutable<Volume>): void {
  if (volume.secret !== undefined) volume.secret.defaultMode ??= fileMode;
  if (volume.configMap !== undefined) volume.configMap.defaultMode ??= fileMode;
  if (volume.downwardAPI !== undefined) {
    volume.downwardAPI.defaultMode ??= fileMode;
    for (const { fieldRef } of volume.downwardAPI.items ?? [])
      if (fieldRef !== undefined) fieldRef.apiVersion ??= "v1";
  }
  if (volume.projected !== undefined) setProjectedDefaults(volume.projected);
  const template = volume.ephemeral?.volumeClaimTemplate;
  if (template !== undefined) template.spec.volumeMode ??= "Filesystem";
  if (volume.image !== undefined)
    volume.image.pullPolicy ??= defaultPullPolicy(volume.image.reference ?? "");
  setSourceDefaults(volume);
}

function hasNoSource(volume: Mutable<Volume>): boolean {
  for (const key in volume) if (key !== "name") return false;
  return true;
}

function setProjectedDefaults(projected: Mutable<ProjectedVolumeSource>): void {
  projected.defaultMode ??= fileMode;
  for (const { downwardAPI, serviceAccountToken, podCertificate } of projected.sources ?? []) {
    for (const { fieldRef } of downwardAPI?.items ?? [])
      if (fieldRef !== undefined) fieldRef.apiVersion ??= "v1";
    if (serviceAccountToken !== undefined) serviceAccountToken.expirationSeconds ??= 3600;
    if (podCertificate !== undefined) podCertificate.maxExpirationSeconds ??= 86_400;
  }
}

/** Sources of pod volumes and of PersistentVolumes alike. */
export function setSourceDefaults(source: SharedSources): void {
  const { hostPath, iscsi, rbd, azureDisk, scaleIO } = source;
  if (hostPath !== undefined) hostPath.type ??= "";
  if (iscsi !== undefined) iscsi.iscsiInterface ??= "default";
  if (rbd !== undefined) {
    rbd.pool ??= "rbd";
    rbd.user ??= "admin";
    rbd.keyring ??= "/etc/ceph/keyring";
  }
  if (azureDisk !== undefined) {
    azureDisk.cachingMode ??= "ReadWrite";
    azureDisk.kind ??= "Shared";
    azureDisk.fsType ??= "ext4";
    azureDisk.readOnly ??= false;
  }
  if (scaleIO !== undefined) {
    scaleIO.storageMode ??= "ThinProvisioned";
    scaleIO.fsType ??= "xfs";
  }
}
