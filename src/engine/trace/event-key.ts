/**
 * Tells which entries belong to one event as `kubectl get events` lists it. Upstream: client-go v0.36
 * tools/record/events_cache.go getEventKey, EventAggregatorByReasonFunc.
 */
import type { EventEntry } from "./entry.ts";

export const combinedPrefix = "(combined from similar events): ";

/** Combined events count as one, with the message of the last. */
export function eventKey(entry: EventEntry): string {
  const { about, source, eventType, reason, message, container } = entry;
  const what = message.startsWith(combinedPrefix) ? [] : [message, container];
  return JSON.stringify([about, source, eventType, reason, ...what]);
}
