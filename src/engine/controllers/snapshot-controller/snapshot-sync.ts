/**
 * The sync of one VolumeSnapshot. Upstream: external-snapshotter v8.6 pkg/common-controller/snapshot_controller.go
 * checkAndUpdateSnapshotClass, syncSnapshot, syncUnreadySnapshot, syncReadySnapshot. Not modeled: group snapshots.
 */
import { keyOf, type Result, refOf } from "../../api/meta.ts";
import { hasFinalizer, withFinalizers } from "../../matching/annotations.ts";
import {
  type Content,
  contentNameOf,
  type Found,
  isReady,
  refersTo,
  type Snapshot,
  snapshotFinalizer,
} from "../../matching/snapshots.ts";
import type { ComponentContext } from "../../runtime/component.ts";
import { event, getLive, patch, type Task, update } from "../../runtime/effects.ts";
import { done, type Reconcile, retry } from "../../runtime/outcome.ts";
import { createContent, releaseClaim } from "./content-creation.ts";
import { type Readiness, reportError } from "./error-status.ts";
import { deleteSnapshot } from "./snapshot-deletion.ts";
import { getError, type NamedContent, updateSnapshotStatus } from "./snapshot-status.ts";
import { defaultClass } from "./source-volume.ts";

export function* syncSnapshot(context: ComponentContext, cached: Snapshot): Reconcile {
  const withClass = yield* ensureClass(context, cached);
  const isDeleting = cached.metadata.deletionTimestamp !== undefined;
  // A named class that is missing does not block the deletion of a snapshot; a missing default class does.
  const mayLackClass = isDeleting && cached.spec.volumeSnapshotClassName !== undefined;
  if (!withClass.ok && !mayLackClass) return retry(withClass.error);
  const snapshot = withClass.ok ? withClass.object : cached;
  // A failure is ignored: a later sync releases the claim.
  yield* releaseClaim(context, snapshot, false);
  if (isDeleting) return yield* deleteSnapshot(context, snapshot);
  const { persistentVolumeClaimName, volumeSnapshotContentName } = snapshot.spec.source;
  if ((persistentVolumeClaimName === undefined) === (volumeSnapshotContentName === undefined)) {
    const text =
      "Exactly one of PersistentVolumeClaimName and VolumeSnapshotContentName should be specified";
    yield* reportError(context, snapshot, "SnapshotValidationError", text);
    return retry(text);
  }
  const unfinished = yield* ensureFinalizers(context, snapshot);
  if (unfinished !== undefined) {
    const text = `Failed to check and update snapshot: ${unfinished}`;
    yield* event(refOf(snapshot), "Warning", "SnapshotFinalizerError", text);
    return retry(text);
  }
  if (isReady(snapshot) && snapshot.status?.boundVolumeSnapshotContentName !== undefined) {
    return yield* syncReady(context, snapshot);
  }
  return yield* syncUnready(context, snapshot);
}

/** Returns the snapshot with a class. Pre-provisioned snapshots need none, but a class that they name must exist. */
function* ensureClass(context: ComponentContext, snapshot: Snapshot): Task<Found<Snapshot>> {
  const { volumeSnapshotClassName: className, source } = snapshot.spec;
  if (className !== undefined) {
    if (context.informer("VolumeSnapshotClass").get(className) !== undefined) {
      return { ok: true, object: snapshot };
    }
    const error = `volumesnapshotclass.snapshot.storage.k8s.io "${className}" not found`;
    const text = `Failed to get snapshot class with error ${error}`;
    yield* reportError(context, snapshot, "GetSnapshotClassFailed", text, "kept");
    return { ok: false, error };
  }
  if (source.persistentVolumeClaimName === undefined) return { ok: true, object: snapshot };
  const found = yield* defaultClass(context, snapshot);
  if (!found.ok) {
    const text = `Failed to set default snapshot class with error ${found.error}`;
    yield* reportError(context, snapshot, "SetDefaultSnapshotClassFailed", text, "kept");
    return found;
  }
  const { name } = found.object.metadata;
  const { namespace, name: snapshotName } = snapshot.metadata;
  const patched = yield* patch("VolumeSnapshot", namespace, snapshotName, (current) => ({
    ...current,
    spec: { ...current.spec, volumeSnapshotClassName: name },
  }));
  // Not reported here: the creation of the content will fail because there is no class.
  return patched.ok ? patched : { ok: true, object: snapshot };
}

