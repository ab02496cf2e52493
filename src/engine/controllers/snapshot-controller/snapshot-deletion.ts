/**
 * Deletes a snapshot: its content first, then its finalizers. Upstream: external-snapshotter v8.6
 * pkg/common-controller/snapshot_controller.go processSnapshotWithDeletionTimestamp,
 * checkandRemoveSnapshotFinalizersAndCheckandDeleteContent. Not modeled: group snapshots.
 */
import { refOf } from "../../api/meta.ts";
import {
  annotationOf,
  hasFinalizer,
  withAnnotations,
  withFinalizers,
} from "../../matching/annotations.ts";
import {
  type Content,
  claimsByRestoredSnapshot,
  contentNameOf,
  refersTo,
  type Snapshot,
  snapshotAnnotation,
  snapshotFinalizer,
} from "../../matching/snapshots.ts";
import type { ComponentContext } from "../../runtime/component.ts";
import { event, isNotFound, patch, remove, type Task, update } from "../../runtime/effects.ts";
import { done, type Reconcile, retry } from "../../runtime/outcome.ts";
import { releaseClaim } from "./content-creation.ts";

export function* deleteSnapshot(context: ComponentContext, snapshot: Snapshot): Reconcile {
  if (!isDeletionCandidate(snapshot)) return done("Deleted");
  const content = boundContent(context, snapshot);
  if (content !== undefined && isBeingRestored(context, snapshot)) {
    const text = "Snapshot is being used to restore a PVC";
    yield* event(refOf(snapshot), "Warning", "SnapshotDeletePending", text);
    return retry(text);
  }
  const cascades = content?.spec.deletionPolicy === "Delete";
  if (content !== undefined) {
    const error = yield* deleteContent(snapshot, content, cascades);
    if (error !== undefined) return retry(error);
  }
  return yield* releaseSnapshot(context, snapshot, !cascades);
}

/** True if the snapshot is being deleted and still has one of the finalizers. */
export function isDeletionCandidate(snapshot: Snapshot): boolean {
  return (
    snapshot.metadata.deletionTimestamp !== undefined &&
    (hasFinalizer(snapshot, snapshotFinalizer.source) ||
      hasFinalizer(snapshot, snapshotFinalizer.bound))
  );
}

/** Returns the snapshot's content if that refers back to it. */
function boundContent(context: ComponentContext, snapshot: Snapshot): Content | undefined {
  const name = snapshot.status?.boundVolumeSnapshotContentName ?? contentNameOf(snapshot);
  const content = context.informer("VolumeSnapshotContent").get(name);
  return content !== undefined && refersTo(content, snapshot) ? content : undefined;
}

function isBeingRestored(context: ComponentContext, snapshot: Snapshot): boolean {
  const { namespace, name } = snapshot.metadata;
  return context
    .informer("PersistentVolumeClaim")
    .byIndex(claimsByRestoredSnapshot, `${namespace}/${name}`)
    .some((claim) => claim.status?.phase === "Pending");
}

/**
 * Sets the annotation without which the snapshotter does not delete the snapshot itself. Returns an error message, or
 * undefined.
 */
export function* markContent(content: Content): Task<string | undefined> {
  if (annotationOf(content, snapshotAnnotation.beingDeleted) !== undefined) return undefined;
  const { name } = content.metadata;
  const marked = yield* patch("VolumeSnapshotContent", undefined, name, (current) =>
    withAnnotations(current, { [snapshotAnnotation.beingDeleted]: "yes" }),
  );
  return marked.ok ? undefined : marked.error.message;
}

function* deleteContent(
  snapshot: Snapshot,
  content: Content,
  cascades: boolean,
): Task<string | undefined> {
  const { name } = content.metadata;
  const unmarked = yield* markContent(content);
  if (unmarked !== undefined) return unmarked;
  if (!cascades) return undefined;
  const removed = yield* remove("VolumeSnapshotContent", undefined, name);
  // Up to 8.6, a content that is already gone is reported too.
  if (removed.ok) return undefined;
  const text = "Failed to delete snapshot content API object";
  yield* event(refOf(snapshot), "Warning", "SnapshotContentObjectDeleteError", text);
  return removed.error.message;
}

/** The bound finalizer stays until a content that is deleted with the snapshot is gone. */
function* releaseSnapshot(
  context: ComponentContext,
  snapshot: Snapshot,
  isUnbound: boolean,
): Reconcile {
  if (!(yield* releaseClaim(context, snapshot, true)))
    return retry("the claim could not be released");
  const kept = (snapshot.metadata.finalizers ?? []).filter(
    (f) => f !== snapshotFinalizer.source && !(isUnbound && f === snapshotFinalizer.bound),
  );
  const updated = yield* update(withFinalizers(snapshot, kept));
  if (updated.ok || isNotFound(updated.error)) return done("Released");
  return retry(updated.error.message);
}
