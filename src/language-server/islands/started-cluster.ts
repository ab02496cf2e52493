/**
 * An imported cluster, started before it is known what will be applied to it. Before the first step everything that runs is
 * taken over, listed and reconciled, which is most of a run and the same for each edit.
 */
import type { Simulation } from "../../engine/simulation.ts";
import { seldom, simulationOf } from "../prediction/predictor.ts";
import type { EnvironmentScenario } from "../prediction/scenario-of.ts";
import { clusterSignature } from "./cluster-changes.ts";

interface Starting {
  readonly key: string;
  readonly simulation: Simulation;
  /** Several callers may drive it, so that the work of an interrupted one is not lost. */
  readonly steps: Iterator<void>;
  isUp: boolean;
}

export class StartedCluster {
  #starting: Starting | undefined;

  /** Starts the cluster of a scenario, unless it is the one started last. Yields often. */
  *start(from: EnvironmentScenario): Generator<void> {
    const key = keyOf(from);
    if (this.#starting?.key !== key) {
      const simulation = simulationOf(from);
      this.#starting = { key, simulation, steps: seldom(simulation.boot()), isUp: false };
    }
    const own = this.#starting;
    while (this.#starting === own && !own.isUp) {
      own.isUp = own.steps.next().done === true;
      yield;
    }
  }

  /** Hands the cluster over to one run; undefined if nothing is imported, so that a start costs little. Yields often. */
  *take(from: EnvironmentScenario): Generator<void, Simulation | undefined> {
    if (from.assumed.cluster.state === undefined) return undefined;
    yield* this.start(from);
    const { key, simulation, isUp } = this.#starting ?? {};
    if (key !== keyOf(from) || isUp !== true) return undefined;
    this.#starting = undefined;
    return simulation;
  }
}

/** Everything about a scenario except its steps. */
function keyOf({ scenario }: EnvironmentScenario): string {
  const { steps: _, cluster, ...rest } = scenario;
  return `${JSON.stringify(rest)} ${clusterSignature(cluster)}`;
}
