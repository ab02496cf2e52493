/**
 * Cron schedules in virtual time. Upstream: github.com/robfig/cron v3 ParseStandard and SpecSchedule.Next. The controller's
 * own time zone is UTC.
 */
import { parseDuration } from "../../api/go/duration.ts";
import { type OffsetAt, offsetsOf } from "../../api/go/time-zone.ts";
import { timestamp, unixMs } from "../../api/timestamp.ts";
import type { Instant } from "../../trace/instant.ts";

export type Schedule = Calendar | { readonly everyMs: number };

interface Calendar {
  readonly minutes: ReadonlySet<number>;
  readonly hours: ReadonlySet<number>;
  readonly daysOfMonth: ReadonlySet<number>;
  readonly months: ReadonlySet<number>;
  readonly daysOfWeek: ReadonlySet<number>;
  /** If one of the two day fields is `*`, both have to match; otherwise one match is enough. */
  readonly bothDaysMatch: boolean;
  readonly offsetAt: OffsetAt;
}

const minuteMs = 60_000;
const hourMs = 3_600_000;
const dayMs = 86_400_000;
/** The run starts on a Thursday; Sunday is 0. */
const firstWeekday = 4;
/** How many years ahead upstream searches. */
const yearCountMax = 5;

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

/** Returns undefined if the text is no schedule. A zone may come first: `TZ=Europe/Berlin 0 3 * * *`. */
export function parseSchedule(text: string): Schedule | undefined {
  const [, zone = "UTC", fields = text] = /^(?:CRON_)?TZ=(\S*) (.*)$/.exec(text) ?? [];
  const [, duration] = /^@every (\S+)$/.exec(fields.trim()) ?? [];
  const offsetAt = offsetsOf(zone === "" || zone === "Local" ? "UTC" : zone);
  if (offsetAt === undefined) return undefined;
  return duration === undefined ? parseCalendar(fields, offsetAt) : parseInterval(duration);
}

/** Rounds down to seconds, at least one. Upstream: cron.Every. */
function parseInterval(duration: string): Schedule | undefined {
  const ms = parseDuration(duration);
  if (typeof ms === "string") return undefined;
  return { everyMs: Math.max(1000, Math.floor(ms / 1000) * 1000) };
}

