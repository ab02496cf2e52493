/**
 * Creates the VolumeSnapshotContent of a new snapshot, and protects the claim while the snapshot is being taken. Upstream:
 * external-snapshotter v8.6 pkg/common-controller/snapshot_controller.go createSnapshotContent, ensurePVCFinalizer,
 * checkandRemovePVCFinalizer.
 */
import { goQuote } from "../../api/go/text.ts";
import { type Draft, type KubeObject, keyOf, refOf } from "../../api/meta.ts";
import { hasFinalizer, withFinalizers } from "../../matching/annotations.ts";
import { snapshotterSecret } from "../../matching/snapshot-class-parameters.ts";
import {
  contentNameOf,
  type Found,
  isReady,
  type Snapshot,
  snapshotAnnotation,
  snapshotFinalizer,
  snapshotsByClaim,
} from "../../matching/snapshots.ts";
import type { ComponentContext } from "../../runtime/component.ts";
import { create, event, getLive, isConflict, type Task, update } from "../../runtime/effects.ts";
import type { NamedContent } from "./snapshot-status.ts";
import { sourceClaim, sourceVolume } from "./source-volume.ts";

export function* createContent(
  context: ComponentContext,
  snapshot: Snapshot,
): Task<Found<NamedContent>> {
  const unprotected = yield* protectClaim(context, snapshot);
  if (unprotected !== undefined) return { ok: false, error: unprotected };
  const { name } = snapshot.metadata;
  const input = yield* contentInput(context, snapshot);
  if (!input.ok) {
    const cause = goQuote(input.error);
    return {
      ok: false,
      error: `failed to get input parameters to create snapshot ${name}: ${cause}`,
    };
  }
  const { volume, snapshotClass, secret } = input.object;
  const { csi } = volume.spec;
  if (csi === undefined) {
    const error = `cannot find CSI PersistentVolumeSource for volume ${volume.metadata.name}`;
    return { ok: false, error };
  }
  const draft = contentObject(snapshot, snapshotClass, volume, csi.volumeHandle, secret);
  const created = yield* create<"VolumeSnapshotContent">(draft);
  const key = keyOf(snapshot);
  if (!created.ok && created.error.reason !== "AlreadyExists") {
    const { message } = created.error;
    const text = `Error creating volume snapshot content object for snapshot ${key}: ${message}.`;
    yield* event(refOf(snapshot), "Warning", "CreateSnapshotContentFailed", text);
    return {
      ok: false,
      error: `snapshot controller failed to update ${key} on API server: ${message}`,
    };
  }
  const text = `Waiting for a snapshot ${key} to be created by the CSI driver.`;
  yield* event(refOf(snapshot), "Normal", "CreatingSnapshot", text);
  // An existing content is not read: the next sync sees what the driver has reported.
  return created.ok ? created : { ok: true, object: draft };
}

interface ContentInput {
  readonly volume: KubeObject<"PersistentVolume">;
  readonly snapshotClass: KubeObject<"VolumeSnapshotClass">;
  readonly secret: { readonly name: string; readonly namespace: string } | undefined;
}

function* contentInput(context: ComponentContext, snapshot: Snapshot): Task<Found<ContentInput>> {
  const className = snapshot.spec.volumeSnapshotClassName;
  if (className === undefined) {
    const error = `failed to take snapshot ${snapshot.metadata.name} without a snapshot class`;
    return { ok: false, error };
  }
  const snapshotClass = context.informer("VolumeSnapshotClass").get(className);
  if (snapshotClass === undefined) {
    const error = `volumesnapshotclass.snapshot.storage.k8s.io "${className}" not found`;
    return { ok: false, error };
  }
  const volume = yield* sourceVolume(context, snapshot);
  if (!volume.ok) return volume;
  const secret = snapshotterSecret(
    snapshotClass.parameters ?? {},
    contentNameOf(snapshot),
    snapshot.metadata,
  );
  if (!secret.ok) return secret;
  return { ok: true, object: { volume: volume.object, snapshotClass, secret: secret.object } };
}

