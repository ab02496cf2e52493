/**
 * What would become of CronJobs that are not due within a run. After everything has come to rest, a Job is made from each, as
 * `kubectl create job --from` does; its outcome is read, and it is deleted again. The outcome of the run itself was read before
 * and does not change.
 */
import { type Kind, type KubeObject, makeRef, type Ref, refOf } from "../../engine/api/meta.ts";
import type { ObjectMeta } from "../../engine/api/types.ts";
import { RunFacts } from "../../engine/explain/run-facts.ts";
import { isGood, type Verdict } from "../../engine/explain/verdict.ts";
import { compareVerdicts, verdictOn, verdictOnTried } from "../../engine/explain/verdicts.ts";
import type { NewJob, ObjectName, Step } from "../../engine/scenario.ts";
import type { Simulation } from "../../engine/simulation.ts";
import { comeToRest } from "../../protocol/what-if.ts";

type CronJob = KubeObject<"CronJob">;

export interface Trials {
  /** Verdicts on CronJobs, according to the outcome of their Jobs. */
  readonly ofCronJobs: ReadonlyMap<Ref, Verdict>;
  /** What blocks those Jobs: verdicts on their pods, and on objects that the pods wait for and that were well before. */
  readonly verdicts: readonly Verdict[];
  /** The state at rest, and in addition what the blocked Jobs have led to. */
  readonly facts: RunFacts;
  /** CronJobs for which no time was left. */
  readonly untried: ReadonlySet<Ref>;
}

export function noTrials(facts: RunFacts, untried: readonly CronJob[] = []): Trials {
  return { ofCronJobs: new Map(), verdicts: [], facts, untried: new Set(untried.map(refOf)) };
}

/** Unites trials of independent runs; `atRest` is what is known about all of them. */
export function unitedTrials(
  atRest: RunFacts,
  parts: readonly { readonly facts: RunFacts; readonly trials: Trials }[],
): Trials {
  const all = parts.map(({ trials }) => trials);
  const beside = parts.flatMap(({ facts, trials }) =>
    trials.facts === facts ? [] : [trials.facts],
  );
  return {
    ofCronJobs: new Map(all.flatMap(({ ofCronJobs }) => [...ofCronJobs])),
    verdicts: all.flatMap(({ verdicts }) => verdicts).sort(compareVerdicts),
    facts: beside.length === 0 ? atRest : RunFacts.united([atRest, ...beside]),
    untried: new Set(all.flatMap(({ untried }) => [...untried])),
  };
}

/** The first round tries all CronJobs, each further one a single CronJob. */
const roundCountMax = 40;
/** All rounds together may take half as many events as the run itself; at least this many. */
const eventCountMin = 10_000;

/** Continues a run that has come to rest; `atRest` is what is known about it at that point. Yields often. */
export function* tryCronJobs(
  simulation: Simulation,
  atRest: RunFacts,
  cronJobs: readonly CronJob[],
): Generator<void, Trials> {
  const { loop } = simulation.runtime;
  const eventCountMax = loop.eventCount + Math.max(eventCountMin, loop.eventCount / 2);
  const ofCronJobs = new Map<Ref, Verdict>();
  const verdicts: Verdict[] = [];
  const facts = [atRest];
  const untried = new Set(cronJobs.map(refOf));
  // No other CronJob may become due meanwhile.
  for (const step of suspensions(atRest)) yield* simulation.step(step);
  const rounds = [cronJobs];
  for (const [index, round] of rounds.entries()) {
    if (index >= roundCountMax || loop.eventCount > eventCountMax) break;
    const trials = round.map((cronJob) => trialOf(cronJob, atRest));
    for (const { job } of trials) yield* simulation.step({ type: "createJob", ...job });
    yield* simulation.step(comeToRest);
    if (simulation.stopped) break;
    const after = new RunFacts(simulation.trace);
    yield;
    for (const { cronJob, tried } of trials) {
      const verdict = verdictOnTried(after, cronJob, tried);
      const isBad = verdict !== undefined && !isGood(verdict);
      // Other Jobs of the round may have blocked it.
      if (isBad && round.length > 1) rounds.push([cronJob]);
      else untried.delete(refOf(cronJob));
      if (verdict === undefined || untried.has(verdict.ref)) continue;
      ofCronJobs.set(verdict.ref, verdict);
      if (!isBad) continue;
      facts.push(after);
      verdicts.push(...inItsWay(verdict, tried, atRest, after));
    }
    yield* simulation.step({
      type: "delete",
      objects: trials.map(({ job }) => nameOf("Job", job)),
    });
    yield* simulation.step(comeToRest);
  }
  return {
    ofCronJobs,
    verdicts: verdicts.sort(compareVerdicts),
    facts: facts.length === 1 ? atRest : RunFacts.united(facts),
    untried,
  };
}

function suspensions(facts: RunFacts): readonly Step[] {
  return facts
    .list("CronJob")
    .filter(({ spec }) => spec?.suspend !== true)
    .map((cronJob) => ({
      type: "patch",
      object: nameOf("CronJob", cronJob.metadata),
      patch: { spec: { suspend: true } },
    }));
}

interface Trial {
  readonly cronJob: CronJob;
  readonly job: NewJob;
  readonly tried: Ref;
}

/** A trial with a Job name that is not in use. */
function trialOf(cronJob: CronJob, facts: RunFacts): Trial {
  const { namespace = "", name: from } = cronJob.metadata;
  for (let i = 1; ; i++) {
    const name = i === 1 ? `${from}-trial` : `${from}-trial-${i}`;
    if (facts.get("Job", namespace, name) !== undefined) continue;
    return { cronJob, job: { namespace, name, from }, tried: makeRef("Job", namespace, name) };
  }
}

/** Leaves out the Job itself, which its CronJob represents. */
function inItsWay(
  { ref, chain }: Verdict,
  tried: Ref,
  atRest: RunFacts,
  after: RunFacts,
): readonly Verdict[] {
  const others = new Set(chain.map((link) => link.ref).filter((o) => o !== ref && o !== tried));
  return [...others].flatMap((other) => {
    const before = verdictIn(atRest, other);
    const verdict = verdictIn(after, other);
    if (verdict === undefined || isGood(verdict)) return [];
    return before === undefined || isGood(before) ? [verdict] : [];
  });
}

function verdictIn(facts: RunFacts, ref: Ref): Verdict | undefined {
  const object = facts.objects.get(ref);
  return object === undefined ? undefined : verdictOn(facts, object);
}

function nameOf(kind: Kind, { namespace, name = "" }: ObjectMeta): ObjectName {
  return { kind, name, ...(namespace !== undefined && { namespace }) };
}
