/**
 * Creates Jobs on schedule. Upstream: kube-controller-manager v1.36, pkg/controller/cronjob/cronjob_controllerv2.go.
 * Not modeled: the event about a time beyond the deadline; such times are not considered at all.
 */
import { offsetsOf } from "../../api/go/time-zone.ts";
import { deepEqual } from "../../api/json.ts";
import {
  controllerOf,
  type Draft,
  type Key,
  type KubeObject,
  keyOf,
  refOf,
} from "../../api/meta.ts";
import { timestamp, unixMs } from "../../api/timestamp.ts";
import type { CronJobStatus, ObjectReference } from "../../api/types.ts";
import { scheduleError } from "../../api/validation/cron-schedule.ts";
import { finishedCondition } from "../../matching/finished-job.ts";
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
import type { WorkQueue } from "../../runtime/work-queue.ts";
import type { Instant } from "../../trace/instant.ts";
import { ownerOf } from "../workload/controller-index.ts";
import { isNamespaceTerminating } from "../workload/namespace-terminating.ts";
import { controllerReference } from "../workload/pod-template.ts";
import { delayToNext, dueTime } from "./due-time.ts";
import { parseSchedule, type Schedule } from "./schedule.ts";

type CronJob = KubeObject<"CronJob">;
type Job = KubeObject<"Job">;

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
    this.#queue = ctx.queue({ workers: 5, sync: (key) => this.#sync(key) });
  }

  run(): void {
    const wake = (cronJob: CronJob): void => this.#queue.add(keyOf(cronJob));
    this.#cronJobs.on({
      add: wake,
      update: (before, cronJob) => this.#cronJobChanged(before, cronJob),
      delete: wake,
    });
    const wakeOwner = (job: Job): void => {
      const owner = ownerOf(this.#cronJobs, "CronJob", job);
      if (owner !== undefined) wake(owner);
    };
    this.#jobs.on({ add: wakeOwner, update: (_, job) => wakeOwner(job), delete: wakeOwner });
  }

  /** After a change of schedule or zone, syncs at the next scheduled time, otherwise at once. Upstream: updateCronJob. */
  #cronJobChanged(before: CronJob, cronJob: CronJob): void {
    const isRescheduled =
      before.spec?.schedule !== cronJob.spec?.schedule ||
      before.spec?.timeZone !== cronJob.spec?.timeZone;
    if (!isRescheduled) {
      this.#queue.add(keyOf(cronJob));
      return;
    }
    const schedule = parseSchedule(zonedSchedule(cronJob));
    if (schedule !== undefined) {
      const delayMs = delayToNext(cronJob, schedule, this.#ctx.now);
      this.#queue.addAfter(keyOf(cronJob), delayMs);
      return;
    }
    const text = `unparseable schedule for cronjob: ${cronJob.spec?.schedule ?? ""}`;
    const told = event(refOf(cronJob), "Warning", "UnParseableCronJobSchedule", text);
    this.#ctx.go(told);
  }

  *#sync(key: Key): Reconcile {
    const cronJob = this.#cronJobs.get(key);
    if (cronJob === undefined) return done("Deleted");
    const { name, namespace } = cronJob.metadata;
    const jobs = this.#jobs.list(namespace).filter((job) => controllerOf(job)?.name === name);
    const cleaned = yield* this.#cleanUp(cronJob, jobs);
    const settled = yield* this.#settleActive(cronJob, cleaned, jobs);
    const end =
      typeof settled === "string"
        ? { status: cleaned, outcome: retry(settled) }
        : yield* this.#runDue(cronJob, settled);
    if (!deepEqual(cronJob.status ?? {}, end.status)) {
      const written = yield* updateStatus<"CronJob">({ ...cronJob, status: end.status });
      if (!written.ok) return retry(written.error.message);
    }
    return end.outcome;
  }

  /** Takes finished and missing Jobs off the list of active ones. Returns the new status, or an error. */
  *#settleActive(
    cronJob: CronJob,
    status: CronJobStatus,
    jobs: readonly Job[],
  ): Task<CronJobStatus | string> {
    const { namespace, name } = cronJob.metadata;
    let active = status.active ?? [];
    let { lastSuccessfulTime } = status;
    for (const job of jobs) {
      const isThis = (reference: ObjectReference): boolean => reference.uid === job.metadata.uid;
      const isListed = active.some(isThis);
      const finished = finishedCondition(job)?.type;
      if (finished === undefined && !isListed) {
        const live = yield* getLive("CronJob", namespace, name);
        if (!live.ok) return live.error.message;
        if (live.object.status?.active?.some(isThis)) {
          ({ active = [], lastSuccessfulTime } = live.object.status);
          continue;
        }
        const text = `Saw a job that the controller did not create or forgot: ${job.metadata.name}`;
        yield* event(refOf(cronJob), "Warning", "UnexpectedJob", text);
      } else if (finished !== undefined && isListed) {
        active = active.filter((reference) => !isThis(reference));
        const text = `Saw completed job: ${job.metadata.name}, condition: ${finished}`;
        yield* event(refOf(cronJob), "Normal", "SawCompletedJob", text);
      }
      // Jobs that are not on the list count too.
      if (finished === "Complete")
        lastSuccessfulTime = later(lastSuccessfulTime, job.status?.completionTime);
    }
    const present = yield* this.#withoutMissing(cronJob, active, jobs);
    return typeof present === "string"
      ? present
      : {
          ...withActive(status, present),
          ...(lastSuccessfulTime !== undefined && { lastSuccessfulTime }),
        };
  }

  /** Returns the active Jobs that exist, or the error of the look-up. */
  *#withoutMissing(
    cronJob: CronJob,
    active: readonly ObjectReference[],
    jobs: readonly Job[],
  ): Task<readonly ObjectReference[] | string> {
    let present = active;
    for (const reference of active) {
      if (jobs.some((job) => job.metadata.uid === reference.uid)) continue;
      const live = yield* getLive("Job", cronJob.metadata.namespace, reference.name ?? "");
      if (live.ok) continue; // The cache does not know of it yet.
      if (!isNotFound(live.error)) return live.error.message;
      const text = `Active job went missing: ${reference.name ?? ""}`;
      yield* event(refOf(cronJob), "Normal", "MissingJob", text);
      present = present.filter((other) => other !== reference);
    }
    return present;
  }

  /** Creates the Job that is due, if any. Upstream: syncCronJob, from the schedule on. */
  *#runDue(cronJob: CronJob, status: CronJobStatus): Task<RoundEnd> {
    const { suspend, concurrencyPolicy } = cronJob.spec ?? {};
    if (cronJob.metadata.deletionTimestamp !== undefined)
      return { status, outcome: done("BeingDeleted") };
    if (yield* this.#reportUnknownZone(cronJob))
      return { status, outcome: done("UnknownTimeZone") };
    if (suspend === true) return { status, outcome: done("Suspended") };
    const schedule = yield* this.#readSchedule(cronJob);
    if (schedule === undefined) return { status, outcome: done("UnparseableSchedule") };
    const { now } = this.#ctx;
    const due = dueTime({ ...cronJob, status }, schedule, now);
    if (due.type === "never") {
      const text = `invalid schedule: ${cronJob.spec?.schedule ?? ""} : ${due.error}`;
      yield* event(refOf(cronJob), "Warning", "InvalidSchedule", text);
      return { status, outcome: done("InvalidSchedule") };
    }
    const next = (newest: CronJobStatus): Outcome =>
      wait("Scheduled", delayToNext({ ...cronJob, status: newest }, schedule, now));
    if (due.type === "notYet") return { status, outcome: next(status) };
    if (due.missed === "many") {
      const text =
        "too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew";
      yield* event(refOf(cronJob), "Warning", "TooManyMissedTimes", text);
    }
    const active = status.active ?? [];
    if (active.some((reference) => reference.name === jobName(cronJob, due.at)))
      return { status, outcome: next(status) };
    if (concurrencyPolicy === "Forbid" && active.length > 0) {
      const text =
        "Not starting job because prior execution is running and concurrency policy is Forbid";
      yield* event(refOf(cronJob), "Normal", "JobAlreadyActive", text);
      return { status, outcome: next(status) };
    }
    let remaining = status;
    if (concurrencyPolicy === "Replace") {
      for (const reference of active) {
        const failure = yield* this.#replace(cronJob, reference);
        if (failure !== undefined) return { status: remaining, outcome: retry(failure) };
        remaining = withoutActive(remaining, reference.uid);
      }
    }
    return yield* this.#start(cronJob, remaining, due.at, next);
  }

  *#reportUnknownZone(cronJob: CronJob): Task<boolean> {
    const { timeZone } = cronJob.spec ?? {};
    if (timeZone === undefined || offsetsOf(timeZone) !== undefined) return false;
    const text = `invalid timeZone: ${JSON.stringify(timeZone)}: unknown time zone ${timeZone}`;
    yield* event(refOf(cronJob), "Warning", "UnknownTimeZone", text);
    return true;
  }

  *#readSchedule(cronJob: CronJob): Task<Schedule | undefined> {
    const { schedule: text = "" } = cronJob.spec ?? {};
    if (text.includes("TZ")) {
      const told = `CRON_TZ or TZ used in schedule ${JSON.stringify(text)} is not officially supported, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details`;
      yield* event(refOf(cronJob), "Warning", "UnsupportedSchedule", told);
    }
    const schedule = parseSchedule(zonedSchedule(cronJob));
    if (schedule === undefined) {
      const told = `unparseable schedule: ${JSON.stringify(text)} : ${scheduleError(text)}`;
      yield* event(refOf(cronJob), "Warning", "UnparseableSchedule", told);
    }
    return schedule;
  }

  /** Deletes an active Job. Returns why it could not. */
  *#replace(cronJob: CronJob, { name = "" }: ObjectReference): Task<string | undefined> {
    const { namespace } = cronJob.metadata;
    const live = yield* getLive("Job", namespace, name);
    if (!live.ok) {
      yield* event(refOf(cronJob), "Warning", "FailedGet", `Get job: ${live.error.message}`);
      return live.error.message;
    }
    const isDeleted = yield* this.#deleteJob(cronJob, name);
    return isDeleted ? undefined : `could not replace job ${namespace}/${name}`;
  }

  *#start(
    cronJob: CronJob,
    status: CronJobStatus,
    due: Instant,
    next: (status: CronJobStatus) => Outcome,
  ): Task<RoundEnd> {
    const draft = jobFor(cronJob, due);
    const created = yield* create<"Job">(draft);
    if (created.ok) {
      const text = `Created job ${created.object.metadata.name}`;
      yield* event(refOf(cronJob), "Normal", "SuccessfulCreate", text);
      const started = withStarted(status, created.object, due);
      return { status: started, outcome: next(started) };
    }
    const { error } = created;
    if (error.reason === "AlreadyExists") {
      const live = yield* getLive("Job", cronJob.metadata.namespace, draft.metadata.name ?? "");
      if (!live.ok) return { status, outcome: retry(live.error.message) };
      // Either this controller created it and did not get to write the status, or somebody else did.
      const isForgotten =
        controllerOf(live.object)?.uid === cronJob.metadata.uid &&
        !status.active?.some((reference) => reference.uid === live.object.metadata.uid);
      if (!isForgotten) return { status, outcome: done("JobOfAnother") };
      const started = withStarted(status, live.object, due);
      return { status: started, outcome: next(started) };
    }
    if (!isNamespaceTerminating(error)) {
      const text = `Error creating job: ${error.message}`;
      yield* event(refOf(cronJob), "Warning", "FailedCreate", text);
    }
    return { status, outcome: retry(error.message) };
  }

  /** Deletes the oldest finished Jobs beyond the history limits. Upstream: cleanupFinishedJobs. */
  *#cleanUp(cronJob: CronJob, jobs: readonly Job[]): Task<CronJobStatus> {
    const { successfulJobsHistoryLimit, failedJobsHistoryLimit } = cronJob.spec ?? {};
    let status = cronJob.status ?? {};
    for (const [type, limit] of [
      ["Complete", successfulJobsHistoryLimit],
      ["Failed", failedJobsHistoryLimit],
    ] as const) {
      const finished = jobs
        .filter((job) => finishedCondition(job)?.type === type)
        .sort(byStartTime);
      const surplus = limit === undefined ? 0 : Math.max(0, finished.length - limit);
      for (const { metadata } of finished.slice(0, surplus)) {
        const isDeleted = yield* this.#deleteJob(cronJob, metadata.name);
        if (isDeleted) status = withoutActive(status, metadata.uid);
      }
    }
    return status;
  }

  *#deleteJob(cronJob: CronJob, name: string): Task<boolean> {
    const removed = yield* remove("Job", cronJob.metadata.namespace, name, {
      propagationPolicy: "Background",
    });
    const [type, reason, text] = removed.ok
      ? (["Normal", "SuccessfulDelete", name] as const)
      : (["Warning", "FailedDelete", removed.error.message] as const);
    const label = removed.ok ? "Deleted job" : "Deleted job:";
    yield* event(refOf(cronJob), type, reason, `${label} ${text}`);
    return removed.ok;
  }
}

