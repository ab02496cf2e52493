/**
 * Copies what the driver has reported from the content to the snapshot's status. Upstream: external-snapshotter v8.6
 * pkg/common-controller/snapshot_controller.go updateSnapshotStatus.
 */
import { deepEqual } from "../../api/json.ts";
import { keyOf, refOf } from "../../api/meta.ts";
import { bytesText, quantityBytes } from "../../api/quantity.ts";
import { timestamp, unixMs } from "../../api/timestamp.ts";
import { type Content, isReady, type Snapshot } from "../../matching/snapshots.ts";
import { event, getLive, type Task, updateStatus } from "../../runtime/effects.ts";

type Status = NonNullable<Snapshot["status"]>;

/** The part of a content that a snapshot's status depends on; also fits a content that was only to be created. */
export interface NamedContent extends Pick<Content, "status"> {
  readonly metadata: Pick<Content["metadata"], "name">;
}

/** Writes the status; returns why it could not, or undefined if it is up to date. */
export function* updateSnapshotStatus(
  snapshot: Snapshot,
  content: NamedContent,
): Task<string | undefined> {
  const { namespace, name } = snapshot.metadata;
  const live = yield* getLive("VolumeSnapshot", namespace, name);
  if (!live.ok) return getError(snapshot, live.error.message);
  const before = live.object;
  const status = statusFrom(before.status, content);
  if (deepEqual(status, before.status)) return undefined;
  const key = keyOf(snapshot);
  if (before.status?.creationTime === undefined && status.creationTime !== undefined) {
    const text = `Snapshot ${key} was successfully created by the CSI driver.`;
    yield* event(refOf(snapshot), "Normal", "SnapshotCreated", text);
  }
  if (!isReady(before) && status.readyToUse === true) {
    yield* event(refOf(snapshot), "Normal", "SnapshotReady", `Snapshot ${key} is ready to use.`);
  }
  const updated = yield* updateStatus({ ...before, status });
  if (updated.ok) return undefined;
  return `snapshot controller failed to update ${key} on API server: ${updated.error.message}`;
}

export function getError(snapshot: Snapshot, message: string): string {
  return `error get snapshot ${keyOf(snapshot)} from api server: ${message}`;
}

function statusFrom(before: Status | undefined, content: NamedContent): Status {
  const { creationTime, restoreSize, readyToUse = false, error } = content.status ?? {};
  const { error: _, ...kept } = before ?? {};
  const createdAt =
    creationTime === undefined ? undefined : timestamp(creationTime / 1_000_000 - unixMs(0));
  const size = restoreSize === undefined ? undefined : bytesText(BigInt(restoreSize));
  return {
    ...kept,
    boundVolumeSnapshotContentName: kept.boundVolumeSnapshotContentName ?? content.metadata.name,
    readyToUse,
    ...(kept.creationTime === undefined && createdAt !== undefined && { creationTime: createdAt }),
    // A size of zero means that it was not known yet.
    ...(quantityBytes(kept.restoreSize) === 0n && size !== undefined && { restoreSize: size }),
    ...(error !== undefined && { error }),
  };
}
