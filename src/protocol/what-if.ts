/** The steps that a person takes on the simulation page once the cluster is at rest, as part of a scenario. */
import type { Scenario, Step } from "../engine/scenario.ts";

export type WhatIfStep = Exclude<Step, { readonly type: "apply" | "settle" }>;

/** Long enough for all timeouts and back-offs that distinguish a slow start from a stuck one. */
export const restLimitMs: number = 10 * 60 * 1000;

export const comeToRest: Step = { type: "settle", limitMs: restLimitMs };

/** After each step the cluster comes to rest, unless the step itself says how much time passes. */
export function stepsOf(step: WhatIfStep): readonly Step[] {
  return step.type === "advance" ? [step] : [step, comeToRest];
}

/** The scenario, followed by the steps taken once it has come to rest. */
export function withSteps(scenario: Scenario, steps: readonly WhatIfStep[]): Scenario {
  return { ...scenario, steps: [...scenario.steps, ...steps.flatMap(stepsOf)] };
}
