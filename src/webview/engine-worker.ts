/** The engine in a worker of the page: runs scenarios in slices and answers looks at the last trace. */
import type { Scenario } from "../engine/scenario.ts";
import { Simulation } from "../engine/simulation.ts";
import { traceHash } from "../engine/trace/hash.ts";
import type { FromEngine, ToEngine } from "./engine-messages.ts";
import { NodeReplay } from "./model/node-replay.ts";
import { Reading } from "./model/reading.ts";

/** Loop events between two looks at what the page has asked for meanwhile. */
const sliceEventCount = 20_000;

let current = 0;
let reading: Reading | undefined;
let replay: NodeReplay | undefined;
/** The moment that somebody wants to log in at; undefined where that is answered. */
let loginSeq: number | undefined;

function post(message: FromEngine): void {
  postMessage(message);
}

/** Lets messages in: a newer scenario makes the running one stale. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

async function simulate(run: number, scenario: Scenario): Promise<void> {
  current = run;
  reading = undefined;
  replay = undefined;
  loginSeq = undefined;
  const simulation = new Simulation(scenario, sliceEventCount);
  for (const _ of simulation.slices()) {
    post({
      type: "progress",
      run,
      nowMs: simulation.now,
      entryCount: simulation.trace.entries.length,
    });
    await nextTurn();
    if (current !== run) return;
  }
  reading = new Reading(simulation.trace, traceHash(simulation.trace.entries));
  replay = new NodeReplay({ scenario, ended: simulation });
  post({ type: "done", run, summary: reading.summary });
}

/** Of moments that are asked for while one is on its way only the last is told. */
async function login(run: number, seq: number): Promise<void> {
  const isUnderWay = loginSeq !== undefined;
  loginSeq = seq;
  if (isUnderWay) return;
  while (current === run && replay !== undefined && loginSeq !== undefined) {
    const wanted: number = loginSeq;
    const views = replay.at(wanted);
    let next = views.next();
    while (next.done !== true && current === run && loginSeq === wanted) {
      await nextTurn();
      next = views.next();
    }
    if (current !== run || loginSeq !== wanted || next.done !== true) continue;
    loginSeq = undefined;
    post({ type: "nodes", run, seq: wanted, nodes: next.value });
  }
}

function failed(run: number, error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  post({ type: "failed", run, text });
}

addEventListener("message", ({ data }: MessageEvent<ToEngine>) => {
  if (data.type === "simulate") {
    simulate(data.run, data.scenario).catch((error: unknown) => failed(data.run, error));
  } else if (data.type === "login") {
    if (data.run === current)
      login(data.run, data.seq).catch((error: unknown) => failed(data.run, error));
  } else if (data.run === current && reading !== undefined) {
    post({ type: "moment", run: data.run, moment: reading.moment(data.seq, data.selected) });
  }
});
