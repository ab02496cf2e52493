/** Which objects of an existing cluster a run has touched. */
import type { Ref } from "../api/meta.ts";
import type { TraceEntry } from "../trace/entry.ts";
import type { Trace } from "../trace/trace.ts";

/** Objects that were written in the run, had an event, or were the subject of a user's request. */
export function touchedObjects({ entries }: Trace): ReadonlySet<Ref> {
  const touched = new Set<Ref>();
  for (const entry of entries) {
    if (entry.type === "event") touched.add(entry.about);
    else if ((entry.type === "write" && !isTakeOver(entry)) || entry.type === "request")
      touched.add(entry.ref);
  }
  return touched;
}

/** True if the entry only stores an object of the existing cluster, as it was. */
export function isTakeOver(entry: TraceEntry): boolean {
  return entry.type === "write" && entry.actor === "cluster";
}
