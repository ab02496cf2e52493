/**
 * Makes Jobs on schedule. Upstream: kube-controller-manager v1.36, pkg/controller/cronjob/cronjob_controllerv2.go.
 * Not modelled: time zones, the metric and event about many missed times (the latest one counts, as upstream), the event about
 * a time beyond the deadline: such a time is not looked at in the first place.
 */
import { deepEqual } from "../../api/json.ts";
import {
  controllerOf,
  type Draft,
  type Key,
  type KubeObject,
  keyOf,
  makeKey,
  refOf,
} from "../../api/meta.ts";
import type { CronJobStatus, ObjectReference } from "../../api/types.ts";
import { scheduleError } from "../../api/validation/cron-schedule.ts";
import type { Component, ComponentContext } from "../../runtime/component.ts";
import {
  create,
  event,
  getLive,
  isNotFound,
  remove,
  type Task,
  updateStatus,
} from "../../runtime/effects.ts";
import type { Informer } from "../../runtime/informer.ts";
import { done, type Outcome, type Reconcile, retry, wait } from "../../runtime/outcome.ts";
import { instantOf, timestamp } from "../../runtime/timestamp.ts";
import type { WorkQueue } from "../../runtime/work-queue.ts";
import type { Instant } from "../../trace/trace.ts";
import { controlledBy, indexByController } from "../workload/controller-index.ts";
import { isNamespaceTerminating } from "../workload/namespace-terminating.ts";
import { controllerReference } from "../workload/pod-template.ts";
import { nextTime, parseSchedule, type Schedule } from "./schedule.ts";

type CronJob = KubeObject<"CronJob">;
type Job = KubeObject<"Job">;

/** So that a job is not looked for just before its time. Upstream: nextScheduleDelta. */
const deltaMs = 100;
/** 2026-01-01 in minutes since the epoch: Jobs are named after the minute of their time. */
const startMinute = 29_453_760;

export const cronJobController: Component = {
  name: "cronjob-controller",
  source: "cronjob-controller",
  start: (ctx) => new CronJobController(ctx).run(),
};

class CronJobController {
  readonly #ctx: ComponentContext;
  readonly #cronJobs: Informer<"CronJob">;
  readonly #jobs: Informer<"Job">;
  readonly #queue: WorkQueue;

  constructor(ctx: ComponentContext) {
    this.#ctx = ctx;
    this.#cronJobs = ctx.informer("CronJob");
    this.#jobs = ctx.informer("Job");
    this.#queue = ctx.queue({ name: "sync", workers: 5, sync: (key) => this.#sync(key) });
  }

  run(): void {
    indexByController(this.#jobs);
    const wake = (cronJob: CronJob): void => this.#queue.add(keyOf(cronJob));
    this.#cronJobs.on({ add: wake, update: (_, cronJob) => wake(cronJob), delete: wake });
    const wakeOwner = (job: Job): void => {
      const controller = controllerOf(job);
      if (controller?.kind === "CronJob")
        this.#queue.add(makeKey(job.metadata.namespace, controller.name));
    };
    this.#jobs.on({ add: wakeOwner, update: (_, job) => wakeOwner(job), delete: wakeOwner });
  }

  *#sync(key: Key): Reconcile {
    const cronJob = this.#cronJobs.get(key);
    if (cronJob === undefined) return done("Deleted");
    const jobs = controlledBy(this.#jobs, cronJob.metadata.uid);
    const status = yield* this.#settleActive(cronJob, jobs);
    const end = yield* this.#runDue(cronJob, status);
    yield* this.#cleanUp(cronJob, jobs);
    if (!deepEqual(cronJob.status ?? {}, end.status)) {
      const written = yield* updateStatus<"CronJob">({ ...cronJob, status: end.status });
      if (!written.ok && !isNotFound(written.error)) return retry(written.error.message);
    }
    return end.outcome;
  }

  /** Takes ended and vanished Jobs off the list of active ones. */
  *#settleActive(cronJob: CronJob, jobs: readonly Job[]): Task<CronJobStatus> {
    let active = cronJob.status?.active ?? [];
    let lastSuccessfulTime = cronJob.status?.lastSuccessfulTime;
    for (const job of jobs) {
      const isListed = active.some((reference) => reference.uid === job.metadata.uid);
      const finished = finishedCondition(job);
      if (!isListed && finished === undefined) {
        const text = `Saw a job that the controller did not create or forgot: ${job.metadata.name}`;
        yield* event(refOf(cronJob), "Warning", "UnexpectedJob", text);
      } else if (isListed && finished !== undefined) {
        active = active.filter((reference) => reference.uid !== job.metadata.uid);
        const text = `Saw completed job: ${job.metadata.name}, condition: ${finished}`;
        yield* event(refOf(cronJob), "Normal", "SawCompletedJob", text);
      } else if (finished === "Complete") {
        lastSuccessfulTime = later(lastSuccessfulTime, job.status?.completionTime);
      }
    }
    for (const reference of active) {
      if (jobs.some((job) => job.metadata.uid === reference.uid)) continue;
      const live = yield* getLive("Job", cronJob.metadata.namespace, reference.name ?? "");
      if (live.ok) continue; // The cache does not know of it yet.
      yield* event(
        refOf(cronJob),
        "Normal",
        "MissingJob",
        `Active job went missing: ${reference.name ?? ""}`,
      );
      active = active.filter((other) => other !== reference);
    }
    return {
      ...withActive(cronJob.status ?? {}, active),
      ...(lastSuccessfulTime !== undefined && { lastSuccessfulTime }),
    };
  }