function contentObject(
  snapshot: Snapshot,
  snapshotClass: KubeObject<"VolumeSnapshotClass">,
  volume: KubeObject<"PersistentVolume">,
  volumeHandle: string,
  secret: ContentInput["secret"],
): Draft<"VolumeSnapshotContent"> & NamedContent {
  const { name, namespace = "", uid, resourceVersion } = snapshot.metadata;
  return {
    apiVersion: "snapshot.storage.k8s.io/v1",
    kind: "VolumeSnapshotContent",
    metadata: {
      name: contentNameOf(snapshot),
      finalizers: [snapshotFinalizer.content],
      ...(secret !== undefined && {
        annotations: {
          [snapshotAnnotation.deletionSecretName]: secret.name,
          [snapshotAnnotation.deletionSecretNamespace]: secret.namespace,
        },
      }),
    },
    spec: {
      volumeSnapshotRef: {
        apiVersion: snapshot.apiVersion,
        kind: snapshot.kind,
        name,
        namespace,
        uid,
        resourceVersion,
      },
      source: { volumeHandle },
      volumeSnapshotClassName: snapshotClass.metadata.name,
      deletionPolicy: snapshotClass.deletionPolicy,
      driver: snapshotClass.driver,
      ...(volume.spec.volumeMode !== undefined && { sourceVolumeMode: volume.spec.volumeMode }),
    },
  };
}

/** Adds the finalizer to the claim; returns why it could not, else undefined. */
function* protectClaim(context: ComponentContext, snapshot: Snapshot): Task<string | undefined> {
  const failure = (name: string, why: string): string =>
    `snapshot controller failed to update ${name} on API server: ${why}`;
  const { name } = snapshot.metadata;
  const found = sourceClaim(context, snapshot);
  if (!found.ok) return failure(name, "cannot get claim from snapshot");
  const claim = found.object;
  if (hasFinalizer(claim, snapshotFinalizer.claim)) return undefined;
  if (claim.metadata.deletionTimestamp !== undefined) {
    const why = "cannot add finalizer on claim because it is being deleted";
    return failure(claim.metadata.name, why);
  }
  const finalizers = [...(claim.metadata.finalizers ?? []), snapshotFinalizer.claim];
  const updated = yield* update(withFinalizers(claim, finalizers));
  return updated.ok ? undefined : failure(claim.metadata.name, updated.error.message);
}

/** Releases the claim once no snapshot is being taken of it. Returns false if that fails, after an event on the snapshot. */
export function* releaseClaim(
  context: ComponentContext,
  snapshot: Snapshot,
  isLeaving: boolean,
): Task<boolean> {
  if (snapshot.spec.source.persistentVolumeClaimName === undefined) return true;
  const found = sourceClaim(context, snapshot);
  if (!found.ok || !hasFinalizer(found.object, snapshotFinalizer.claim)) return true;
  const isUsed = context
    .informer("VolumeSnapshot")
    .byIndex(snapshotsByClaim, keyOf(found.object))
    .some((s) => !isReady(s) && !(isLeaving && s.metadata.name === snapshot.metadata.name));
  if (isUsed) return true;
  if (yield* removeClaimFinalizer(found.object)) return true;
  const text = "Error check and remove PVC Finalizer for VolumeSnapshot";
  yield* event(refOf(snapshot), "Warning", "ErrorPVCFinalizer", text);
  return false;
}

/** As retry.DefaultRetry, without its pauses of 10 ms. */
const conflictAttempts = 5;

/** Upstream: removePVCFinalizer. */
function* removeClaimFinalizer(claim: KubeObject<"PersistentVolumeClaim">): Task<boolean> {
  const { namespace, name } = claim.metadata;
  for (let attempt = 1; attempt <= conflictAttempts; attempt++) {
    const live = yield* getLive("PersistentVolumeClaim", namespace, name);
    if (!live.ok) return false;
    const { finalizers = [] } = live.object.metadata;
    const kept = finalizers.filter((f) => f !== snapshotFinalizer.claim);
    const updated = yield* update(withFinalizers(live.object, kept));
    if (updated.ok) return true;
    if (!isConflict(updated.error)) return false;
  }
  return false;
}