function* ensureFinalizers(
  context: ComponentContext,
  snapshot: Snapshot,
): Task<string | undefined> {
  const content = yield* contentOf(context, snapshot);
  if (!content.ok) return content.error;
  const isBound = snapshot.status?.boundVolumeSnapshotContentName !== undefined;
  const wanted: string[] = [snapshotFinalizer.source];
  if (isBound && content.object?.spec.deletionPolicy === "Delete") {
    wanted.push(snapshotFinalizer.bound);
  }
  const missing = wanted.filter((f) => !hasFinalizer(snapshot, f));
  if (missing.length === 0) return undefined;
  const added = yield* addFinalizers(snapshot, missing);
  if (added.ok) return undefined;
  return `snapshot controller failed to update ${keyOf(snapshot)} on API server: ${added.error.message}`;
}

/** Upstream: addSnapshotFinalizer, which updates instead of patching if there are no finalizers yet. */
function* addFinalizers(snapshot: Snapshot, missing: readonly string[]): Task<Result<Snapshot>> {
  const { namespace, name, finalizers = [] } = snapshot.metadata;
  if (finalizers.length === 0) {
    return yield* update<"VolumeSnapshot">(withFinalizers(snapshot, missing));
  }
  return yield* patch("VolumeSnapshot", namespace, name, (current) =>
    withFinalizers(current, [...(current.metadata.finalizers ?? []), ...missing]),
  );
}

/**
 * Returns the content that the snapshot names or that was created for it, if it exists; an error if the snapshot may not have
 * it.
 */
function* contentOf(
  context: ComponentContext,
  snapshot: Snapshot,
): Task<Found<Content | undefined>> {
  const named = snapshot.spec.source.volumeSnapshotContentName;
  if (named === "") {
    const error = `empty VolumeSnapshotContentName for snapshot ${keyOf(snapshot)}`;
    return { ok: false, error };
  }
  const content = context.informer("VolumeSnapshotContent").get(named ?? contentNameOf(snapshot));
  if (content === undefined) return { ok: true, object: undefined };
  const wrong =
    named === undefined ? dynamicError(snapshot, content) : preProvisionedError(snapshot, content);
  if (wrong === undefined) return { ok: true, object: content };
  yield* reportError(context, snapshot, wrong.reason, wrong.text);
  return { ok: false, error: wrong.error };
}

interface Wrong {
  readonly reason: string;
  /** The message in the snapshot's status. */
  readonly text: string;
  /** The message in the event about its finalizers. */
  readonly error: string;
}

/** Upstream: getPreprovisionedContentFromStore. */
function preProvisionedError(snapshot: Snapshot, content: Content): Wrong | undefined {
  const { source, volumeSnapshotRef: ref } = content.spec;
  if (source.snapshotHandle === undefined) {
    return {
      reason: "SnapshotContentMismatch",
      text: "VolumeSnapshotContent is dynamically provisioned while expecting a pre-provisioned one",
      error: `snapshot ${keyOf(snapshot)} expects a pre-provisioned VolumeSnapshotContent ${content.metadata.name} but gets a dynamically provisioned one`,
    };
  }
  const { name, namespace, uid } = snapshot.metadata;
  const isMisbound =
    ref.name !== name || ref.namespace !== namespace || ((ref.uid ?? "") !== "" && ref.uid !== uid);
  return isMisbound ? misbound(content) : undefined;
}

function misbound(content: Content): Wrong {
  const text = `VolumeSnapshotContent [${content.metadata.name}] is bound to a different snapshot`;
  return { reason: "SnapshotContentMisbound", text, error: text };
}

