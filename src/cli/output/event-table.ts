/** Events as `kubectl get events -A` prints them, oldest first: repeated ones once, with their count. */
import { splitKey } from "../../engine/api/meta.ts";
import type { EventEntry } from "../../engine/trace/entry.ts";
import { eventKey } from "../../engine/trace/event-key.ts";
import type { Trace } from "../../engine/trace/trace.ts";
import type { ClusterResult } from "../cluster-result.ts";
import { isWithin } from "../told-objects.ts";
import { humanDuration, printTable } from "./table.ts";

export interface SeenEvent {
  readonly entry: EventEntry;
  readonly firstAt: number;
}

/** The events about objects of the namespace to print. */
export function toldEvents({ prediction, namespace }: ClusterResult): readonly SeenEvent[] {
  const events = eventsOf(prediction.trace);
  return events.filter(({ entry }) => isWithin(prediction, entry.about, namespace));
}

/** The last state of each event, in the order of their first occurrences. An entry with count 1 begins a new event. */
export function eventsOf(trace: Trace): readonly SeenEvent[] {
  const events: SeenEvent[] = [];
  const placeOf = new Map<string, number>();
  for (const entry of trace.entries) {
    if (entry.type !== "event") continue;
    const key = eventKey(entry);
    const place = (entry.count > 1 ? placeOf.get(key) : undefined) ?? events.length;
    events[place] = { entry, firstAt: events[place]?.firstAt ?? entry.at };
    placeOf.set(key, place);
  }
  return events;
}

export function eventTable(result: ClusterResult): string {
  const { trace } = result.prediction;
  const rows = toldEvents(result).map(({ entry, firstAt }) => {
    const [kind = "", ...key] = entry.about.split("/");
    const { namespace, name } = splitKey(key.join("/"));
    const age = humanDuration(trace.end - entry.at);
    const lastSeen =
      entry.count > 1 ? `${age} (x${entry.count} over ${humanDuration(trace.end - firstAt)})` : age;
    return [
      namespace === "" ? "default" : namespace,
      lastSeen,
      entry.eventType,
      entry.reason,
      `${kind.toLowerCase()}/${name}`,
      entry.message,
    ];
  });
  return printTable(["NAMESPACE", "LAST SEEN", "TYPE", "REASON", "OBJECT", "MESSAGE"], rows);
}