interface RoundEnd {
  readonly status: CronJobStatus;
  readonly outcome: Outcome;
}

/** Upstream: formatSchedule. */
function zonedSchedule({ spec }: CronJob): string {
  const { schedule = "", timeZone } = spec ?? {};
  const isZoned = schedule.includes("TZ") || timeZone === undefined;
  return isZoned || offsetsOf(timeZone) === undefined ? schedule : `TZ=${timeZone} ${schedule}`;
}

/** Orders by start time, then by name; Jobs that have not started come last. */
function byStartTime(a: Job, b: Job): number {
  const [first, second] = [a.status?.startTime ?? "~", b.status?.startTime ?? "~"];
  if (first !== second) return first < second ? -1 : 1;
  return a.metadata.name < b.metadata.name ? -1 : 1;
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

function withoutActive(status: CronJobStatus, uid: string | undefined): CronJobStatus {
  const active = (status.active ?? []).filter((reference) => reference.uid !== uid);
  return withActive(status, active);
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

/** The CronJob's name and the scheduled time in minutes since 1970. */
function jobName({ metadata }: CronJob, due: Instant): string {
  return `${metadata.name}-${Math.floor(unixMs(due) / 60_000)}`;
}

/** The instant in RFC 3339, in local time of the zone. */
function onClocksOf(timeZone: string | undefined, at: Instant): string {
  const aheadMs = timeZone === undefined ? 0 : (offsetsOf(timeZone)?.(unixMs(at)) ?? 0);
  if (aheadMs === 0) return timestamp(at);
  const two = (n: number): string => String(Math.floor(n)).padStart(2, "0");
  const minutes = Math.abs(aheadMs) / 60_000;
  const ahead = `${aheadMs < 0 ? "-" : "+"}${two(minutes / 60)}:${two(minutes % 60)}`;
  return timestamp(at + aheadMs).replace("Z", ahead);
}

/** Named after its scheduled time, so that no time gets two Jobs. Upstream: getJobFromTemplate2. */
function jobFor(cronJob: CronJob, due: Instant): Draft<"Job"> {
  const { metadata, spec } = cronJob.spec?.jobTemplate ?? {};
  const { namespace } = cronJob.metadata;
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: {
      name: jobName(cronJob, due),
      ...(namespace !== undefined && { namespace }),
      ...(metadata?.labels !== undefined && { labels: metadata.labels }),
      annotations: {
        ...metadata?.annotations,
        "batch.kubernetes.io/cronjob-scheduled-timestamp": onClocksOf(cronJob.spec?.timeZone, due),
      },
      ownerReferences: [controllerReference(cronJob)],
    },
    spec: spec ?? { template: {} },
  };
}
