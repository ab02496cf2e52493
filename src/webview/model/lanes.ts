/** The history of each object: a lane of the timeline, made of stretches in which its status stayed the same. */
import type { Ref } from "../../engine/api/meta.ts";
import { objectStatus } from "../../engine/explain/object-status.ts";
import type { Instant } from "../../engine/trace/instant.ts";
import type { Trace } from "../../engine/trace/trace.ts";
import type { OutcomeObject } from "./outcome-objects.ts";

/** Lasts from its entry to the next stretch of the lane, or to the end. */
export interface Stretch {
  readonly seq: number;
  readonly at: Instant;
  /** As in kubectl's STATUS column; absent while the object does not exist. */
  readonly phase?: string;
}

export interface Lane {
  readonly object: OutcomeObject;
  /** At least one. */
  readonly stretches: readonly Stretch[];
}

/** An entry and its time. */
export interface Tick {
  readonly seq: number;
  readonly at: Instant;
}

export interface Lanes {
  /** One for each object that the run touched and that existed, in the order of the objects. */
  readonly all: readonly Lane[];
  /** Evenly spread from the first stretch to the end of the run; none if there are no lanes. */
  readonly ticks: readonly Tick[];
}

export function lanesOf(trace: Trace, objects: readonly OutcomeObject[], firstSeq: number): Lanes {
  const known = new Map<Ref, Stretch[]>();
  for (const { ref, isTouched } of objects) if (isTouched) known.set(ref, []);
  for (const entry of trace.entries) {
    const stretches = entry.type === "write" ? known.get(entry.ref) : undefined;
    if (entry.type !== "write" || stretches === undefined) continue;
    const { after } = entry;
    const phase = after === undefined ? undefined : objectStatus(after).phase;
    if (stretches.length > 0 && stretches.at(-1)?.phase === phase) continue;
    // Objects of a running cluster exist from the first moment on.
    const seq = Math.max(entry.seq, firstSeq);
    stretches.push({ seq, at: entry.at, ...(phase === undefined ? {} : { phase }) });
  }
  const all = objects.flatMap((object): readonly Lane[] => {
    const stretches = known.get(object.ref) ?? [];
    return stretches.length === 0 ? [] : [{ object, stretches }];
  });
  return { all, ticks: all.length === 0 ? [] : ticksOf(trace, all) };
}

/** As many as fit on most pages; on a narrow one the stylesheet leaves two. */
const tickCount = 4;

function ticksOf({ entries }: Trace, lanes: readonly Lane[]): readonly Tick[] {
  const last = entries.length - 1;
  let from = last;
  for (const { stretches } of lanes) from = Math.min(from, stretches[0]?.seq ?? last);
  const seqs = Array.from({ length: tickCount }, (_, i) =>
    Math.round(from + ((last - from) * i) / (tickCount - 1)),
  );
  return [...new Set(seqs)].map((seq) => ({ seq, at: entries[seq]?.at ?? 0 }));
}
