/**
 * Runs pods until enough of them have succeeded. Upstream: kube-controller-manager v1.36, pkg/controller/job/job_controller.go.
 * Not modeled: the limit of 500 uncounted pods, parallel creation within a batch.
 */
import { controllerOf, type Draft, type Key, keyOf, makeKey, refOf } from "../../api/meta.ts";
import { labelSelectorMatches } from "../../api/selection/label-selector.ts";
import { timestamp } from "../../api/timestamp.ts";
import type { JobStatus, OwnerReference } from "../../api/types.ts";
import { isFinished } from "../../matching/finished-job.ts";
import { isPodReady } from "../../matching/pod-condition.ts";
import type { Component, ComponentContext } from "../../runtime/component.ts";
import { event, type Task } from "../../runtime/effects.ts";
import type { Informer } from "../../runtime/informer.ts";
import { done, type Reconcile, retry, wait } from "../../runtime/outcome.ts";
import type { WorkQueue } from "../../runtime/work-queue.ts";
import type { Instant } from "../../trace/instant.ts";
import { changesSuspendedJobs, countsNoneActiveInBackOff } from "../../version-differences.ts";
import { claimChildren } from "../workload/claim-children.ts";
import { claimable, indexByController, ownerOf } from "../workload/controller-index.ts";
import { PodControl } from "../workload/pod-control.ts";
import { isCountedTerminating, isPodActive, isTerminating } from "../workload/pod-status.ts";
import { podFromTemplate } from "../workload/pod-template.ts";
import type { BatchEnd } from "../workload/slow-start.ts";
import { type BackoffRecord, PodBackoff, remainingMs } from "./backoff.ts";
import { condition, type Verdict, withCondition } from "./conditions.ts";
import { FinalizerExpectations } from "./finalizer-expectations.ts";
import { indexBackoffMs, limitsFailuresPerIndex, withFailureCount } from "./index-failures.ts";
import { indexesOf, isIndexed, pendingIndexes, validIndex, withIndex } from "./indexes.ts";
import {
  isTracked,
  type Job,
  leastFarFirst,
  type Pod,
  replacesOnlyFailed,
  trackingFinalizer,
} from "./job-pods.ts";
import { activeDeadlineLeftMs, type Tally, tallyOf, verdictOf } from "./tally.ts";
import { releasePod, trackPods } from "./tracking.ts";

/** How long changes of pods are collected before a Job is synced. Upstream: syncJobBatchPeriod. */
const batchMs = 1000;
/** Back-off of each Job; there is no limit for all Jobs together. Upstream: DefaultJobApiBackOff, MaxJobApiBackOff. */
const retries = { baseMs: 1000, maxMs: 60_000, perSecond: 1_000_000 };
/** Upstream: MaxPodCreateDeletePerSync. */
const podsPerSync = 500;

export const jobController: Component = {
  name: "job-controller",
  source: "job-controller",
  start: (ctx) => new JobController(ctx).run(),
};

/** What a sync has counted. Upstream: syncJobCtx. */
interface Round {
  readonly job: Job;
  readonly pods: readonly Pod[];
  readonly active: readonly Pod[];
  readonly tally: Tally;
  readonly record: BackoffRecord;
  /** True if the cache shows all pods that were created and deleted last. */
  readonly mayManage: boolean;
}

/** Numbers of pods after creations and deletions. */
interface Managed {
  readonly active: number;
  readonly ready: number;
  readonly terminating: number;
  readonly failure?: string;
  readonly waitMs?: number;
}

class JobController {
  readonly #ctx: ComponentContext;
  readonly #jobs: Informer<"Job">;
  readonly #pods: Informer<"Pod">;
  readonly #queue: WorkQueue;
  readonly #orphans: WorkQueue;
  readonly #control = new PodControl();
  readonly #expectations = this.#control.expectations;
  readonly #released = new FinalizerExpectations();
  readonly #backoff = new PodBackoff();

  constructor(ctx: ComponentContext) {
    this.#ctx = ctx;
    this.#jobs = ctx.informer("Job");
    this.#pods = ctx.informer("Pod");
    this.#queue = ctx.queue({ ...retries, workers: 5, sync: (key) => this.#sync(key) });
    this.#orphans = ctx.queue({ ...retries, sync: (key) => this.#releaseOrphan(key) });
  }

