/** Records test cases as recipes, so that they can be replayed in a new cluster, with a fault. */
import type { Kind, KubeObject } from "../../src/engine/api/meta.ts";
import type { Runtime } from "../../src/engine/runtime/runtime.ts";
import type { Scenario, Step } from "../../src/engine/scenario.ts";
import { Simulation } from "../../src/engine/simulation.ts";
import { type Fault, failWrite } from "./fault.ts";
import { FaultPoints } from "./fault-points.ts";
import { withoutUids } from "./object-state.ts";

export interface Setting extends Omit<Scenario, "steps" | "lateWatches"> {
  /** Changes the API server or the drivers in a way that no scenario can. */
  readonly disturb?: (runtime: Runtime) => void;
}

/** Another end that a fault may lead to: the lines that differ, by what they name, and why upstream allows it. */
export interface OtherEnd {
  readonly because: string;
  readonly lines: Readonly<Record<string, string>>;
}

export interface Recipe {
  readonly setting: Setting;
  /** Uids in the steps are written as by `withoutUids`, as they differ from run to run. */
  readonly steps: Step[];
  readonly otherEnds: OtherEnd[];
}

/** A recipe with its first run, and the faults to try at the writes after that run's cluster had booted. */
export interface Recorded extends Recipe {
  readonly simulation: Simulation;
  readonly faults: readonly Fault[];
}

let recorded: Recorded[] | undefined;

/** Runs `body`; returns what it did in each cluster that it made. */
export function recipesOf(body: () => void): readonly Recorded[] {
  const recipes: Recorded[] = [];
  recorded = recipes;
  try {
    body();
  } finally {
    recorded = undefined;
  }
  return recipes;
}

/** A booted cluster, and the recipe to fill; the recipe is undefined outside of `recipesOf`. */
export function begin(setting: Setting): {
  readonly simulation: Simulation;
  readonly recipe: Recipe | undefined;
} {
  const simulation = booted(setting);
  if (recorded === undefined) return { simulation, recipe: undefined };
  const steps: Step[] = [];
  const { faults } = new FaultPoints(simulation.runtime, steps);
  const recipe = { setting, steps, otherEnds: [], simulation, faults };
  recorded.push(recipe);
  return { simulation, recipe };
}

export function addStep(
  recipe: Recipe | undefined,
  step: Step,
  objects: Iterable<KubeObject>,
): void {
  recipe?.steps.push(JSON.parse(withoutUids(JSON.stringify(step), objects)) as Step);
}

export interface Replayed {
  readonly simulation: Simulation;
  /** The faults to try next; empty if this run had a fault. */
  readonly faults: readonly Fault[];
}

export function replay(
  { setting, steps }: Pick<Recipe, "setting" | "steps">,
  fault?: Fault,
): Replayed {
  const simulation = booted(setting, fault);
  const points = fault !== undefined ? undefined : new FaultPoints(simulation.runtime, steps);
  for (const step of steps) exhaust(simulation.step(withUids(step, simulation)));
  return { simulation, faults: points?.faults ?? [] };
}

function booted({ disturb, ...scenario }: Setting, fault: Fault = {}): Simulation {
  const { lateWatches } = fault;
  const simulation = new Simulation({ ...scenario, steps: [], lateWatches });
  failWrite(simulation.runtime, fault);
  exhaust(simulation.boot());
  disturb?.(simulation.runtime);
  return simulation;
}

/** Runs a generator to its end; returns its result. */
export function exhaust<T>(slices: Generator<void, T>): T {
  for (;;) {
    const next = slices.next();
    if (next.done === true) return next.value;
  }
}

function withUids(step: Step, { runtime }: Simulation): Step {
  const text = JSON.stringify(step);
  if (!text.includes("<uid ")) return step;
  return JSON.parse(
    text.replace(
      /<uid (\w+)\/([^/>]*)\/([^>]*)>/g,
      (placeholder, kind: Kind, namespace: string, name: string) =>
        runtime.api.store.get(kind, namespace, name)?.metadata.uid ?? placeholder,
    ),
  ) as Step;
}