  /** Upstream: syncCronJob, from the look at the schedule on. */
  *#runDue(
    cronJob: CronJob,
    status: CronJobStatus,
  ): Task<{ readonly status: CronJobStatus; readonly outcome: Outcome }> {
    const { schedule: text = "", suspend, concurrencyPolicy } = cronJob.spec ?? {};
    if (cronJob.metadata.deletionTimestamp !== undefined)
      return { status, outcome: done("BeingDeleted") };
    if (suspend === true) return { status, outcome: done("Suspended") };
    const schedule = parseSchedule(text);
    if (schedule === undefined) {
      yield* event(
        refOf(cronJob),
        "Warning",
        "UnparseableSchedule",
        `unparseable schedule: "${text}" : ${scheduleError(text) ?? "invalid duration"}`,
      );
      return { status, outcome: done("UnparseableSchedule") };
    }
    const { now } = this.#ctx;
    const later = this.#nextLook(schedule);
    const due = latestTime(schedule, cronJob, now);
    if (due === undefined) return { status, outcome: later };
    const active = status.active ?? [];
    if (concurrencyPolicy === "Forbid" && active.length > 0) {
      const text =
        "Not starting job because prior execution is running and concurrency policy is Forbid";
      yield* event(refOf(cronJob), "Normal", "JobAlreadyActive", text);
      return { status, outcome: later };
    }
    if (concurrencyPolicy !== "Replace") return yield* this.#start(cronJob, status, due, later);
    const kept = yield* this.#deleteActive(cronJob, active);
    return yield* this.#start(cronJob, withActive(status, kept), due, later);
  }

  #nextLook(schedule: Schedule): Outcome {
    const next = nextTime(schedule, this.#ctx.now);
    return next === undefined
      ? done("NeverAgain")
      : wait("Scheduled", next - this.#ctx.now + deltaMs);
  }

  *#deleteActive(
    cronJob: CronJob,
    active: readonly ObjectReference[],
  ): Task<readonly ObjectReference[]> {
    const kept: ObjectReference[] = [];
    for (const reference of active) {
      const deleted = yield* this.#deleteJob(cronJob, reference.name ?? "");
      if (!deleted) kept.push(reference);
    }
    return kept;
  }

  *#start(
    cronJob: CronJob,
    status: CronJobStatus,
    due: Instant,
    later: Outcome,
  ): Task<{ readonly status: CronJobStatus; readonly outcome: Outcome }> {
    const draft = jobFor(cronJob, due);
    const created = yield* create<"Job">(draft);
    if (created.ok) {
      const text = `Created job ${created.object.metadata.name}`;
      yield* event(refOf(cronJob), "Normal", "SuccessfulCreate", text);
      return { status: withStarted(status, created.object, due), outcome: later };
    }
    const { error } = created;
    if (error.reason === "AlreadyExists") {
      const live = yield* getLive("Job", cronJob.metadata.namespace, draft.metadata.name ?? "");
      if (!live.ok) return { status, outcome: retry(live.error.message) };
      // Made by ourselves, and the status was not written any more; else by somebody who keeps the status as well.
      const isForgotten =
        controllerOf(live.object)?.uid === cronJob.metadata.uid &&
        !status.active?.some((reference) => reference.uid === live.object.metadata.uid);
      return isForgotten
        ? { status: withStarted(status, live.object, due), outcome: later }
        : { status, outcome: later };
    }
    if (!isNamespaceTerminating(error)) {
      const text = `Error creating job: ${error.message}`;
      yield* event(refOf(cronJob), "Warning", "FailedCreate", text);
    }
    return { status, outcome: retry(error.message) };
  }

  /** Upstream: cleanupFinishedJobs. The oldest beyond the limits go. */
  *#cleanUp(cronJob: CronJob, jobs: readonly Job[]): Task {
    const { successfulJobsHistoryLimit, failedJobsHistoryLimit } = cronJob.spec ?? {};
    const of = (type: string): readonly Job[] =>
      jobs.filter((job) => finishedCondition(job) === type);
    yield* this.#keepNewest(cronJob, of("Complete"), successfulJobsHistoryLimit);
    yield* this.#keepNewest(cronJob, of("Failed"), failedJobsHistoryLimit);
  }

  *#keepNewest(cronJob: CronJob, jobs: readonly Job[], limit: number | undefined): Task {
    if (limit === undefined || jobs.length <= limit) return;
    const oldestFirst = [...jobs].sort((a, b) => {
      const [first, second] = [a.status?.startTime ?? "", b.status?.startTime ?? ""];
      if (first !== second) return first < second ? -1 : 1;
      return a.metadata.name < b.metadata.name ? -1 : 1;
    });
    for (const job of oldestFirst.slice(0, jobs.length - limit))
      yield* this.#deleteJob(cronJob, job.metadata.name);
  }

  *#deleteJob(cronJob: CronJob, name: string): Task<boolean> {
    const removed = yield* remove("Job", cronJob.metadata.namespace, name, {
      propagationPolicy: "Background",
    });
    if (removed.ok) {
      yield* event(refOf(cronJob), "Normal", "SuccessfulDelete", `Deleted job ${name}`);
      return true;
    }
    if (isNotFound(removed.error)) return true;
    yield* event(
      refOf(cronJob),
      "Warning",
      "FailedDelete",
      `Deleted job: ${removed.error.message}`,
    );
    return false;
  }
}

