/**
 * The claim or snapshot that a new volume is created from, or why it cannot be used.
 * Upstream: external-provisioner v6.3 pkg/controller/controller.go getPVCSource, getSnapshotSource.
 * Not modeled: sources in other namespaces (CrossNamespaceVolumeDataSource is off in every release).
 */
import { requestedStorage } from "../../api/claim-size.ts";
import { parseBool } from "../../api/go/parse-bool.ts";
import { goQuote } from "../../api/go/text.ts";
import { quantityBytes } from "../../api/quantity.ts";
import type {
  PersistentVolume,
  PersistentVolumeClaim,
  PersistentVolumeClaimStatus,
  StorageClass,
  VolumeSnapshot,
  VolumeSnapshotContent,
} from "../../api/types.ts";
import type { Checked } from "../../csi/catalogue/sidecar-parameters.ts";
import type { VolumeContentSource } from "../../csi/messages.ts";
import { hasFinalizer } from "../../matching/annotations.ts";
import type { ComponentContext } from "../../runtime/component.ts";
import { getLive, type Task } from "../../runtime/effects.ts";

/** Protects snapshots from which a claim is being restored. */
export const snapshotSourceFinalizer =
  "provisioner.storage.kubernetes.io/volumesnapshot-as-source-protection";
const allowModeChange = "snapshot.storage.kubernetes.io/allow-volume-mode-change";

function refused<T>(error: string): Checked<T> {
  return { ok: false, error };
}

function requestedBytes(claim: PersistentVolumeClaim): bigint {
  return quantityBytes(requestedStorage(claim));
}

export function* claimSource(
  context: ComponentContext,
  claim: PersistentVolumeClaim,
  storageClass: StorageClass,
  sourceName: string,
): Task<Checked<VolumeContentSource>> {
  const { namespace = "" } = claim.metadata;
  const source = context.informer("PersistentVolumeClaim").get(`${namespace}/${sourceName}`);
  if (source === undefined) {
    return refused(
      `error getting PVC ${sourceName} (namespace "${namespace}") from api server: persistentvolumeclaim "${sourceName}" not found`,
    );
  }
  const unusable = claimSourceError(claim, source);
  if (unusable !== undefined) return refused(unusable);
  const live = yield* getLive("PersistentVolume", undefined, source.spec.volumeName ?? "");
  const volume = live.ok ? live.object : undefined;
  if (volume === undefined || !isVolumeOf(volume, source, storageClass)) {
    return refused("claim in dataSource not bound or invalid");
  }
  const [from, to] = [
    volume.spec.volumeMode ?? "Filesystem",
    claim.spec.volumeMode ?? "Filesystem",
  ];
  if (from !== to) {
    return refused(
      `the source PVC and destination PVCs must have the same volume mode for cloning.  Source is ${from}, but new PVC requested ${to}`,
    );
  }
  return { ok: true, value: { volume: { volume_id: volume.spec.csi?.volumeHandle ?? "" } } };
}

function claimSourceError(
  claim: PersistentVolumeClaim,
  source: PersistentVolumeClaim,
): string | undefined {
  const { name } = source.metadata;
  if (source.status?.phase !== "Bound") {
    return `the PVC DataSource ${name} must have a status of Bound.  Got ${statusText(source.status)}`;
  }
  if (source.metadata.deletionTimestamp !== undefined) {
    return `the PVC DataSource ${name} is currently being deleted`;
  }
  if (source.spec.storageClassName === undefined) {
    return `the source PVC (${name}) storageclass cannot be empty`;
  }
  if (claim.spec.storageClassName === undefined) {
    return `the requested PVC (${claim.metadata.name}) storageclass cannot be empty`;
  }
  const [requested, size] = [requestedBytes(claim), requestedBytes(source)];
  if (requested < size) {
    return `error, new PVC request must be greater than or equal in size to the specified PVC data source, requested ${requested} but source is ${size}`;
  }
  if ((source.spec.volumeName ?? "") === "") return `volume name is empty in source PVC ${name}`;
  return undefined;
}

/** The status as Go prints the struct; exact only for a claim that has never been bound. */
function statusText(status: PersistentVolumeClaimStatus | undefined): string {
  const modes = (status?.accessModes ?? []).join(" ");
  return `{${status?.phase ?? ""} [${modes}] map[] [] map[] map[] <nil> nil}`;
}

function isVolumeOf(
  volume: PersistentVolume,
  source: PersistentVolumeClaim,
  storageClass: StorageClass,
): boolean {
  const { csi, claimRef } = volume.spec;
  return (
    csi?.driver === storageClass.provisioner &&
    claimRef?.uid === source.metadata.uid &&
    claimRef.namespace === source.metadata.namespace &&
    claimRef.name === source.metadata.name &&
    volume.status?.phase === "Bound"
  );
}

