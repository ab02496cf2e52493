/**
 * Records an error in the snapshot's status, once until the message changes. Upstream: external-snapshotter v8.6
 * pkg/common-controller/snapshot_controller.go updateSnapshotErrorStatusWithEvent.
 */
import { refOf } from "../../api/meta.ts";
import { timestamp } from "../../api/timestamp.ts";
import type { Snapshot } from "../../matching/snapshots.ts";
import type { ComponentContext } from "../../runtime/component.ts";
import { event, type Task, updateStatus } from "../../runtime/effects.ts";

/** Whether the error resets the snapshot's readyToUse. Upstream: setReadyToFalse. */
export type Readiness = "lost" | "kept";

export function* reportError(
  context: ComponentContext,
  snapshot: Snapshot,
  reason: string,
  message: string,
  readiness: Readiness = "lost",
): Task {
  if (snapshot.status?.error?.message === message) return;
  const error = { message, time: timestamp(context.now) };
  context.decide(refOf(snapshot), { reason, text: message });
  const updated = yield* updateStatus<"VolumeSnapshot">({
    ...snapshot,
    status: { ...snapshot.status, error, ...(readiness === "lost" && { readyToUse: false }) },
  });
  if (updated.ok) yield* event(refOf(snapshot), "Warning", reason, message);
}
