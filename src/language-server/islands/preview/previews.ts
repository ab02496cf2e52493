/** Makes previews of an environment that is judged as a whole, from the state that its last complete run has left. */
import type { Prediction } from "../../prediction/prediction.ts";
import type { Basis } from "../basis.ts";
import { comparedOf, type JudgedIsland } from "../judged-island.ts";
import { KeptRuns } from "../kept-runs.ts";
import type { NotedFiles } from "../noted-files.ts";
import { byFileOf } from "../reports-in-files.ts";
import { type Preview, previewOf } from "./preview.ts";
import { SettledEnvironment } from "./settled-environment.ts";

type Settling = Generator<void, SettledEnvironment>;

export class Previews {
  /** Collects files whose findings a preview changes. */
  readonly #noted: NotedFiles;
  readonly #judged: () => readonly JudgedIsland[];
  #settled: SettledEnvironment | undefined;
  /** Preparation that continues after an edit has interrupted it. */
  #settling: { readonly of: Prediction; readonly steps: Settling } | undefined;
  readonly #kept = new KeptRuns();
  #current: Preview | undefined;
  #areGivenUp = false;

  /** `judged` returns what is known without previews. */
  constructor(noted: NotedFiles, judged: () => readonly JudgedIsland[]) {
    this.#noted = noted;
    this.#judged = judged;
  }

  /** The newest preview; undefined if there is none. */
  get current(): Preview | undefined {
    return this.#current;
  }

  get areGivenUp(): boolean {
    return this.#areGivenUp;
  }

  /** After an internal error: it is reported once, and the complete run goes on. */
  giveUp(): void {
    this.end();
    this.#areGivenUp = true;
  }

  /** The preview ends because the complete outcome is known again. */
  end(): void {
    this.#tell(undefined);
  }

  /** Forgets the previous run, so that its whole trace is not kept beside that of the newer one. */
  forget(): void {
    this.end();
    this.#settled = undefined;
    this.#settling = undefined;
  }

  /** Indexes what a complete run has left. Yields often; several callers may drive it. */
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

  /** Previews the edits since the complete run `last`. Yields often. */
  *make(last: Prediction, basis: Basis): Generator<void> {
    yield* this.prepare(last);
    if (this.#settled === undefined) return;
    const made = yield* previewOf(this.#settled, basis, this.#kept);
    // If the edit affects too much, the previous preview stays until the complete run has ended.
    if (made !== undefined) this.#tell(made === "as before" ? undefined : made);
  }

  #tell(preview: Preview | undefined): void {
    const before = this.#current;
    this.#current = preview;
    for (const one of [before, preview]) if (one !== undefined) this.#note(one);
  }

  #note(preview: Preview): void {
    const { compared, outcome } = preview;
    for (const reports of [compared, outcome.own, outcome.ofRead])
      for (const uri of byFileOf(reports).keys()) this.#noted.addOfPreview(uri);
    for (const judged of this.#judged())
      for (const reports of [comparedOf(judged), judged.outcome?.own, judged.outcome?.ofRead])
        for (const uri of preview.changedIn(reports ?? [])) this.#noted.addOfPreview(uri);
  }
}
