/** One run of the engine on a scenario, cut into slices, and what is read from it. */
import { makeRef, type Ref } from "../../engine/api/meta.ts";
import { RunFacts } from "../../engine/explain/run-facts.ts";
import { verdictsInSteps } from "../../engine/explain/verdicts.ts";
import { Simulation } from "../../engine/simulation.ts";
import type { Environment } from "../workspace/environment.ts";
import type { Prediction } from "./prediction.ts";
import type { EnvironmentScenario } from "./scenario-of.ts";
import { sourceOf } from "./source-of.ts";

/** Loop events between two looks at the clock; one may cost a microsecond or, with a thousand nodes, milliseconds. */
const sliceEventCount = 1;
/** A yield goes through several generators up to whoever drives the run, which takes as long as many events do. */
const betweenYieldsMs = 0.5;
/** Far more than a cluster of ten thousand objects needs; a run that reaches it never comes to rest. */
const eventCountMax = 20_000_000;

/** As it is before its run; who starts its cluster ahead hands it to `runPrediction`. */
export function simulationOf({ scenario }: EnvironmentScenario): Simulation {
  const limits = { eventCountMax, ...scenario.limits };
  return new Simulation({ ...scenario, limits }, sliceEventCount);
}

/** Yields often: whoever drives it decides how long others have to wait. */
export function* runPrediction(
  environment: Environment,
  from: EnvironmentScenario,
  simulation: Simulation = simulationOf(from),
): Generator<void, Prediction> {
  yield* seldom(simulation.slices(from.scenario.steps));
  const { trace, runtime } = simulation;
  const facts = new RunFacts(trace);
  yield;
  const all = yield* verdictsInSteps(facts);
  const limit = trace.entries.findLast((entry) => entry.type === "limit");
  const made: Prediction = {
    ...from,
    environment,
    trace,
    facts,
    verdicts: all,
    verdictOf: new Map(all.map((verdict) => [verdict.ref, verdict])),
    machines: [...runtime.machines.values()].map(({ name, mounts }) => ({
      name,
      mounts: mounts.entries,
    })),
    ...(limit?.type === "limit" && { limit: limit.message }),
  };
  return { ...made, verdicts: all.filter(({ ref }) => !isOthers(made, ref)) };
}

/** As long steps as may be made without asking whether others wait. */
export function* seldom(slices: Iterator<void>): Generator<void> {
  let begunAt = performance.now();
  while (slices.next().done !== true) {
    if (performance.now() - begunAt < betweenYieldsMs) continue;
    yield;
    begunAt = performance.now();
  }
}

/** Whether an object was in the imported cluster, and no file has anything to do with it. */
export function isOthers(prediction: Prediction, ref: Ref): boolean {
  const { imported } = prediction.environment;
  if (imported?.byRef.has(ref) !== true || sourceOf(prediction, ref) !== undefined) return false;
  const user = userOf(prediction, ref);
  return user === undefined || isOthers(prediction, user);
}

/** For whom a volume or an attachment is there. */
export function userOf({ facts }: Prediction, ref: Ref): Ref | undefined {
  const object = facts.objects.get(ref);
  if (object?.kind === "VolumeAttachment") {
    const { persistentVolumeName: name } = object.spec.source;
    return name === undefined ? undefined : makeRef("PersistentVolume", undefined, name);
  }
  if (object?.kind !== "PersistentVolume") return undefined;
  const { namespace, name } = object.spec.claimRef ?? {};
  return name === undefined ? undefined : makeRef("PersistentVolumeClaim", namespace, name);
}
