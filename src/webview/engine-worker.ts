/** The engine in a worker of the page: runs scenarios in slices and answers looks at the last trace. */
import type { Scenario } from "../engine/scenario.ts";
import { Simulation } from "../engine/simulation.ts";
import { traceHash } from "../engine/trace/hash.ts";
import type { FromEngine, ToEngine } from "./engine-messages.ts";
import { nodeViews } from "./model/node-view.ts";
import { Reading } from "./model/reading.ts";

/** Loop events between two looks at what the page has asked for meanwhile. */
const sliceEvents = 20_000;

let current = 0;
let reading: Reading | undefined;

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
  const simulation = new Simulation(scenario);
  for (const _ of simulation.slices(sliceEvents)) {
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
  post({ type: "done", run, summary: reading.summary, nodes: nodeViews(simulation) });
}

addEventListener("message", ({ data }: MessageEvent<ToEngine>) => {
  if (data.type === "simulate") {
    simulate(data.run, data.scenario).catch((error: unknown) => {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      post({ type: "failed", run: data.run, text });
    });
  } else if (data.run === current && reading !== undefined) {
    post({ type: "moment", run: data.run, moment: reading.moment(data.seq, data.selected) });
  }
});
