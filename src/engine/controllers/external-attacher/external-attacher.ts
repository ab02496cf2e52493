/**
 * Attaches and detaches volumes for VolumeAttachment objects. Upstream: external-attacher v4.12
 * pkg/controller/controller.go, csi_handler.go, trivial_handler.go.
 * Not modeled: ReconcileVA (no driver of the engine lists its volumes), resync.
 */
import { deepEqual } from "../../api/json.ts";
import type { KubeObject } from "../../api/meta.ts";
import type { DriverProfile } from "../../csi/driver-profile.ts";
import { type ControllerConnection, sidecar, sidecarBackoff } from "../../csi/sidecar.ts";
import {
  annotation,
  annotationOf,
  hasFinalizer,
  withFinalizers,
} from "../../matching/annotations.ts";
import { migratedPluginOf } from "../../matching/csi-migration.ts";
import type { Component, ComponentContext } from "../../runtime/component.ts";
import { isNotFound, patch } from "../../runtime/effects.ts";
import { done, type Reconcile, retry } from "../../runtime/outcome.ts";
import type { WorkQueue } from "../../runtime/work-queue.ts";
import { attachedVolumes, attachmentsByVolume } from "../../volume/attachment-index.ts";
import { type Attacher, attacherFinalizer, syncAttach, syncDetach } from "./attachment-sync.ts";

type Attachment = KubeObject<"VolumeAttachment">;

export function externalAttacher(driver: DriverProfile): Component {
  return sidecar({
    name: `external-attacher ${driver.name}`,
    source: `external-attacher ${driver.name}`,
    driver: driver.name,
    run: (context, connection) => {
      if (connection.has("PUBLISH_UNPUBLISH_VOLUME")) runHandler(context, connection);
      else runTrivialHandler(context, connection.driver.name);
    },
  });
}

function runHandler(context: ComponentContext, connection: ControllerConnection): void {
  const attachments = context.informer("VolumeAttachment");
  const driver = connection.driver.name;
  const attacher: Attacher = { context, connection, finalizer: attacherFinalizer(driver) };
  const volumeQueue = runVolumeRelease(attacher);

  function* sync(name: string): Reconcile {
    const attachment = attachments.get(name);
    if (attachment === undefined || attachment.spec.attacher !== driver) return done("NotOurs");
    return attachment.metadata.deletionTimestamp === undefined
      ? yield* syncAttach(attacher, attachment)
      : yield* syncDetach(attacher, attachment);
  }

  const enqueue = attachmentQueue(context, driver, sync);
  attachments.on({
    add: enqueue,
    update: (before, after) => {
      if (differsBeyondErrors(before, after)) enqueue(after);
    },
    delete: (attachment) => {
      const volume = attachment.spec.source.persistentVolumeName;
      if (volume !== undefined) volumeQueue.add(volume);
    },
  });
}

/** False for the attacher's own error reports, which must not trigger a retry. Upstream: shouldEnqueueVAChange. */
function differsBeyondErrors(before: Attachment, after: Attachment): boolean {
  return !deepEqual(withoutErrors(before), withoutErrors(after));
}

function withoutErrors({ metadata, spec, status }: Attachment): unknown {
  const { resourceVersion: _version, ...meta } = metadata;
  const { attachError: _attach, detachError: _detach, ...rest } = status ?? { attached: false };
  return { meta, spec, rest };
}

/** Removes the finalizer from volumes that need it no more and are not attached. Upstream: SyncNewOrUpdatedPersistentVolume. */
function runVolumeRelease(attacher: Attacher): WorkQueue {
  const { context, finalizer } = attacher;
  const volumes = context.informer("PersistentVolume");
  const attachments = context.informer("VolumeAttachment");
  attachments.index(attachmentsByVolume, attachedVolumes);

  function* sync(name: string): Reconcile {
    const volume = volumes.get(name);
    if (volume === undefined || !isToBeReleased(attacher, volume)) return done("Kept");
    if (attachments.byIndex(attachmentsByVolume, name).length > 0) return done("StillAttached");
    const kept = (volume.metadata.finalizers ?? []).filter((f) => f !== finalizer);
    const patched = yield* patch("PersistentVolume", undefined, name, (current) =>
      withFinalizers(current, kept),
    );
    if (patched.ok || isNotFound(patched.error)) return done("Released");
    return retry(`could not remove PersistentVolume finalizer: ${patched.error.message}`);
  }

  const queue = context.queue({ workers: 10, ...sidecarBackoff, sync });
  const look = (volume: KubeObject<"PersistentVolume">): void => {
    if (isToBeReleased(attacher, volume)) queue.add(volume.metadata.name);
  };
  volumes.on({ add: look, update: (_, volume) => look(volume) });
  return queue;
}

/**
 * True if the volume has the finalizer and is being deleted, or has an in-tree source without the migrated-to annotation, which
 * a hand-written volume never gets. Upstream: processFinalizers.
 */
function isToBeReleased(
  { connection, finalizer }: Attacher,
  volume: KubeObject<"PersistentVolume">,
): boolean {
  if (!hasFinalizer(volume, finalizer)) return false;
  if (volume.metadata.deletionTimestamp !== undefined) return true;
  if (migratedPluginOf(volume.spec) === undefined) return false;
  return annotationOf(volume, annotation.migratedTo) !== connection.driver.name;
}

/** For drivers that cannot attach: marks attachments as attached at once. */
function runTrivialHandler(context: ComponentContext, driver: string): void {
  const attachments = context.informer("VolumeAttachment");

  function* sync(name: string): Reconcile {
    const attachment = attachments.get(name);
    if (attachment === undefined || attachment.status?.attached === true) return done("Attached");
    const patched = yield* patch(
      "VolumeAttachment",
      undefined,
      name,
      (current) => ({ ...current, status: { ...current.status, attached: true } }),
      "status",
    );
    return patched.ok ? done("Attached") : retry(patched.error.message);
  }

  const enqueue = attachmentQueue(context, driver, sync);
  attachments.on({ add: enqueue, update: (_, attachment) => enqueue(attachment) });
}

/** Creates a queue and returns a function that adds an attachment to it, if it is the driver's. */
function attachmentQueue(
  context: ComponentContext,
  driver: string,
  sync: (name: string) => Reconcile,
): (attachment: Attachment) => void {
  const { keys } = context.informer("VolumeAttachment");
  const queue = context.queue({
    workers: 10,
    ...sidecarBackoff,
    sync,
    keys,
  });
  return ({ spec, metadata }) => {
    if (spec.attacher === driver) queue.add(metadata.name);
  };
}