function parseCalendar(text: string, offsetAt: OffsetAt): Calendar | undefined {
  const fields = (descriptors[text.trim()] ?? text).trim().split(/\s+/);
  const [minute, hour, dayOfMonth, month, dayOfWeek] = fields;
  if (fields.length !== 5) return undefined;
  const minutes = parseField(minute, 0, 59, []);
  const hours = parseField(hour, 0, 23, []);
  const daysOfMonth = parseField(dayOfMonth, 1, 31, []);
  const months = parseField(month, 1, 12, monthNames, 1);
  const daysOfWeek = parseField(dayOfWeek, 0, 6, dayNames);
  if (!minutes || !hours || !daysOfMonth || !months || !daysOfWeek) return undefined;
  // With a step above 1 it means some of the days, and does not count as a star.
  const isStar = (field = ""): boolean =>
    field.split(",").some((part) => /^[*?](\/0*1)?$/.test(part));
  return {
    minutes,
    hours,
    daysOfMonth,
    months,
    daysOfWeek,
    bothDaysMatch: isStar(dayOfMonth) || isStar(dayOfWeek),
    offsetAt,
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
    return /^\+?[0-9]+$/.test(text) ? Number(text) : Number.NaN;
  };
  for (const part of (field ?? "").split(",").filter((part) => part !== "")) {
    const [range = "", step = "1", ...more] = part.split("/");
    const [from = "", to, ...tail] = range.split("-");
    const isStar = from === "*" || from === "?";
    const start = isStar ? first : read(from);
    const end = isStar ? last : to !== undefined ? read(to) : part.includes("/") ? last : start;
    const by = /^\+?[0-9]+$/.test(step) ? Number(step) : 0;
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

/** The first scheduled time after `now`; undefined if there is none within five years. */
export function nextTime(schedule: Schedule, now: Instant): Instant | undefined {
  const from = Math.floor(now / 1000) * 1000;
  if ("everyMs" in schedule) return from + schedule.everyMs;
  return new Search(schedule, from + 1000).next();
}

/** Advances field by field; a field that wraps around starts the search over at the month. Upstream: SpecSchedule.Next. */
class Search {
  readonly #schedule: Calendar;
  #now: Instant;
  /** True once a field was advanced, which sets the fields below it to zero. */
  #isRaised = false;

  constructor(schedule: Calendar, from: Instant) {
    this.#schedule = schedule;
    this.#now = from;
  }

  next(): Instant | undefined {
    const lastYear = this.#date().year + yearCountMax;
    while (this.#date().year <= lastYear) {
      const isFound =
        this.#toMonth() && this.#toDay() && this.#toHour() && this.#toMinute() && this.#toSecond();
      if (isFound) return this.#now;
    }
    return undefined;
  }

  #toMonth(): boolean {
    while (!this.#schedule.months.has(this.#date().month)) {
      const { day } = this.#date();
      this.#clear(dayMs, (day - 1) * dayMs);
      const { year, month } = this.#date();
      this.#setClocks(this.#clocks + daysIn(year, month) * dayMs);
      if (this.#date().month === 1) return false;
    }
    return true;
  }

  #toDay(): boolean {
    while (!isOnDay(this.#schedule, this.#clocks)) {
      this.#clear(dayMs);
      this.#setClocks(this.#clocks + dayMs);
      // A day on which summer time begins at midnight has no midnight.
      const hour = this.#hour;
      if (hour !== 0) this.#now += (hour > 12 ? 24 - hour : -hour) * hourMs;
      if (this.#date().day === 1) return false;
    }
    return true;
  }

  #toHour(): boolean {
    while (!this.#schedule.hours.has(this.#hour)) {
      this.#clear(hourMs);
      this.#now += hourMs;
      if (this.#hour === 0) return false;
    }
    return true;
  }

  #toMinute(): boolean {
    while (!this.#schedule.minutes.has(this.#minute)) {
      this.#clear(minuteMs);
      this.#now += minuteMs;
      if (this.#minute === 0) return false;
    }
    return true;
  }

  /** Only second 0 matches. */
  #toSecond(): boolean {
    const over = modulo(this.#clocks, minuteMs);
    if (over === 0) return true;
    this.#isRaised = true;
    this.#now += minuteMs - over;
    return false;
  }

  /** Local time of the zone, in milliseconds from the run's start in UTC. */
  get #clocks(): number {
    return this.#now + this.#offsetAt(this.#now);
  }

  /** A local time that a clock change skips becomes one before or after the gap. Upstream: Go's time.Date. */
  #setClocks(clocks: number): void {
    this.#now = clocks - this.#offsetAt(clocks - this.#offsetAt(clocks));
  }

  #offsetAt(now: Instant): number {
    return this.#schedule.offsetAt(unixMs(now));
  }

  /** On the first advance, rounds down to the unit and subtracts `more`. */
  #clear(unitMs: number, more = 0): void {
    if (this.#isRaised) return;
    this.#isRaised = true;
    const clocks = this.#clocks;
    this.#setClocks(clocks - modulo(clocks, unitMs) - more);
  }

  get #hour(): number {
    return Math.floor(modulo(this.#clocks, dayMs) / hourMs);
  }

  get #minute(): number {
    return Math.floor(modulo(this.#clocks, hourMs) / minuteMs);
  }

  #date(): CivilDate {
    return dateOf(this.#clocks);
  }
}

interface CivilDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

function dateOf(clocks: number): CivilDate {
  const [year = 0, month = 0, day = 0] = timestamp(clocks).slice(0, 10).split("-").map(Number);
  return { year, month, day };
}

function daysIn(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  if (month === 2) return isLeap ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

function isOnDay(schedule: Calendar, clocks: number): boolean {
  const byDate = schedule.daysOfMonth.has(dateOf(clocks).day);
  const weekday = modulo(Math.floor(clocks / dayMs) + firstWeekday, 7);
  const byWeekday = schedule.daysOfWeek.has(weekday);
  return schedule.bothDaysMatch ? byDate && byWeekday : byDate || byWeekday;
}

/** Never negative, unlike `%`: instants before the run are negative. */
function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}
