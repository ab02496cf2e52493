/** Checks one random case: it must be safe at every step, at rest at the end, and the same when run again. */
import fc from "fast-check";
import { Simulation } from "../../src/engine/simulation.ts";
import { traceHash } from "../../src/engine/trace/hash.ts";
import { exhaust } from "../support/replay.ts";
import { arbitraryCase, type FuzzCase } from "./arbitrary-scenario.ts";
import { hastyVerdicts, poorVerdicts, vainPromises } from "./explanations.ts";
import { judgedOtherwise } from "./imported.ts";
import { unrest } from "./rest.ts";
import { breaches } from "./safety.ts";
import { vainFixes } from "./vain-fixes.ts";

/** One case in this many is run twice, which shows randomness and order that do not come from the seed. */
const casesPerSecondRun = 4;
/** In one case in this many all advised fixes are tried. */
const casesPerTrial = 16;

/** In one case in this many the verdicts during the run are checked, unless it has late watches. */
const casesPerWatch = 4;

/** In one case in this many the cluster is imported once it is at rest. */
const casesPerImport = 8;

/** Checks that cost more than the run itself. */
interface Extras {
  readonly runsTwice: boolean;
  readonly triesFixes: boolean;
  readonly watches: boolean;
  readonly imports: boolean;
}

export interface Failure {
  readonly seed: number;
  readonly found: readonly string[];
  /** The case as generated, or the smallest that still fails. */
  readonly fuzzCase: FuzzCase;
}

/** Makes the case of a seed and checks it; undefined if all is well. `shrinks` looks for the smallest case that still fails. */
export function checkSeed(seed: number, shrinks: boolean): Failure | undefined {
  let found: readonly string[] = [];
  const property = fc.property(arbitraryCase(seed), (fuzzCase) => {
    const told = toldBy(fuzzCase, {
      runsTwice: shrinks || seed % casesPerSecondRun === 0,
      triesFixes: shrinks || seed % casesPerTrial === 0,
      watches: shrinks || seed % casesPerWatch === 0,
      imports: shrinks || seed % casesPerImport === 1,
    });
    if (told.length > 0) found = told;
    return told.length === 0;
  });
  const { counterexample } = fc.check(property, {
    // Scrambled, as neighboring seeds would give similar cases.
    seed: Math.imul(seed ^ (seed >>> 15), 0x2c1b3c6d) ^ 0x297a2d39,
    numRuns: 1,
    unbiased: true,
    endOnFailure: !shrinks,
  });
  return counterexample === null ? undefined : { seed, found, fuzzCase: counterexample[0] };
}

/** What is wrong with a run, including errors that the engine throws for bugs of its own. */
function toldBy(fuzzCase: FuzzCase, extras: Extras): readonly string[] {
  try {
    return faultsOf(fuzzCase, extras);
  } catch (error) {
    return [error instanceof Error ? (error.stack ?? error.message) : String(error)];
  }
}

/** What is wrong with a run; empty if nothing is. */
function faultsOf(
  fuzzCase: FuzzCase,
  { runsTwice, triesFixes, watches, imports }: Extras,
): readonly string[] {
  const simulation = runCase(fuzzCase);
  const { trace } = simulation;
  const found = [
    ...breaches(trace),
    ...unrest(simulation),
    ...poorVerdicts(trace),
    ...vainPromises(trace),
    ...(watches && fuzzCase.scenario.lateWatches === undefined ? hastyVerdicts(trace) : []),
    ...(triesFixes ? vainFixes(fuzzCase.scenario) : []),
    ...(imports ? judgedOtherwise(simulation, fuzzCase.scenario) : []),
  ];
  if (!runsTwice || found.length > 0) return found;
  const again = runCase(fuzzCase);
  return traceHash(again.trace.entries) === traceHash(trace.entries)
    ? []
    : ["another run of it went another way"];
}

function runCase({ scenario, writeFaults, healingStep }: FuzzCase): Simulation {
  const simulation = new Simulation(scenario);
  exhaust(simulation.boot());
  const faults = new Map(writeFaults.map(({ write, fault }) => [write, fault]));
  let writes = 0;
  simulation.runtime.onWrite = () => faults.get(++writes);
  for (const [i, step] of scenario.steps.entries()) {
    // From the last step on the cluster is left alone.
    if (i === scenario.steps.length - 1) simulation.runtime.onWrite = undefined;
    if (i === healingStep) simulation.runtime.lateWatches?.calm();
    exhaust(simulation.step(step));
  }
  return simulation;
}
