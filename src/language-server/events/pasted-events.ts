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
  const unique = new Map<string, PastedEvent>();
  for (const event of found) {
    const key = `${JSON.stringify(event.about)} ${event.reason} ${withSortedLists(event.message)}`;
    if (!unique.has(key)) unique.set(key, event);
    if (unique.size === eventCountMax) break;
  }
  return [...unique.values()];
}

/** Before 1.28 kubelets listed a pod's volumes in another order each time, so that one message came as many. */
function withSortedLists(message: string): string {
  return message.replace(/\[[^[\]]*\]/g, (list) =>
    list.slice(1, -1).split(/[, ]+/).sort().join(" "),
  );
}
