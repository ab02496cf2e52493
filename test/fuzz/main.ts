/** `npm run fuzz -- [--seed N] [--runs N]`: random clusters with faults, endless without `--runs`; the seed of a failure replays it. */
import { parseArgs } from "node:util";
import fc from "fast-check";
import { arbitraryScenario } from "./arbitrary-scenario.ts";
import { checkScenario } from "./check-scenario.ts";

const { values } = parseArgs({
  options: { seed: { type: "string" }, runs: { type: "string" }, path: { type: "string" } },
});
const batch = values.runs === undefined ? 1000 : Number(values.runs);
let seed = values.seed === undefined ? Date.now() % 1_000_000_000 : Number(values.seed);
for (;;) {
  console.log(`seed ${seed}, ${batch} scenarios`);
  const outcome = fc.check(fc.property(arbitraryScenario, checkScenario), {
    seed,
    numRuns: batch,
    ...(values.path !== undefined && { path: values.path }),
  });
  if (outcome.failed) {
    console.log(fc.defaultReportMessage(outcome));
    console.log(
      `replay: npm run fuzz -- --seed ${seed} --runs ${batch} --path "${outcome.counterexamplePath}"`,
    );
    process.exitCode = 1;
    break;
  }
  console.log(`${batch} scenarios safe and at rest`);
  if (values.runs !== undefined || values.seed !== undefined) break;
  seed = (seed + 1) % 1_000_000_000;
}
