/**
 * Which scheduled time a CronJob still has to run for, and when the next one comes. Upstream: pkg/controller/cronjob/
 * utils.go mostRecentScheduleTime, nextScheduleTime, nextScheduleTimeDuration v1.36.
 */
import type { KubeObject } from "../../api/meta.ts";
import { instantOf } from "../../api/timestamp.ts";
import type { Instant } from "../../trace/instant.ts";
import { nextTime, type Schedule } from "./schedule.ts";

type CronJob = KubeObject<"CronJob">;

/** Added to a delay, so that the sync does not come just before the scheduled time. Upstream: nextScheduleDelta. */
const deltaMs = 100;
/** Above this many missed times an event warns of them. */
const missedCountMax = 100;

type Missed = "none" | "few" | "many";

type Recent =
  | { readonly type: "never"; readonly error: string }
  | { readonly type: "notYet"; readonly since: Instant; readonly missed: Missed }
  | { readonly type: "due"; readonly at: Instant; readonly missed: Missed };

/** Finds the latest scheduled time since the last run. Times before the starting deadline do not count. */
export function dueTime(cronJob: CronJob, schedule: Schedule, now: Instant): Recent {
  const deadline = cronJob.spec?.startingDeadlineSeconds;
  const since = lastRun(cronJob);
  const earliest = deadline === undefined ? since : Math.max(since, now - deadline * 1000);
  return recentTime(schedule, earliest, now);
}

/** Milliseconds until the next scheduled time. */
export function delayToNext(cronJob: CronJob, schedule: Schedule, now: Instant): number {
  const recent = recentTime(schedule, lastRun(cronJob), now);
  let from = now;
  if (recent.type === "due") from = recent.at;
  else if (recent.type === "notYet" && recent.missed === "none") from = recent.since;
  return (nextTime(schedule, from) ?? now) + deltaMs - now;
}

function lastRun({ metadata, status }: CronJob): Instant {
  return instantOf(status?.lastScheduleTime ?? metadata.creationTimestamp);
}

function recentTime(schedule: Schedule, since: Instant, now: Instant): Recent {
  const first = nextTime(schedule, since);
  if (first !== undefined && now < first) return { type: "notYet", since, missed: "none" };
  const second = first === undefined ? undefined : nextTime(schedule, first);
  if (first === undefined || second === undefined)
    return { type: "never", error: "time difference between two schedules is less than 1 second" };
  if (now < second) return { type: "due", at: first, missed: "none" };
  const apartSeconds = Math.round((second - first) / 1000);
  const missedCount = Math.floor(Math.floor((now - first) / 1000) / apartSeconds) + 1;
  // Begins one interval early, since intervals may be longer or shorter than the first one.
  const from = first + (missedCount - 2) * apartSeconds * 1000;
  let at: Instant | undefined;
  for (
    let next = nextTime(schedule, from);
    next !== undefined && next <= now;
    next = nextTime(schedule, next)
  )
    at = next;
  const missed = missedCount > missedCountMax ? "many" : "few";
  return at === undefined ? { type: "notYet", since, missed } : { type: "due", at, missed };
}
