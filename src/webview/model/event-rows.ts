/** Events as `kubectl get events` lists them at one moment: a repeated event is one line with its count. */
import type { Instant } from "../../engine/trace/instant.ts";
import type { EventRow } from "./reading.ts";

export interface EventLine extends EventRow {
  readonly firstAt: Instant;
}

/** The events up to the entry `seq`, in the order in which they were last seen. */
export function eventLines(events: readonly EventRow[], seq: number): readonly EventLine[] {
  const lines = new Map<string, EventLine>();
  for (const event of events) {
    if (event.seq > seq) break;
    const key = JSON.stringify([
      event.about,
      event.source,
      event.type,
      event.reason,
      event.message,
      event.container,
    ]);
    const earlier = event.count > 1 ? lines.get(key) : undefined;
    lines.delete(key); // A line that is seen again moves to the end.
    lines.set(key, { ...event, firstAt: earlier?.firstAt ?? event.at });
  }
  return [...lines.values()];
}
