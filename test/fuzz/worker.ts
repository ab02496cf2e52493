/** A worker thread that checks the seeds dealt to it, and reports which failed. */
import { parentPort } from "node:worker_threads";
import { checkSeed, type Failure } from "./check-case.ts";

/** The seeds to check: `count` of them, from `from` on. */
export interface Deal {
  readonly from: number;
  readonly count: number;
}

export interface DealOutcome {
  readonly failures: readonly Failure[];
}

process.setSourceMapsEnabled(true);
parentPort?.on("message", ({ from, count }: Deal) => {
  const failures: Failure[] = [];
  for (let seed = from; seed < from + count; seed++) {
    const failure = checkSeed(seed, false);
    if (failure !== undefined) failures.push(failure);
  }
  parentPort?.postMessage({ failures } satisfies DealOutcome);
});
