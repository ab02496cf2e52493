/** The objects of a cluster that ran before which a run has to do with. */
import type { Ref } from "../api/meta.ts";
import type { TraceEntry } from "../trace/entry.ts";
import type { Trace } from "../trace/trace.ts";

/** Somebody has written them in the run, told of them, or asked the API server for a change. */
export function touchedObjects({ entries }: Trace): ReadonlySet<Ref> {
  const touched = new Set<Ref>();
  for (const entry of entries) {
    if (entry.type === "event") touched.add(entry.about);
    else if ((entry.type === "write" && !isTakeOver(entry)) || entry.type === "request")
      touched.add(entry.ref);
  }
  return touched;
}

/** An object of a cluster that ran before is stored as it was. */
export function isTakeOver(entry: TraceEntry): boolean {
  return entry.type === "write" && entry.actor === "cluster";
}