function finishedCondition(job: Job): "Complete" | "Failed" | undefined {
  const is = (type: string): boolean =>
    job.status?.conditions?.some((c) => c.type === type && c.status === "True") === true;
  return is("Complete") ? "Complete" : is("Failed") ? "Failed" : undefined;
}

function later(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a < b ? b : a;
}

function withActive(
  { active: _, ...rest }: CronJobStatus,
  active: readonly ObjectReference[],
): CronJobStatus {
  return active.length === 0 ? rest : { ...rest, active };
}

function withStarted(status: CronJobStatus, job: Job, due: Instant): CronJobStatus {
  const { apiVersion, kind, metadata } = job;
  const reference: ObjectReference = {
    apiVersion,
    kind,
    name: metadata.name,
    uid: metadata.uid,
    resourceVersion: metadata.resourceVersion,
    ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
  };
  return {
    ...status,
    active: [...(status.active ?? []), reference],
    lastScheduleTime: timestamp(due),
  };
}

/** The last time of the schedule that has come since the last run; undefined where none has. Upstream: mostRecentScheduleTime. */
function latestTime(schedule: Schedule, cronJob: CronJob, now: Instant): Instant | undefined {
  const { lastScheduleTime } = cronJob.status ?? {};
  const since = instantOf(lastScheduleTime ?? cronJob.metadata.creationTimestamp);
  const deadline = cronJob.spec?.startingDeadlineSeconds;
  const earliest = deadline === undefined ? since : Math.max(since, now - deadline * 1000);
  let latest: Instant | undefined;
  for (
    let next = nextTime(schedule, earliest);
    next !== undefined && next <= now;
    next = nextTime(schedule, next)
  )
    latest = next;
  return latest;
}

/** Named after its time, so that no time gets two Jobs. Upstream: getJobFromTemplate2. */
function jobFor(cronJob: CronJob, due: Instant): Draft<"Job"> {
  const { metadata, spec } = cronJob.spec?.jobTemplate ?? {};
  const { namespace, name } = cronJob.metadata;
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: {
      name: `${name}-${startMinute + Math.floor(due / 60_000)}`,
      ...(namespace !== undefined && { namespace }),
      ...(metadata?.labels !== undefined && { labels: metadata.labels }),
      annotations: {
        ...metadata?.annotations,
        "batch.kubernetes.io/cronjob-scheduled-timestamp": timestamp(due),
      },
      ownerReferences: [controllerReference(cronJob)],
    },
    spec: spec ?? { template: {} },
  };
}
