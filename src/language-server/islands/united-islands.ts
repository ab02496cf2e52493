/** One prediction of an environment, out of those of its islands. */
import type { Prediction } from "../prediction/prediction.ts";
import { type EnvironmentScenario, scenarioOf } from "../prediction/scenario-of.ts";
import { unitedPrediction } from "../prediction/united-prediction.ts";
import { sameItems } from "../same-items.ts";
import type { Basis } from "./basis.ts";
import type { JudgedIsland } from "./judged-island.ts";

export class UnitedIslands {
  #present: Prediction | undefined;
  #last: { readonly parts: readonly Prediction[]; readonly whole: Prediction } | undefined;

  /** The state is another one. */
  forgetPresent(): void {
    this.#present = undefined;
  }

  /** Of the present state; undefined until all islands have been predicted. */
  present(basis: Basis, judged: readonly JudgedIsland[]): Prediction | undefined {
    if (this.#present !== undefined) return this.#present;
    const parts = judged.flatMap(({ prediction }) => prediction ?? []);
    const failedCount = judged.filter(({ hasFailed }) => hasFailed === true).length;
    if (parts.length === 0 || parts.length < judged.length - failedCount) return undefined;
    this.#present = this.#unite(basis, parts);
    return this.#present;
  }

  /** The newest there is of each island; undefined where there is none. */
  newest(basis: Basis, judged: readonly JudgedIsland[]): Prediction | undefined {
    const present = this.present(basis, judged);
    if (present !== undefined) return present;
    const parts = judged.flatMap((island) => island.prediction ?? island.lastPrediction ?? []);
    if (parts.length === 0) return undefined;
    // What is read from all parts together would else be read anew at each question.
    const last = this.#last;
    return last !== undefined && sameItems(last.parts, parts)
      ? last.whole
      : this.#unite(basis, parts);
  }

  #unite({ environment, assumption }: Basis, parts: readonly Prediction[]): Prediction {
    const scenario = (): EnvironmentScenario => scenarioOf(environment, assumption);
    const whole = unitedPrediction(environment, assumption, scenario, parts);
    this.#last = { parts, whole };
    return whole;
  }
}
