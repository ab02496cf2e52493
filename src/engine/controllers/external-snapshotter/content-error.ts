/**
 * Reports an error in the content's status and in an event, but not twice in a row with the same message.
 * Upstream: external-snapshotter v8.6 pkg/sidecar-controller/snapshot_controller.go updateContentErrorStatusWithEvent.
 */
import { refOf } from "../../api/meta.ts";
import { timestamp } from "../../api/timestamp.ts";
import type { Content } from "../../matching/snapshots.ts";
import type { ComponentContext } from "../../runtime/component.ts";
import { event, patch, type Task } from "../../runtime/effects.ts";

export function* reportContentError(
  context: ComponentContext,
  content: Content,
  reason: string,
  message: string,
): Task {
  if (content.status?.error?.message === message) return;
  const error = { message, time: timestamp(context.now) };
  context.decide(refOf(content), { reason, text: message });
  yield* patch(
    "VolumeSnapshotContent",
    undefined,
    content.metadata.name,
    (current) => ({ ...current, status: { ...current.status, error, readyToUse: false } }),
    "status",
  );
  // Recorded even if the status could not be written, so that the error is seen.
  yield* event(refOf(content), "Warning", reason, message);
}
