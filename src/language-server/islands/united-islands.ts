/** Unites the predictions of all islands into one for the environment. */
import type { Prediction } from "../prediction/prediction.ts";
import { type EnvironmentScenario, scenarioOf } from "../prediction/scenario-of.ts";
import { unitedPrediction } from "../prediction/united-prediction.ts";
import { sameItems } from "../same-items.ts";
import type { Basis } from "./basis.ts";
import type { JudgedIsland } from "./judged-island.ts";

export class UnitedIslands {
  #present: Prediction | undefined;
  #last: { readonly parts: readonly Prediction[]; readonly whole: Prediction } | undefined;

  /** The state has changed. */
  forgetPresent(): void {
    this.#present = undefined;
  }

  /** The present state's prediction; undefined until all islands have been predicted. */
  present(basis: Basis, judged: readonly JudgedIsland[]): Prediction | undefined {
    if (this.#present !== undefined) return this.#present;
    const parts = judged.flatMap(({ prediction }) => prediction ?? []);
    const failedCount = judged.filter(({ hasFailed }) => hasFailed === true).length;
    if (parts.length === 0 || parts.length < judged.length - failedCount) return undefined;
    this.#present = this.#unite(basis, parts);
    return this.#present;
  }

  /** The newest prediction of each island; undefined if there is none. */
  newest(basis: Basis, judged: readonly JudgedIsland[]): Prediction | undefined {
    const present = this.present(basis, judged);
    if (present !== undefined) return present;
    const parts = judged.flatMap((island) => island.prediction ?? island.lastPrediction ?? []);
    if (parts.length === 0) return undefined;
    // Without this, everything derived from the united prediction would be computed again at each request.
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
