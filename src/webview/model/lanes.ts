/** What each object went through: a lane of the timeline, made of the stretches in which its status stayed the same. */
import type { Ref } from "../../engine/api/meta.ts";
import { objectStatus } from "../../engine/explain/object-status.ts";
import type { Instant } from "../../engine/trace/instant.ts";
import type { Trace } from "../../engine/trace/trace.ts";
import type { OutcomeObject } from "./outcome-objects.ts";

/** It holds from its entry on, to the next stretch of the lane or to the end. */
export interface Stretch {
  readonly seq: number;
  readonly at: Instant;
  /** As kubectl's STATUS column has it; absent where the object does not exist. */
  readonly phase?: string;
}

export interface Lane {
  readonly object: OutcomeObject;
  /** At least one. */
  readonly stretches: readonly Stretch[];
}

/** A moment with its time. */
export interface Tick {
  readonly seq: number;
  readonly at: Instant;
}

export interface Lanes {
  /** Of each object that the run has touched and that existed, in the order of the objects. */
  readonly all: readonly Lane[];
  /** Spread evenly from the first thing that happens to one of them to the end of the run; none where nothing does. */
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
    // What a running cluster had is there from the first moment on.
    const seq = Math.max(entry.seq, firstSeq);
    stretches.push({ seq, at: entry.at, ...(phase === undefined ? {} : { phase }) });
  }
  const all = objects.flatMap((object): readonly Lane[] => {
    const stretches = known.get(object.ref) ?? [];
    return stretches.length === 0 ? [] : [{ object, stretches }];
  });
  return { all, ticks: all.length === 0 ? [] : ticksOf(trace, all) };
}

/** As many as there is room for in most pages; of a narrow one the style leaves two. */
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
