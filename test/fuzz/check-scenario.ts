/** One random scenario: safe at every step, at rest in the end, and the same when it is run again. */
import assert from "node:assert/strict";
import type { Scenario } from "../../src/engine/scenario.ts";
import { Simulation } from "../../src/engine/simulation.ts";
import { traceHash } from "../../src/engine/trace/hash.ts";
import { breaches, leftovers, unrest } from "./invariants.ts";

const quietMs = 300_000;

export function checkScenario(scenario: Scenario): void {
  const simulation = new Simulation(scenario);
  const trace = simulation.run();
  assert.deepEqual(breaches(trace), []);
  assert.deepEqual(unrest(trace, simulation.now, quietMs), []);
  assert.deepEqual(leftovers(simulation.runtime.api.store.all()), []);
  const again = new Simulation(scenario).run();
  assert.equal(traceHash(again.entries), traceHash(trace.entries));
}
