/**
 * Cron schedules in virtual time. Upstream: github.com/robfig/cron v3 ParseStandard and SpecSchedule.Next. Time zones are not
 * modelled: the fields are read in UTC.
 */
import { timestamp } from "../../runtime/timestamp.ts";
import type { Instant } from "../../trace/trace.ts";

export type Schedule = Calendar | { readonly everyMs: number };

interface Calendar {
  readonly minutes: ReadonlySet<number>;
  readonly hours: ReadonlySet<number>;
  readonly daysOfMonth: ReadonlySet<number>;
  readonly months: ReadonlySet<number>;
  readonly daysOfWeek: ReadonlySet<number>;
  /** Where one of the two day fields is `*`, both have to match; else one of them is enough. */
  readonly bothDaysMatch: boolean;
}

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** The run starts on a Thursday. */
const firstWeekday = 4;
/** As far ahead as upstream looks. */
const dayCountMax = 366 * 5;

const descriptors: Readonly<Record<string, string>> = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@hourly": "0 * * * *",
};
const monthNames = [
  "jan",
  "feb",
  "mar",
  "apr",
  "may",
  "jun",
  "jul",
  "aug",
  "sep",
  "oct",
  "nov",
  "dec",
];
const dayNames = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** The schedule, or undefined where the text is none. */
export function parseSchedule(text: string): Schedule | undefined {
  const [, duration] = /^@every (\S+)$/.exec(text.trim()) ?? [];
  return duration === undefined ? parseCalendar(text) : parseInterval(duration);
}

const unitsMs: ReadonlyMap<string, number> = new Map([
  ["h", 3_600_000],
  ["m", minuteMs],
  ["s", 1000],
  ["ms", 1],
]);

/** Full seconds, one at least. Upstream: cron.Every. */
function parseInterval(duration: string): Schedule | undefined {
  if (!/^(\d+(\.\d+)?(h|ms|m|s))+$/.test(duration)) return undefined;
  let ms = 0;
  for (const [, count, unit = ""] of duration.matchAll(/([\d.]+)(h|ms|m|s)/g))
    ms += Number(count) * (unitsMs.get(unit) ?? 0);
  return { everyMs: Math.max(1000, Math.floor(ms / 1000) * 1000) };
}

function parseCalendar(text: string): Calendar | undefined {
  const fields = (descriptors[text.trim()] ?? text).trim().split(/\s+/);
  const [minute, hour, dayOfMonth, month, dayOfWeek] = fields;
  if (fields.length !== 5) return undefined;
  const minutes = parseField(minute, 0, 59, []);
  const hours = parseField(hour, 0, 23, []);
  const daysOfMonth = parseField(dayOfMonth, 1, 31, []);
  const months = parseField(month, 1, 12, monthNames, 1);
  const daysOfWeek = parseField(dayOfWeek, 0, 6, dayNames);
  if (!minutes || !hours || !daysOfMonth || !months || !daysOfWeek) return undefined;
  // With a step it means some days, and is no star any more.
  const isStar = (field = ""): boolean =>
    field.split(",").some((part) => /^[*?](\/0*1)?$/.test(part));
  return {
    minutes,
    hours,
    daysOfMonth,
    months,
    daysOfWeek,
    bothDaysMatch: isStar(dayOfMonth) || isStar(dayOfWeek),
  };
}

function parseField(
  field: string | undefined,
  first: number,
  last: number,
  names: readonly string[],
  nameBase = 0,
): ReadonlySet<number> | undefined {
  const values = new Set<number>();
  const read = (text: string): number => {
    const named = names.indexOf(text.toLowerCase());
    if (named >= 0) return named + nameBase;
    return /^[0-9]+$/.test(text) ? Number(text) : Number.NaN;
  };
  for (const part of (field ?? "").split(",")) {
    const [range = "", step = "1", ...more] = part.split("/");
    const [from = "", to, ...tail] = range.split("-");
    const isStar = from === "*" || from === "?";
    const start = isStar ? first : read(from);
    const end = isStar ? last : to !== undefined ? read(to) : part.includes("/") ? last : start;
    const by = /^[0-9]+$/.test(step) ? Number(step) : 0;
    const isValid =
      more.length === 0 &&
      tail.length === 0 &&
      start >= first &&
      end <= last &&
      start <= end &&
      by > 0;
    if (!isValid) return undefined;
    for (let value = start; value <= end; value += by) values.add(value);
  }
  return values;
}

/** The first time of the schedule after `now`; undefined where there is none within five years. */
export function nextTime(schedule: Schedule, now: Instant): Instant | undefined {
  if ("everyMs" in schedule) return Math.floor(now / 1000) * 1000 + schedule.everyMs;
  const from = (Math.floor(now / minuteMs) + 1) * minuteMs;
  const firstDay = Math.floor(from / dayMs);
  for (let day = firstDay; day < firstDay + dayCountMax; day++) {
    if (!isOnDay(schedule, day)) continue;
    const start = day === firstDay ? from - day * dayMs : 0;
    for (let time = start; time < dayMs; time += minuteMs) {
      const hour = Math.floor(time / (60 * minuteMs));
      if (!schedule.hours.has(hour)) {
        time = (hour + 1) * 60 * minuteMs - minuteMs;
      } else if (schedule.minutes.has(Math.floor(time / minuteMs) % 60)) {
        return day * dayMs + time;
      }
    }
  }
  return undefined;
}

function isOnDay(schedule: Calendar, day: number): boolean {
  const [, month = "", date = ""] = timestamp(day * dayMs)
    .slice(0, 10)
    .split("-");
  if (!schedule.months.has(Number(month))) return false;
  const byDate = schedule.daysOfMonth.has(Number(date));
  const byWeekday = schedule.daysOfWeek.has(weekdayOf(day));
  return schedule.bothDaysMatch ? byDate && byWeekday : byDate || byWeekday;
}

/** `day` counts from the start of the run. */
function weekdayOf(day: number): number {
  return (((day + firstWeekday) % 7) + 7) % 7;
}
