import type { Scenario } from "../../src/engine/scenario.ts";
import { Simulation } from "../../src/engine/simulation.ts";
import type { Trace } from "../../src/engine/trace/trace.ts";

/** Runs a scenario to its end. */
export function simulate(scenario: Scenario): Trace {
  return new Simulation(scenario).run();
}