  run(): void {
    indexByController(this.#pods);
    this.#jobs.on({
      add: (job) => this.#queue.add(keyOf(job)),
      update: (before, job) => {
        const isSame = before.metadata.generation === job.metadata.generation;
        this.#queue.addAfter(keyOf(job), isSame ? batchMs : 0);
        if (isFinished(job)) this.#wakeOrphans(job);
      },
      delete: (job) => {
        this.#expectations.forget(keyOf(job));
        this.#released.forget(keyOf(job));
        this.#backoff.forget(keyOf(job));
        this.#wakeOrphans(job);
      },
    });
    this.#pods.on({
      add: (pod) => this.#podChanged(pod, isTerminating(pod) ? "gone" : "made"),
      update: (before, pod) => {
        if (!isTracked(pod)) this.#noteRelease(pod, controllerOf(before));
        if (controllerOf(before)?.uid !== controllerOf(pod)?.uid)
          this.#podChanged(before, "changed");
        this.#podChanged(pod, isTerminating(pod) ? "gone" : "changed");
      },
      delete: (pod) => {
        this.#noteRelease(pod, controllerOf(pod));
        this.#podChanged(pod, "gone");
      },
    });
  }

  #noteRelease(pod: Pod, controller: OwnerReference | undefined): void {
    const { namespace, uid } = pod.metadata;
    if (controller !== undefined)
      this.#released.removalObserved(makeKey(namespace, controller.name), uid);
  }

  #podChanged(pod: Pod, what: "made" | "changed" | "gone"): void {
    const controller = controllerOf(pod);
    if (controller === undefined) {
      // The garbage collector may have removed the reference to its Job.
      if (isTracked(pod)) this.#orphans.add(keyOf(pod));
      if (what === "gone") return;
      for (const job of this.#jobs.list(pod.metadata.namespace)) {
        if (labelSelectorMatches(job.spec?.selector, pod.metadata.labels))
          this.#queue.addAfter(keyOf(job), batchMs);
      }
      return;
    }
    if (controller.kind !== "Job") return;
    const job = ownerOf(this.#jobs, "Job", pod);
    if (job === undefined || isFinished(job)) {
      if (isTracked(pod)) this.#orphans.add(keyOf(pod));
      return;
    }
    if (what === "made") this.#expectations.creationObserved(keyOf(job));
    if (what === "gone") this.#expectations.deletionObserved(keyOf(job), pod.metadata.uid);
    this.#queue.addAfter(keyOf(job), batchMs);
  }

  #wakeOrphans(job: Job): void {
    for (const pod of this.#pods.byIndex("controller", job.metadata.uid))
      if (isTracked(pod)) this.#orphans.add(keyOf(pod));
  }

  /** Removes the finalizer from a pod that no Job counts any more. Upstream: syncOrphanPod. */
  *#releaseOrphan(key: Key): Reconcile {
    const pod = this.#pods.get(key);
    if (pod === undefined || !isTracked(pod)) return done("Released");
    const controller = controllerOf(pod);
    if (controller !== undefined && !isJobReference(controller)) return done("OfAnotherKind");
    const job = ownerOf(this.#jobs, "Job", pod);
    if (job !== undefined && !(isOurs(job) && isFinished(job))) return done("Counted");
    const failure = yield* releasePod(pod);
    return failure === undefined ? done("Released") : retry(failure);
  }

  /** Upstream: syncJob. */
  *#sync(key: Key): Reconcile {
    const known = this.#jobs.get(key);
    if (known === undefined) return done("Deleted");
    if (isFinished(known)) return done("Finished");
    if (!isOurs(known)) return done("ManagedByOthers");
    const job = started(known, this.#ctx.now);
    const mayManage = this.#expectations.satisfied(key);
    const claimed = yield* claimChildren<"Pod">(claimable(this.#pods, job), {
      owner: job,
      matches: (pod) => labelSelectorMatches(job.spec?.selector, pod.metadata.labels),
      finalizer: trackingFinalizer,
    });
    if (claimed.error !== undefined) return retry(claimed.error.message);
    const tally = tallyOf(job, claimed.children, this.#released.expected(key));
    const round: Round = {
      job,
      pods: claimed.children,
      active: claimed.children.filter(isPodActive),
      tally,
      record: this.#backoff.after(key, tally.newSucceeded, tally.newFailed),
      mayManage,
    };
    const ending = verdictOf(job, round.pods, tally, this.#ctx.now);
    if (ending !== undefined) return yield* this.#end(round, ending);
    // Scheduled now: failures below must not delay the deadline.
    const deadlineMs = activeDeadlineLeftMs(job, this.#ctx.now);
    if (deadlineMs !== undefined) this.#queue.addAfter(key, deadlineMs);
    return yield* this.#goOn(round);
  }

  /** Ends the Job, after deleting its active pods. */
  *#end(round: Round, verdict: Verdict): Reconcile {
    const removed = yield* this.#control.deletePods(round.job, round.active);
    const isOver = removed.error === undefined && round.mayManage;
    const status = withCounters(round.job, without(round, removed.deleted));
    const failure = yield* this.#track(round, status, isOver ? verdict : undefined);
    const problem = removed.error?.message ?? failure;
    return problem === undefined ? done(verdict.reason) : retry(problem);
  }

  *#goOn(round: Round): Reconcile {
    const { job, tally } = round;
    const isManaged = round.mayManage && job.metadata.deletionTimestamp === undefined;
    const managed = isManaged ? yield* this.#manage(round) : asTheyAre(round);
    const { completions } = job.spec ?? {};
    const isComplete =
      managed.active === 0 &&
      (completions === undefined ? tally.succeeded > 0 : tally.succeeded >= completions);
    let status = withCounters(job, managed);
    if (!isComplete && isManaged) status = yield* this.#noteSuspension(job, status);
    const verdict: Verdict | undefined = isComplete
      ? {
          succeeded: true,
          reason: "CompletionsReached",
          message: "Reached expected number of succeeded pods",
        }
      : undefined;
    const failure = yield* this.#track(round, status, verdict);
    const problem = failure ?? managed.failure;
    const delayMs = managed.waitMs && Math.max(managed.waitMs, batchMs);
    if (problem !== undefined) {
      if (delayMs !== undefined) this.#queue.addAfter(keyOf(job), delayMs);
      return retry(problem);
    }
    return delayMs === undefined ? done("Synced") : wait("BackOff", delayMs);
  }

  #track(
    { job, tally, record }: Round,
    status: JobStatus,
    verdict: Verdict | undefined,
  ): Task<string | undefined> {
    return trackPods({
      job,
      tally,
      status,
      verdict,
      released: this.#released,
      now: this.#ctx.now,
      noted: () => this.#backoff.keep(keyOf(job), record),
    });
  }

  *#noteSuspension(job: Job, status: JobStatus): Task<JobStatus> {
    const before = status.conditions ?? [];
    const { now } = this.#ctx;
    if (job.spec?.suspend === true) {
      const after = withCondition(
        before,
        condition("Suspended", "True", "JobSuspended", "Job suspended", now),
      );
      if (after === before) return status;
      yield* event(refOf(job), "Normal", "Suspended", "Job suspended");
      if (!changesSuspendedJobs(this.#ctx.version)) return { ...status, conditions: after };
      const { startTime: _, ...rest } = status;
      return { ...rest, conditions: after };
    }
    const after = withCondition(
      before,
      condition("Suspended", "False", "JobResumed", "Job resumed", now),
    );
    if (after === before) return status;
    yield* event(refOf(job), "Normal", "Resumed", "Job resumed");
    // activeDeadlineSeconds counts from the resumption.
    return { ...status, conditions: after, startTime: timestamp(now) };
  }

  /** Upstream: manageJob. */
  *#manage(round: Round): Task<Managed> {
    const { job, active, tally, record } = round;
    const { parallelism = 1, completions, suspend } = job.spec ?? {};
    const wanted =
      suspend === true
        ? 0
        : completions === undefined
          ? tally.succeeded > 0
            ? active.length
            : parallelism
          : Math.max(0, Math.min(completions - tally.succeeded, parallelism));
    const surplus = surplusOf(job, active, Math.max(0, active.length - wanted));
    if (surplus.length > 0) return yield* this.#deletePods(round, surplus);
    const missing = wanted - active.length - (replacesOnlyFailed(job) ? tally.terminating : 0);
    if (missing <= 0) return asTheyAre(round);
    const waitMs = limitsFailuresPerIndex(job) ? 0 : remainingMs(record, this.#ctx.now);
    if (waitMs > 0) return this.#inBackOff(round, waitMs);
    return yield* this.#createPods(round, Math.min(missing, podsPerSync));
  }

  #inBackOff(round: Round, waitMs: number): Managed {
    const there = { ...asTheyAre(round), waitMs };
    return countsNoneActiveInBackOff(this.#ctx.version) ? { ...there, active: 0 } : there;
  }

  /** Removes the pods' finalizer before deleting them, so that they do not count as failed. Upstream: deleteJobPods. */
  *#deletePods(round: Round, surplus: readonly Pod[]): Task<Managed> {
    const released: Pod[] = [];
    let failure: string | undefined;
    for (const pod of surplus.slice(0, podsPerSync)) {
      const kept = yield* releasePod(pod);
      if (kept === undefined) released.push(pod);
      else failure ??= kept;
    }
    const removed = yield* this.#control.deletePods(round.job, released);
    failure ??= removed.error?.message;
    return { ...without(round, removed.deleted), ...(failure !== undefined && { failure }) };
  }

  *#createPods(round: Round, count: number): Task<Managed> {
    const { job, active, pods, tally } = round;
    const there = asTheyAre(round);
    if (!isIndexed(job)) {
      const end = yield* this.#control.createPods(job, count, () => plainPod(job));
      return afterCreation(there, end);
    }
    const { now } = this.#ctx;
    const taken = new Set([
      ...tally.succeededIndexes,
      ...tally.failedIndexes,
      ...indexesOf(
        replacesOnlyFailed(job) ? [...active, ...pods.filter(isCountedTerminating)] : active,
      ),
    ]);
    const pending = pendingIndexes(job.spec?.completions ?? 0, taken, count).map((index) => ({
      index,
      predecessor: tally.awaitingSuccessor.get(index),
    }));
    const waits = pending.map(({ predecessor }) => indexBackoffMs(predecessor, now));
    const due = pending.filter((_, i) => waits[i] === 0);
    if (due.length === 0)
      return waits.length > 0 ? this.#inBackOff(round, Math.min(...waits)) : there;
    const end = yield* this.#control.createPods(job, due.length, (i) => {
      const { index, predecessor } = due[i] ?? { index: 0 };
      const draft = withIndex(plainPod(job), job, index);
      return limitsFailuresPerIndex(job) ? withFailureCount(draft, job, predecessor) : draft;
    });
    return afterCreation(there, end);
  }
}

