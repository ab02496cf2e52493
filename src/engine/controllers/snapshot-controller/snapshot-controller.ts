/**
 * Binds VolumeSnapshots to VolumeSnapshotContents; the drivers' snapshotters do the rest.
 * Upstream: external-snapshotter v8.6 cmd/snapshot-controller, pkg/common-controller/snapshot_controller_base.go.
 * Not modeled: group snapshots, --enable-distributed-snapshotting.
 */
import { type Key, keyOf, makeKey, refOf } from "../../api/meta.ts";
import { sidecarBackoff } from "../../csi/sidecar.ts";
import { hasFinalizer, withFinalizers } from "../../matching/annotations.ts";
import {
  type Content,
  claimsByRestoredSnapshot,
  isReady,
  refersTo,
  restoredSnapshotKeys,
  type Snapshot,
  snapshotFinalizer,
  snapshotsByClaim,
  sourceClaimKeys,
} from "../../matching/snapshots.ts";
import type { Component, ComponentContext } from "../../runtime/component.ts";
import { event, isNotFound, patch } from "../../runtime/effects.ts";
import { done, type Reconcile, retry } from "../../runtime/outcome.ts";
import type { WorkQueue } from "../../runtime/work-queue.ts";
import { isDeletionCandidate, markContent } from "./snapshot-deletion.ts";
import { syncSnapshot } from "./snapshot-sync.ts";

export const snapshotController: Component = {
  name: "snapshot-controller",
  source: "snapshot-controller",
  start: (context) => {
    const snapshots = context.informer("VolumeSnapshot");
    snapshots.index(snapshotsByClaim, sourceClaimKeys);
    context.informer("PersistentVolumeClaim").index(claimsByRestoredSnapshot, restoredSnapshotKeys);

    function* sync(key: string): Reconcile {
      const snapshot = snapshots.get(key);
      return snapshot === undefined ? done("Gone") : yield* syncSnapshot(context, snapshot);
    }

    const queue = context.queue({ workers: 10, ...sidecarBackoff, sync });
    const enqueue = (snapshot: Snapshot): void => queue.add(keyOf(snapshot));
    snapshots.on({ add: enqueue, update: (_, snapshot) => enqueue(snapshot) });
    runContents(context, queue);
    resyncSnapshots(context, queue);
  },
};

/** --resync-period: upstream syncs all snapshots again; here only those for which that can make a difference. */
const resyncPeriodMs = 900_000;

/**
 * Plans the resync of snapshots that nothing else would wake: those of a claim that still has the finalizer although all its
 * snapshots are ready, and one whose content now refers to another snapshot.
 */
function resyncSnapshots(context: ComponentContext, queue: WorkQueue): void {
  const snapshots = context.informer("VolumeSnapshot");
  const startedAt = context.now;
  const addAtResync = (key: Key): void =>
    queue.addAfter(key, resyncPeriodMs - ((context.now - startedAt) % resyncPeriodMs));
  context.informer("PersistentVolumeClaim").on({
    update: (_, claim) => {
      if (!hasFinalizer(claim, snapshotFinalizer.claim)) return;
      const taken = snapshots.byIndex(snapshotsByClaim, keyOf(claim));
      if (taken.every(isReady)) for (const snapshot of taken) addAtResync(keyOf(snapshot));
    },
  });
  context.informer("VolumeSnapshotContent").on({
    update: (before, content) => {
      const key = snapshotKeyOf(before);
      if (key !== snapshotKeyOf(content)) addAtResync(key);
    },
  });
}

/** Upstream: syncContent. */
function runContents(context: ComponentContext, snapshotQueue: WorkQueue): void {
  const contents = context.informer("VolumeSnapshotContent");

  function* sync(name: string): Reconcile {
    const content = contents.get(name);
    if (content === undefined) return done("Gone");
    const { volumeHandle, snapshotHandle } = content.spec.source;
    if ((volumeHandle === undefined) === (snapshotHandle === undefined)) {
      const text = "Exactly one of VolumeHandle and SnapshotHandle should be specified";
      yield* event(refOf(content), "Warning", "ContentValidationError", text);
      return retry(text);
    }
    // The sync of its snapshot binds a content without uid.
    if ((content.spec.volumeSnapshotRef.uid ?? "") === "") return done("Unbound");
    const { deletionTimestamp } = content.metadata;
    if (deletionTimestamp === undefined && !hasFinalizer(content, snapshotFinalizer.content)) {
      const patched = yield* patch("VolumeSnapshotContent", undefined, name, (current) =>
        withFinalizers(current, [
          ...(current.metadata.finalizers ?? []),
          snapshotFinalizer.content,
        ]),
      );
      return patched.ok || isNotFound(patched.error) ? done("Held") : retry(patched.error.message);
    }
    const key = snapshotKeyOf(content);
    const snapshot = context.informer("VolumeSnapshot").get(key);
    if (snapshot === undefined || !refersTo(content, snapshot)) return done("SnapshotGone");
    if (isBehind(snapshot, content)) snapshotQueue.add(key);
    if (!isDeletionCandidate(snapshot)) return done("Held");
    const error = yield* markContent(content);
    return error === undefined ? done("Marked") : retry(error);
  }

  const queue = context.queue({ workers: 10, ...sidecarBackoff, sync });
  const enqueue = (content: Content): void => queue.add(content.metadata.name);
  contents.on({
    add: enqueue,
    update: (_, content) => enqueue(content),
    delete: (content) => snapshotQueue.add(snapshotKeyOf(content)),
  });
}

function snapshotKeyOf({ spec }: Content): Key {
  const { namespace, name = "" } = spec.volumeSnapshotRef;
  return makeKey(namespace, name);
}

/** Upstream: needsUpdateSnapshotStatus, which treats any two values of readyToUse as different. */
function isBehind({ status }: Snapshot, content: Content): boolean {
  if (content.status === undefined) return false;
  if (status?.boundVolumeSnapshotContentName === undefined) return true;
  const { creationTime, readyToUse, restoreSize } = content.status;
  return (
    readyToUse !== undefined ||
    (status.creationTime === undefined && creationTime !== undefined) ||
    (status.restoreSize === undefined && restoreSize !== undefined)
  );
}