/**
 * `isBeforeV6`: refuses any snapshot that is being deleted, and reports a missing content, or one of another snapshot or
 * driver, as not bound.
 */
export function* snapshotSource(
  claim: PersistentVolumeClaim,
  storageClass: StorageClass,
  sourceName: string,
  isBeforeV6: boolean,
): Task<Checked<VolumeContentSource>> {
  const live = yield* getLive("VolumeSnapshot", claim.metadata.namespace, sourceName);
  if (!live.ok) {
    return refused(`error getting snapshot ${sourceName} from api server: ${live.error.message}`);
  }
  const snapshot = live.object;
  if (snapshot.metadata.deletionTimestamp !== undefined) {
    if (isBeforeV6) return refused(`snapshot ${sourceName} is currently being deleted`);
    if (!hasFinalizer(snapshot, snapshotSourceFinalizer))
      return refused(`snapshot ${sourceName} is being deleted`);
  }
  const notBound = `snapshot ${sourceName} not bound`;
  const contentName = snapshot.status?.boundVolumeSnapshotContentName;
  if (contentName === undefined) return refused(notBound);
  const found = yield* getLive("VolumeSnapshotContent", undefined, contentName);
  if (!found.ok) {
    const error = `error getting snapshotcontent ${contentName} for snapshot ${sourceName}`;
    return refused(isBeforeV6 ? notBound : error);
  }
  const content = found.object;
  const foreign = foreignContentError(snapshot, content, storageClass);
  if (foreign !== undefined) return refused(isBeforeV6 ? notBound : foreign);
  const error =
    readinessError(snapshot, content) ??
    sizeError(claim, snapshot) ??
    modeChangeError(claim, content);
  if (error !== undefined) return refused(error);
  return { ok: true, value: { snapshot: { snapshot_id: content.status?.snapshotHandle ?? "" } } };
}

function foreignContentError(
  snapshot: VolumeSnapshot,
  content: VolumeSnapshotContent,
  storageClass: StorageClass,
): string | undefined {
  const { name, namespace, uid } = snapshot.metadata;
  const ref = content.spec.volumeSnapshotRef;
  const about = `snapshotcontent ${content.metadata.name} for snapshot ${name}`;
  if (ref.uid !== uid || ref.namespace !== namespace || ref.name !== name) {
    return `${about} is bound to a different snapshot`;
  }
  if (content.spec.driver !== storageClass.provisioner) {
    return `${about} is not handled by CSI driver of StorageClass ${storageClass.metadata.name}`;
  }
  return undefined;
}

function readinessError(
  snapshot: VolumeSnapshot,
  content: VolumeSnapshotContent,
): string | undefined {
  const { name } = snapshot.metadata;
  if (snapshot.status?.readyToUse !== true) return `snapshot ${name} is not Ready`;
  if (content.status?.snapshotHandle === undefined) {
    return `snapshot handle ${name} is not available`;
  }
  return undefined;
}

function sizeError(claim: PersistentVolumeClaim, snapshot: VolumeSnapshot): string | undefined {
  const restoreSize = snapshot.status?.restoreSize;
  if (restoreSize === undefined) return undefined;
  const [requested, size] = [requestedBytes(claim), quantityBytes(restoreSize)];
  if (requested >= size) return undefined;
  return `requested volume size ${requested} is less than the size ${size} for the source snapshot ${snapshot.metadata.name}`;
}

function modeChangeError(
  claim: PersistentVolumeClaim,
  content: VolumeSnapshotContent,
): string | undefined {
  const { sourceVolumeMode } = content.spec;
  const { volumeMode } = claim.spec;
  if (sourceVolumeMode === undefined || volumeMode === undefined) return undefined;
  if (sourceVolumeMode === volumeMode) return undefined;
  const { name } = content.metadata;
  const refusal = `requested volume ${claim.metadata.namespace}/${claim.metadata.name} modifies the mode of the source volume but does not have permission to do so.`;
  const value = content.metadata.annotations?.[allowModeChange];
  if (value === undefined) {
    return `${refusal} ${allowModeChange} annotation is not present on snapshotcontent ${name}`;
  }
  const allowed = parseBool(value);
  if (allowed === undefined) {
    return `${refusal} failed to convert ${allowModeChange} annotation value to boolean with error: strconv.ParseBool: parsing ${goQuote(value)}: invalid syntax`;
  }
  return allowed
    ? undefined
    : `${refusal} ${allowModeChange} is set to false on snapshotcontent ${name}`;
}
