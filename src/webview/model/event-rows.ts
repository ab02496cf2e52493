/** Events as `kubectl get events` lists them at one moment: a repeated event is one line with its count. */
import type { Ref } from "../../engine/api/meta.ts";
import type { TraceEntry } from "../../engine/trace/entry.ts";
import { eventKey } from "../../engine/trace/event-key.ts";
import type { Instant } from "../../engine/trace/instant.ts";
import { refText } from "./entry-text.ts";
import { matchesFilter } from "./name-filter.ts";

export interface EventRow {
  readonly seq: number;
  readonly at: Instant;
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly about: Ref;
  readonly source: string;
  readonly message: string;
  /** The container that the event is about. */
  readonly container?: string | undefined;
  readonly count: number;
  /** Rows with the same number form one line. `firstAt`: the time of its first row. */
  readonly line: number;
  readonly firstAt: Instant;
}

/** All events of a run, in order. */
export function eventRows(entries: readonly TraceEntry[]): readonly EventRow[] {
  const rows: EventRow[] = [];
  const repeated = new Map<string, EventRow>();
  for (const entry of entries) {
    if (entry.type !== "event") continue;
    const { seq, at, eventType: type, reason, about, source, message, container, count } = entry;
    const key = eventKey(entry);
    const { line, firstAt } = (count > 1 ? repeated.get(key) : undefined) ?? {
      line: seq,
      firstAt: at,
    };
    const row = { seq, at, type, reason, about, source, message, container, count, line, firstAt };
    repeated.set(key, row);
    rows.push(row);
  }
  return rows;
}

/** The lines up to the entry `seq`, by when they were last seen, about objects whose name contains the filter. */
export function eventLines(
  rows: readonly EventRow[],
  seq: number,
  filter: string,
): readonly EventRow[] {
  const lines = new Map<number, EventRow>();
  for (const row of rows) {
    if (row.seq > seq) break;
    if (!matchesFilter(refText(row.about).split(" ").at(-1) ?? "", filter)) continue;
    lines.delete(row.line); // A line that is seen again moves to the end.
    lines.set(row.line, row);
  }
  return [...lines.values()];
}
