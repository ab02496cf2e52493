/**
 * Runs the engine on an environment and keeps the last result. The run is cut into slices: between two of them requests
 * are answered from what is known, and a run whose scenario is out of date is given up.
 */

import type { Ref } from "../../engine/api/meta.ts";
import { RunFacts } from "../../engine/explain/run-facts.ts";
import type { Verdict } from "../../engine/explain/verdict.ts";
import { verdicts } from "../../engine/explain/verdicts.ts";
import { Simulation } from "../../engine/simulation.ts";
import type { Trace } from "../../engine/trace/trace.ts";
import type { Environment } from "../workspace/workspace.ts";
import type { EnvironmentScenario } from "./scenario-of.ts";

export interface Prediction extends EnvironmentScenario {
  readonly environment: Environment;
  readonly trace: Trace;
  readonly facts: RunFacts;
  /** Worst first. */
  readonly verdicts: readonly Verdict[];
  readonly verdictOf: ReadonlyMap<Ref, Verdict>;
  /** What is on each node's machine at the end. */
  readonly machines: readonly MachineState[];
  /** Why the run ended before it came to rest. */
  readonly limit?: string;
}

/** A machine as someone who is logged in to it would see it. */
export interface MachineState {
  readonly name: string;
  /** In order of mounting. */
  readonly mounts: readonly {
    readonly source: string;
    readonly target: string;
    readonly fsType: string;
    readonly options: readonly string[];
    readonly device?: boolean;
  }[];
}

/** Lets others work: the next turn of the event loop. */
export type Pause = () => Promise<void>;

/** Loop events between two looks at the clock; one may cost a microsecond or, with a thousand nodes, milliseconds. */
const sliceEventCount = 1;
/** A request takes a few turns of the event loop, and may have to wait as long as this at each. */
const sliceMs = 2;
/** Far more than a cluster of ten thousand objects needs; a run that reaches it never comes to rest. */
const eventCountMax = 20_000_000;

export class Predictor {
  readonly #pause: Pause;
  readonly #known = new Map<string, Prediction>();

  constructor(pause: Pause) {
    this.#pause = pause;
  }

  /** The last prediction of an environment, which may be older than its files. */
  latest(environmentId: string): Prediction | undefined {
    return this.#known.get(environmentId);
  }

  forget(environmentId: string): void {
    this.#known.delete(environmentId);
  }

  /** Undefined where `isStale` became true before the end. */
  async predict(
    environment: Environment,
    from: EnvironmentScenario,
    isStale: () => boolean = () => false,
  ): Promise<Prediction | undefined> {
    const known = this.#known.get(environment.id);
    if (known !== undefined && isSameScenario(known, from)) {
      // Only places or comments have changed: the same trace tells the same.
      const moved: Prediction = { ...known, ...from, environment };
      this.#known.set(environment.id, moved);
      return moved;
    }
    const scenario = { ...from.scenario, limits: { eventCountMax } };
    const simulation = new Simulation(scenario);
    let pausedAt = performance.now();
    for (const _ of simulation.slices(sliceEventCount)) {
      if (performance.now() - pausedAt < sliceMs) continue;
      await this.#pause();
      if (isStale()) return undefined;
      pausedAt = performance.now();
    }
    const prediction = predictionOf(environment, from, simulation);
    this.#known.set(environment.id, prediction);
    return prediction;
  }
}

function predictionOf(
  environment: Environment,
  from: EnvironmentScenario,
  { trace, runtime }: Simulation,
): Prediction {
  const all = verdicts(trace);
  const limit = trace.entries.findLast((entry) => entry.type === "limit");
  return {
    ...from,
    environment,
    trace,
    facts: new RunFacts(trace),
    verdicts: all,
    verdictOf: new Map(all.map((verdict) => [verdict.ref, verdict])),
    machines: [...runtime.machines.values()].map(({ name, mounts }) => ({
      name,
      mounts: mounts.entries,
    })),
    ...(limit?.type === "limit" && { limit: limit.message }),
  };
}

/** A document that has not been edited keeps its value, so identity tells. */
function isSameScenario(known: Prediction, next: EnvironmentScenario): boolean {
  if (known.scenario.version !== next.scenario.version) return false;
  if (
    known.profileFrom !== next.profileFrom ||
    known.assumed.cluster.name !== next.assumed.cluster.name
  )
    return false;
  if (known.applied.length !== next.applied.length) return false;
  if (!known.applied.every((entry, i) => entry.object.value === next.applied[i]?.object.value))
    return false;
  return JSON.stringify(known.assumed.cluster.nodes) === JSON.stringify(next.assumed.cluster.nodes);
}
