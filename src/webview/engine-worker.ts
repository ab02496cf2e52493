/** The engine in a worker of the page: runs scenarios in slices, and answers looks at the last trace. */
import type { Scenario } from "../engine/scenario.ts";
import { Simulation } from "../engine/simulation.ts";
import { traceHash } from "../engine/trace/hash.ts";
import type { FromEngine, ToEngine } from "./engine-messages.ts";
import { Latest } from "./latest.ts";
import { NodeReplay } from "./model/node-replay.ts";
import { Reading } from "./model/reading.ts";

/** Loop events between two checks for messages from the page. */
const sliceEventCount = 20_000;

let current = 0;
let reading: Reading | undefined;
let replay: NodeReplay | undefined;

function post(message: FromEngine): void {
  postMessage(message);
}

/** Lets messages in, such as a newer scenario that makes the running one stale. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

async function simulate(run: number, scenario: Scenario): Promise<void> {
  current = run;
  reading = undefined;
  replay = undefined;
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
  const hash = traceHash(simulation.trace.entries);
  reading = new Reading(simulation.trace, hash, lastDoneOf(scenario));
  replay = new NodeReplay({ scenario, ended: simulation });
  post({ type: "done", run, summary: reading.summary });
}

/** The last step that was done on the page; undefined if there is none. Only files are applied, so an `apply` is not one. */
function lastDoneOf({ steps }: Scenario): number | undefined {
  const last = steps.findLastIndex(({ type }) => type !== "settle");
  return last < 0 || steps[last]?.type === "apply" ? undefined : last;
}

type Asked<Type extends ToEngine["type"]> = Extract<ToEngine, { readonly type: Type }>;

/** Only the latest look is answered: a dragged slider asks faster than a large trace can be read. */
const looks = new Latest<Asked<"look">>(({ run, ...look }) =>
  guarded(run, async () => {
    if (run !== current || reading === undefined) return;
    post({ type: "moment", run, moment: reading.moment(look) });
    await nextTurn();
  }),
);

const logins = new Latest<Asked<"login">>(({ run, seq }, isStale) =>
  guarded(run, async () => {
    if (run !== current || replay === undefined) return;
    const views = replay.at(seq);
    let next = views.next();
    while (next.done !== true) {
      await nextTurn();
      if (current !== run || isStale()) return;
      next = views.next();
    }
    post({ type: "nodes", run, seq, nodes: next.value });
  }),
);

/** Reports an exception as the failure of its run. */
async function guarded(run: number, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    post({ type: "failed", run, text });
  }
}

function answer(message: ToEngine): Promise<void> {
  switch (message.type) {
    case "simulate":
      return guarded(message.run, () => simulate(message.run, message.scenario));
    case "look":
      return looks.ask(message);
    case "login":
      return logins.ask(message);
  }
}

addEventListener("message", ({ data }: MessageEvent<ToEngine>) => {
  void answer(data);
});
