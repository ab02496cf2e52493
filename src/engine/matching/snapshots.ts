/**
 * Names, annotations and conditions that snapshot-controller, snapshotter and provisioner share. Upstream: external-snapshotter
 * v8.6 pkg/utils/util.go.
 */
import type { KubeObject } from "../api/meta.ts";
import type { PersistentVolumeClaim } from "../api/types.ts";

export type Found<T> =
  | { readonly ok: true; readonly object: T }
  | { readonly ok: false; readonly error: string };

export type Snapshot = KubeObject<"VolumeSnapshot">;
export type Content = KubeObject<"VolumeSnapshotContent">;

export const snapshotFinalizer = {
  /** On claims that a snapshot is being taken of. */
  claim: "snapshot.storage.kubernetes.io/pvc-as-source-protection",
  source: "snapshot.storage.kubernetes.io/volumesnapshot-as-source-protection",
  bound: "snapshot.storage.kubernetes.io/volumesnapshot-bound-protection",
  content: "snapshot.storage.kubernetes.io/volumesnapshotcontent-bound-protection",
} as const;

export const snapshotAnnotation = {
  defaultClass: "snapshot.storage.kubernetes.io/is-default-class",
  /** On contents whose snapshot the driver may be creating right now. */
  beingCreated: "snapshot.storage.kubernetes.io/volumesnapshot-being-created",
  beingDeleted: "snapshot.storage.kubernetes.io/volumesnapshot-being-deleted",
  deletionSecretName: "snapshot.storage.kubernetes.io/deletion-secret-name",
  deletionSecretNamespace: "snapshot.storage.kubernetes.io/deletion-secret-namespace",
} as const;

/**
 * True if this is a default class for snapshots of the driver's volumes that name no class. Upstream: snapshot_controller.go
 * SetDefaultSnapshotClass.
 */
export function isDefaultFor(
  driver: string,
  { driver: own, metadata }: KubeObject<"VolumeSnapshotClass">,
): boolean {
  return own === driver && metadata.annotations?.[snapshotAnnotation.defaultClass] === "true";
}

/** Name of the informer index of snapshots by their source claim, as `NAMESPACE/NAME`; shared by all components. */
export const snapshotsByClaim = "sourceClaim";

export function sourceClaimKeys({ metadata, spec }: Snapshot): readonly string[] {
  const name = spec.source.persistentVolumeClaimName;
  return name === undefined ? [] : [`${metadata.namespace}/${name}`];
}

/**
 * Name of the informer index of claims by the snapshot they are restored from, as `NAMESPACE/NAME`; shared by all components.
 */
export const claimsByRestoredSnapshot = "restoredSnapshot";

export function restoredSnapshotKeys({ metadata, spec }: PersistentVolumeClaim): readonly string[] {
  const source = spec.dataSource;
  const isSnapshot =
    source?.kind === "VolumeSnapshot" && source.apiGroup === "snapshot.storage.k8s.io";
  return isSnapshot ? [`${metadata.namespace}/${source.name}`] : [];
}

export function contentNameOf(snapshot: Snapshot): string {
  return `snapcontent-${snapshot.metadata.uid}`;
}

export function isReady(snapshot: Snapshot): boolean {
  return snapshot.status?.readyToUse === true;
}

/** True if the content refers to this very snapshot, including its uid. */
export function refersTo(content: Content, snapshot: Snapshot): boolean {
  const { name, namespace, uid } = content.spec.volumeSnapshotRef;
  const { metadata } = snapshot;
  return name === metadata.name && namespace === metadata.namespace && uid === metadata.uid;
}
