/** Runs the engine on a scenario in slices, and reads the result. */
import { makeRef, type Ref, refOf } from "../../engine/api/meta.ts";
import { awaitsItsTime } from "../../engine/explain/pods/cron-job-verdict.ts";
import { RunFacts } from "../../engine/explain/run-facts.ts";
import type { Verdict } from "../../engine/explain/verdict.ts";
import { compareVerdicts, verdictsInSteps } from "../../engine/explain/verdicts.ts";
import { Simulation } from "../../engine/simulation.ts";
import type { Environment } from "../workspace/environment.ts";
import type { Prediction } from "./prediction.ts";
import type { EnvironmentScenario } from "./scenario-of.ts";
import { sourceOf } from "./source-of.ts";
import { noTrials, tryCronJobs } from "./trials.ts";

/** Events of the loop between two checks of the clock; one may take a microsecond or, with a thousand nodes, milliseconds. */
const sliceEventCount = 1;
/** A yield passes through several generators up to the driver of the run, which takes as long as many events. */
const betweenYieldsMs = 0.5;
/** Far more than a cluster of ten thousand objects needs; a run that reaches it never comes to rest. */
const eventCountMax = 20_000_000;

/** The simulation before its run; it may be started early and passed to `runPrediction`. */
export function simulationOf({ scenario }: EnvironmentScenario): Simulation {
  const limits = { eventCountMax, ...scenario.limits };
  return new Simulation({ ...scenario, limits }, sliceEventCount);
}

/** Yields often, so that its driver decides how long others have to wait. */
export function* runPrediction(
  environment: Environment,
  from: EnvironmentScenario,
  simulation: Simulation = simulationOf(from),
): Generator<void, Prediction> {
  yield* seldom(simulation.slices(from.scenario.steps));
  const facts = new RunFacts(simulation.trace);
  yield;
  const all = yield* verdictsInSteps(facts);
  const limit = simulation.trace.entries.findLast((entry) => entry.type === "limit");
  const atRest: Prediction = {
    ...from,
    environment,
    trace: simulation.trace,
    facts,
    verdicts: all,
    verdictOf: byRef(all),
    trials: noTrials(facts),
    machines: [...simulation.runtime.machines.values()].map(({ name, mounts }) => ({
      name,
      mounts: mounts.entries,
    })),
    ...(limit?.type === "limit" && { limit: limit.message }),
  };
  const made = yield* withTrials(atRest, simulation);
  const isOwn = ({ ref }: Verdict): boolean => !isOthers(made, ref);
  const { trials, verdicts } = made;
  return {
    ...made,
    verdicts: verdicts.filter(isOwn),
    trials: { ...trials, verdicts: trials.verdicts.filter(isOwn) },
  };
}

function byRef(verdicts: readonly Verdict[]): ReadonlyMap<Ref, Verdict> {
  return new Map(verdicts.map((verdict) => [verdict.ref, verdict]));
}

/** Continues the prediction's run with the trials of CronJobs. Its trace and facts stay those from before. */
function* withTrials(atRest: Prediction, simulation: Simulation): Generator<void, Prediction> {
  const { facts } = atRest;
  const waiting = facts
    .list("CronJob")
    .filter((cronJob) => awaitsItsTime(facts, cronJob) && !isOthers(atRest, refOf(cronJob)));
  if (waiting.length === 0) return atRest;
  if (simulation.stopped) return { ...atRest, trials: noTrials(facts, waiting) };
  const trace = simulation.trace.copy();
  const trials = yield* seldom(tryCronJobs(simulation, facts, waiting));
  const verdicts = atRest.verdicts
    .map((verdict) => trials.ofCronJobs.get(verdict.ref) ?? verdict)
    .sort(compareVerdicts);
  return { ...atRest, trace, trials, verdicts, verdictOf: byRef(verdicts) };
}

/** Yields only as often as needed to let others work. */
export function* seldom<T>(slices: Iterator<void, T>): Generator<void, T> {
  let begunAt = performance.now();
  for (;;) {
    const next = slices.next();
    if (next.done === true) return next.value;
    if (performance.now() - begunAt < betweenYieldsMs) continue;
    yield;
    begunAt = performance.now();
  }
}

/** True if an object was in the imported cluster and no file is related to it. */
export function isOthers(prediction: Prediction, ref: Ref): boolean {
  const { imported } = prediction.environment;
  if (imported?.byRef.has(ref) !== true || sourceOf(prediction, ref) !== undefined) return false;
  const user = userOf(prediction, ref);
  return user === undefined || isOthers(prediction, user);
}

/** What an object exists for: the claim of a volume, the volume of an attachment. Undefined for everything else. */
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
