/** Previews of an environment that is judged as a whole: made of what its last run of everything has left. */
import type { Prediction } from "../prediction/prediction.ts";
import type { Basis } from "./basis.ts";
import { KeptRuns } from "./kept-runs.ts";
import { type Preview, previewOf } from "./preview.ts";
import { SettledEnvironment } from "./settled-environment.ts";

type Settling = Generator<void, SettledEnvironment>;

export class Previews {
  #settled: SettledEnvironment | undefined;
  /** Goes on where an edit has interrupted it. */
  #settling: { readonly of: Prediction; readonly steps: Settling } | undefined;
  readonly #kept = new KeptRuns();
  /** Of the newest state that has one. */
  current: Preview | undefined;
  /** Our own bug: told once, and the run of everything goes on. */
  hasFailed = false;

  /** There is a newer run: its predecessor, with its whole trace, is not kept beside it. */
  forget(): void {
    this.#settled = undefined;
    this.#settling = undefined;
  }

  /** Arranges what a run of everything has left. Yields often; several may drive it. */
  *prepare(last: Prediction): Generator<void> {
    if (this.#settled?.prediction.trace === last.trace) return;
    if (this.#settling?.of.trace !== last.trace)
      this.#settling = { of: last, steps: SettledEnvironment.of(last) };
    while (this.#settling?.of.trace === last.trace) {
      const step = this.#settling.steps.next();
      if (step.done === true) {
        this.#settled = step.value;
        this.#settling = undefined;
      }
      yield;
    }
  }

  /** Yields often; whether there is another preview than before, or none any more. */
  *make(last: Prediction, basis: Basis): Generator<void, boolean> {
    yield* this.prepare(last);
    if (this.#settled === undefined) return false;
    const made = yield* previewOf(this.#settled, basis, this.#kept);
    // What reaches too far is left to the run of everything, as is all that was told before.
    if (made === undefined) return false;
    this.current = made === "as before" ? undefined : made;
    return true;
  }
}
