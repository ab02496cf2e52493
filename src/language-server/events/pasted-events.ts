/**
 * Events in text that somebody has copied: rows of `kubectl describe` or `kubectl get events`, of today and of long ago;
 * objects as YAML or JSON; lines of a component's log; single lines with or without type and reason; errors of `kubectl apply`.
 */
import { eventLines } from "./event-lines.ts";
import { eventObjects } from "./event-objects.ts";
import type { PastedEvent } from "./pasted-event.ts";

/** More than this nobody reads at once. */
const eventCountMax = 50;

/** Each message once for each object; none where the text holds no event. */
export function pastedEvents(text: string): readonly PastedEvent[] {
  const objects = eventObjects(text);
  const found = objects.length > 0 ? objects : eventLines(text);
  const unique = new Map(
    found.map((event) => [
      `${JSON.stringify(event.about)} ${event.reason} ${event.message}`,
      event,
    ]),
  );
  return [...unique.values()].slice(0, eventCountMax);
}
