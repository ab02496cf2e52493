/**
 * `npm run fuzz -- [--from N] [--runs N]`: runs random clusters with faults on all cores, from a seed on, endlessly without
 * `--runs`. `npm run fuzz -- --seed N` runs one of them again, and reduces it to the smallest that still fails.
 */
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { build } from "esbuild";
import { checkSeed, type Failure } from "./check-case.ts";
import type { Deal, DealOutcome } from "./worker.ts";

const seedsPerDeal = 20;
const seedsPerReport = 1000;
const bundle = "./.cache/fuzz/worker.cjs";

function replay(seed: number): void {
  console.log(`seed ${seed}`);
  const failure = checkSeed(seed, true);
  if (failure === undefined) {
    console.log("safe and at rest");
    return;
  }
  console.log(JSON.stringify(failure.fuzzCase, undefined, 1));
  report(failure);
}

function report({ seed, found }: Failure): void {
  console.log(`seed ${seed} failed:`);
  for (const text of found.slice(0, 5)) console.log(`  ${text}`);
  if (found.length > 5) console.log(`  and ${found.length - 5} more`);
  console.log(`  replay: npm run fuzz -- --seed ${seed}`);
  process.exitCode = 1;
}

/** Bundles the worker, as loading the engine's modules one by one would take it seconds. */
async function bundleWorker(): Promise<void> {
  await build({
    entryPoints: ["test/fuzz/worker.ts"],
    outfile: bundle,
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    sourcemap: "inline",
    logLevel: "warning",
  });
}

async function runMany(from: number, runs: number): Promise<void> {
  await bundleWorker();
  const count = runs === Number.POSITIVE_INFINITY ? "endless" : String(runs);
  console.log(`${count} random clusters, seeds from ${from}`);
  let next = from;
  let done = 0;
  let failed = 0;
  const deal = (): Deal | undefined => {
    const count = Math.min(seedsPerDeal, from + runs - next);
    if (count <= 0) return undefined;
    const dealt = { from: next, count };
    next += count;
    return dealt;
  };
  const take = (count: number, { failures }: DealOutcome): void => {
    for (const failure of failures) report(failure);
    failed += failures.length;
    done += count;
    if (done % seedsPerReport < count) console.log(`${done} done, ${failed} failed`);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, () => work(deal, take)));
  console.log(`${done} random clusters: ${done - failed} safe and at rest, ${failed} failed`);
}

function work(
  deal: () => Deal | undefined,
  take: (count: number, outcome: DealOutcome) => void,
): Promise<void> {
  const worker = new Worker(bundle);
  return new Promise((end, fail) => {
    worker.on("error", fail);
    const goOn = (): void => {
      const dealt = deal();
      if (dealt === undefined) {
        worker.terminate().then(() => end(), fail);
        return;
      }
      worker.once("message", (outcome: DealOutcome) => {
        take(dealt.count, outcome);
        goOn();
      });
      worker.postMessage(dealt);
    };
    goOn();
  });
}

const { values } = parseArgs({
  options: { seed: { type: "string" }, from: { type: "string" }, runs: { type: "string" } },
});
if (values.seed !== undefined) {
  replay(Number(values.seed));
} else {
  const from = values.from === undefined ? Date.now() % 1_000_000_000 : Number(values.from);
  await runMany(from, values.runs === undefined ? Number.POSITIVE_INFINITY : Number(values.runs));
}