/** False if spec.managedBy names another controller. */
function isOurs(job: Job): boolean {
  return (job.spec?.managedBy ?? "kubernetes.io/job-controller") === "kubernetes.io/job-controller";
}

/** Fills in the initial status, with startTime unless the Job is suspended. */
function started(job: Job, now: Instant): Job {
  const { suspend } = job.spec ?? {};
  return {
    ...job,
    status: {
      uncountedTerminatedPods: {},
      ...(suspend !== true && { startTime: timestamp(now) }),
      ...job.status,
    },
  };
}

function withCounters(job: Job, { active, ready, terminating }: Managed): JobStatus {
  const { active: _, ...rest } = job.status ?? {};
  return { ...rest, ...(active > 0 && { active }), ready, terminating };
}

/** Checks the group too: other groups have kinds of that name. */
function isJobReference({ apiVersion, kind }: OwnerReference): boolean {
  return apiVersion === "batch/v1" && kind === "Job";
}

function asTheyAre({ active, tally: { ready, terminating } }: Round): Managed {
  return { active: active.length, ready, terminating };
}

function without({ active, tally }: Round, deleted: readonly Pod[]): Managed {
  const gone = new Set(deleted);
  const left = active.filter((pod) => !gone.has(pod));
  return {
    active: left.length,
    ready: left.filter(isPodReady).length,
    terminating: tally.terminating + deleted.length,
  };
}

