/**
 * An imported cluster that is started before it is known what will be applied to it. All that runs is taken over, listed and
 * looked at before the first step, which takes most of a run and is the same at each edit.
 */
import type { Simulation } from "../../engine/simulation.ts";
import { seldom, simulationOf } from "../prediction/predictor.ts";
import type { EnvironmentScenario } from "../prediction/scenario-of.ts";
import { clusterSignature } from "./cluster-changes.ts";

interface Starting {
  readonly key: string;
  readonly simulation: Simulation;
  /** Several may drive it: who was interrupted has not driven it in vain. */
  readonly steps: Iterator<void>;
  isUp: boolean;
}

export class StartedCluster {
  #starting: Starting | undefined;

  /** Starts the cluster of a scenario, unless that is what has been started last. Yields often. */
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

  /** Hands the cluster over to one run; undefined where there is no import, and so little to start. Yields often. */
  *take(from: EnvironmentScenario): Generator<void, Simulation | undefined> {
    if (from.assumed.cluster.state === undefined) return undefined;
    yield* this.start(from);
    const { key, simulation, isUp } = this.#starting ?? {};
    if (key !== keyOf(from) || isUp !== true) return undefined;
    this.#starting = undefined;
    return simulation;
  }
}

/** All of a scenario but its steps. */
function keyOf({ scenario }: EnvironmentScenario): string {
  const { steps: _, cluster, ...rest } = scenario;
  return `${JSON.stringify(rest)} ${clusterSignature(cluster)}`;
}