/** Upstream: getDynamicallyProvisionedContentFromStore. */
function dynamicError(snapshot: Snapshot, content: Content): Wrong | undefined {
  const { name } = content.metadata;
  const { volumeHandle, snapshotHandle } = content.spec.source;
  if (volumeHandle === undefined) {
    return {
      reason: "SnapshotContentMismatch",
      text: `VolumeSnapshotContent ${name} is pre-provisioned while expecting a dynamically provisioned one`,
      error: `snapshot ${keyOf(snapshot)} expects a dynamically provisioned VolumeSnapshotContent ${name} but gets a pre-provisioned one`,
    };
  }
  if (!refersTo(content, snapshot)) return misbound(content);
  if (snapshotHandle === undefined) return undefined;
  const text = `Snapshot handle should not be set in content ${keyOf(snapshot)} for dynamic provisioning`;
  return { reason: "SnapshotHandleSet", text, error: text };
}

function* syncReady(context: ComponentContext, snapshot: Snapshot): Reconcile {
  const name = snapshot.status?.boundVolumeSnapshotContentName ?? "";
  const content = context.informer("VolumeSnapshotContent").get(name);
  if (content === undefined) {
    const text = "VolumeSnapshotContent is missing";
    yield* reportError(context, snapshot, "SnapshotContentMissing", text);
    return done("SnapshotContentMissing");
  }
  if (!refersTo(content, snapshot)) {
    const text = "VolumeSnapshotContent is not bound to the VolumeSnapshot correctly";
    yield* reportError(context, snapshot, "SnapshotMisbound", text);
    return done("SnapshotMisbound");
  }
  return done("SnapshotReady");
}

function* syncUnready(context: ComponentContext, snapshot: Snapshot): Reconcile {
  const found = yield* contentOf(context, snapshot);
  if (!found.ok) return retry(found.error);
  if (snapshot.spec.source.volumeSnapshotContentName !== undefined) {
    return yield* bindContent(context, snapshot, found.object);
  }
  if (found.object !== undefined) return yield* bindAndUpdate(context, snapshot, found.object);
  const created = yield* createContent(context, snapshot);
  if (!created.ok) {
    const text = `Failed to create snapshot content with error ${created.error}`;
    yield* reportError(context, snapshot, "SnapshotContentCreationFailed", text);
    return retry(text);
  }
  return yield* mirror(context, snapshot, created.object, "kept");
}

/** Writes the snapshot's uid into a pre-provisioned content. Upstream: checkandBindSnapshotContent. */
function* bindContent(
  context: ComponentContext,
  snapshot: Snapshot,
  content: Content | undefined,
): Reconcile {
  if (content === undefined) {
    const text = "VolumeSnapshotContent is missing";
    yield* reportError(context, snapshot, "SnapshotContentMissing", text);
    return retry(text);
  }
  const { uid } = snapshot.metadata;
  const className = snapshot.spec.volumeSnapshotClassName;
  const isBound = content.spec.volumeSnapshotRef.uid === uid;
  if (isBound && (content.spec.volumeSnapshotClassName !== undefined || className === undefined)) {
    return yield* mirror(context, snapshot, content, "kept");
  }
  const bound = yield* patch("VolumeSnapshotContent", undefined, content.metadata.name, (c) => ({
    ...c,
    spec: {
      ...c.spec,
      volumeSnapshotRef: { ...c.spec.volumeSnapshotRef, uid },
      ...(className !== undefined && { volumeSnapshotClassName: className }),
    },
  }));
  if (bound.ok) return yield* mirror(context, snapshot, bound.object, "kept");
  const text = `Snapshot failed to bind VolumeSnapshotContent, ${bound.error.message}`;
  yield* reportError(context, snapshot, "SnapshotBindFailed", text);
  return retry(text);
}

/** For a content that already existed. Upstream: bindandUpdateVolumeSnapshot. */
function* bindAndUpdate(
  context: ComponentContext,
  snapshot: Snapshot,
  content: Content,
): Reconcile {
  const { namespace, name } = snapshot.metadata;
  const live = yield* getLive("VolumeSnapshot", namespace, name);
  if (!live.ok) return retry(getError(snapshot, live.error.message));
  return yield* mirror(context, live.object, content, "lost");
}

function* mirror(
  context: ComponentContext,
  snapshot: Snapshot,
  content: NamedContent,
  readiness: Readiness,
): Reconcile {
  const error = yield* updateSnapshotStatus(snapshot, content);
  if (error === undefined) return done("StatusUpdated");
  const text = `Snapshot status update failed, ${error}`;
  yield* reportError(context, snapshot, "SnapshotStatusUpdateFailed", text, readiness);
  return retry(text);
}
