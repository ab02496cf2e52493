/** Measures looking up the state at moments all over a long trace, for a screen of objects and for all of them. */
import { makeRef, type Ref } from "../../src/engine/api/meta.ts";
import { Simulation } from "../../src/engine/simulation.ts";
import type { Trace } from "../../src/engine/trace/trace.ts";
import { bindStaticScenario } from "./bind-static.ts";

/** A claim that gets a static volume makes at least this many entries: writes, requests, a decision. */
const stepsPerClaim = 10;
const momentCount = 21;
/** The most objects that a screen shows. */
const shownCount = 100;

/**
 * Returns milliseconds in a trace of at least `stepCount` entries: medians over moments in mixed order, and the time of the
 * first look, which costs more.
 */
export function traceMoments(stepCount: number): Readonly<Record<string, number>> {
  const claimCount = Math.ceil(stepCount / stepsPerClaim);
  const trace = new Simulation(bindStaticScenario(claimCount)).run();
  if (trace.entries.length < stepCount) throw new Error(`${trace.entries.length} steps only`);
  const shown = Array.from({ length: shownCount }, (_, i) =>
    makeRef("PersistentVolume", undefined, `volume-${Math.floor((i * claimCount) / shownCount)}`),
  );
  const first = timeOf(() => lookUp(trace, 0, shown));
  const moments = Array.from({ length: momentCount }, (_, i) =>
    Math.floor((((i * 8) % momentCount) / momentCount) * trace.entries.length),
  );
  return {
    "the first screen": first,
    "a screen of objects": median(moments, (seq) => lookUp(trace, seq, shown)),
    "all objects": median(moments, (seq) => countAll(trace, seq)),
  };
}

function lookUp(trace: Trace, seq: number, refs: readonly Ref[]): number {
  const state = trace.stateAt(seq);
  return refs.filter((ref) => state.get(ref) !== undefined).length;
}

function countAll(trace: Trace, seq: number): number {
  let count = 0;
  for (const _ of trace.stateAt(seq)) count++;
  return count;
}

function median(moments: readonly number[], look: (seq: number) => number): number {
  const times = moments.map((seq) => timeOf(() => look(seq))).sort((a, b) => a - b);
  return times[times.length >> 1] ?? Number.NaN;
}

function timeOf(action: () => unknown): number {
  const started = performance.now();
  action();
  return performance.now() - started;
}
