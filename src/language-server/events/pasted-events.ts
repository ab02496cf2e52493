/**
 * Finds events in copied text: rows of `kubectl describe` or `kubectl get events`, of current and very old versions; objects as
 * YAML or JSON; lines of a component's log; single lines with or without type and reason; errors of `kubectl apply`.
 */
import { eventLines } from "./event-lines.ts";
import { eventObjects } from "./event-objects.ts";
import type { PastedEvent } from "./pasted-event.ts";

/** Nobody reads more than this at once. */
const eventCountMax = 50;

/** Each message once per object; nothing if the text holds no event. */
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

/** Before 1.28, kubelets listed a pod's volumes in random order, so that one message came in many versions. */
function withSortedLists(message: string): string {
  return message.replace(/\[[^[\]]*\]/g, (list) =>
    list.slice(1, -1).split(/[, ]+/).sort().join(" "),
  );
}