function afterCreation(there: Managed, { successes, error }: BatchEnd): Managed {
  const active = there.active + successes;
  return { ...there, active, ...(error !== undefined && { failure: error.message }) };
}

/** Pods whose index is invalid or taken twice, and others up to `atLeast` in all. Upstream: activePodsForRemoval. */
function surplusOf(job: Job, active: readonly Pod[], atLeast: number): readonly Pod[] {
  if (!isIndexed(job)) return leastFarFirst(active).slice(0, atLeast);
  const taken = new Set<number>();
  const useless: Pod[] = [];
  const useful: Pod[] = [];
  for (const pod of [...leastFarFirst(active)].reverse()) {
    const index = validIndex(job, pod);
    (index === undefined || taken.has(index) ? useless : useful).push(pod);
    if (index !== undefined) taken.add(index);
  }
  return [...useless, ...leastFarFirst(useful).slice(0, Math.max(0, atLeast - useless.length))];
}

function plainPod(job: Job): Draft<"Pod"> {
  return tracked(podFromTemplate(job.spec?.template, job));
}

function tracked(draft: Draft<"Pod">): Draft<"Pod"> {
  const finalizers = draft.metadata.finalizers ?? [];
  if (finalizers.includes(trackingFinalizer)) return draft;
  return {
    ...draft,
    metadata: { ...draft.metadata, finalizers: [...finalizers, trackingFinalizer] },
  };
}
