/** Keeps runs of the engine with their outcomes: undoing an edit, or typing the same again, brings one back. */
import type { Prediction } from "../prediction/prediction.ts";
import { runPrediction } from "../prediction/predictor.ts";
import type { EnvironmentScenario } from "../prediction/scenario-of.ts";
import type { Environment } from "../workspace/environment.ts";
import { clusterSignature } from "./cluster-changes.ts";
import { generatedText } from "./generated-text.ts";
import { textOf } from "./object-text.ts";
import { StartedCluster } from "./started-cluster.ts";

/** For all kept runs together: the memory of a run grows with its objects. */
const objectCountMax = 2000;

export class KeptRuns {
  /** By what was simulated. */
  readonly #known = new Map<string, Prediction>();
  readonly #started = new StartedCluster();

  /** For status reports. */
  get count(): number {
    return this.#known.size;
  }

  /** Returns a kept run of the same objects, or runs the engine. Yields often. */
  *run(environment: Environment, from: EnvironmentScenario): Generator<void, Prediction> {
    if (environment.objects.length > objectCountMax) return yield* this.#run(environment, from);
    const texts = [
      from.version,
      clusterSignature(from.assumed.cluster),
      generatedText(environment),
    ];
    for (const { object, file } of environment.objects) {
      texts.push(`${file.uri} ${textOf(object)}`);
      yield;
    }
    const key = texts.join("\n");
    const known = this.#known.get(key);
    if (known !== undefined) return moved(known, environment, from);
    const made = yield* this.#run(environment, from);
    this.#keep(key, made);
    return made;
  }

  *#run(environment: Environment, from: EnvironmentScenario): Generator<void, Prediction> {
    return yield* runPrediction(environment, from, yield* this.#started.take(from));
  }

  /** Prepares the next run in an imported cluster. Yields often. */
  *prepare(from: EnvironmentScenario): Generator<void> {
    if (from.assumed.cluster.state !== undefined) yield* this.#started.start(from);
  }

  #keep(key: string, prediction: Prediction): void {
    this.#known.set(key, prediction);
    let count = 0;
    for (const { environment } of this.#known.values()) count += environment.objects.length;
    for (const [oldest, { environment }] of this.#known) {
      if (count <= objectCountMax) return;
      count -= environment.objects.length;
      this.#known.delete(oldest);
    }
  }
}

/** The same run for equal objects at other places. */
export function moved(
  prediction: Prediction,
  environment: Environment,
  from?: EnvironmentScenario,
): Prediction {
  if (prediction.environment === environment) return prediction;
  const now = new Map(
    prediction.environment.objects.map((entry, index) => [entry, environment.objects[index]]),
  );
  const applied = from?.applied ?? prediction.applied.map((entry) => now.get(entry) ?? entry);
  return { ...prediction, ...from, applied, environment };
}
