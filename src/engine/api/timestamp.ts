/** Virtual instants as the RFC 3339 texts of the API, one-second resolution. The run starts on 2026-01-01. */
import type { Instant } from "../trace/instant.ts";

const startDay = 20454; // days from 1970-01-01 to 2026-01-01
const dayMs = 86_400_000;

/** A cache, since most timestamps of a run are recent. Its index is the second modulo its length. */
const rememberedCount = 64;
const seconds: number[] = Array.from({ length: rememberedCount }, () => Number.NaN);
const texts: string[] = Array.from({ length: rememberedCount }, () => "");

export function timestamp(now: Instant): string {
  const second = Math.floor(now / 1000);
  const place = second & (rememberedCount - 1);
  if (seconds[place] !== second) {
    seconds[place] = second;
    texts[place] = format(now);
  }
  return texts[place] ?? "";
}

function format(now: Instant): string {
  const day = startDay + Math.floor(now / dayMs);
  // Instants before the run are negative.
  const second = Math.floor((((now % dayMs) + dayMs) % dayMs) / 1000);
  const two = (n: number): string => String(n).padStart(2, "0");
  return `${civil(day)}T${two(Math.floor(second / 3600))}:${two(Math.floor(second / 60) % 60)}:${two(second % 60)}Z`;
}

/** When each run starts. */
export const runStart: string = timestamp(0);

/** Milliseconds since 1970. */
export function unixMs(now: Instant): number {
  return startDay * dayMs + Math.floor(now);
}

/** The instant of an RFC 3339 text; negative if it is before the run, NaN if it is unreadable. */
export function instantOf(text: string): Instant {
  const m = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)/.exec(text);
  if (m === null) return Number.NaN;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = m.slice(1).map(Number);
  return (
    (daysFromCivil(year, month, day) - startDay) * dayMs +
    (hour * 3600 + minute * 60 + second) * 1000
  );
}

/** Howard Hinnant's days_from_civil and its inverse: proleptic Gregorian calendar in integers. */
function daysFromCivil(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra =
    yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146097 + dayOfEra - 719468;
}

function civil(days: number): string {
  const z = days + 719468;
  const era = Math.floor(z / 146097);
  const dayOfEra = z - era * 146097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36524) -
      Math.floor(dayOfEra / 146096)) /
      365,
  );
  const dayOfYear =
    dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const mp = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * mp + 2) / 5) + 1;
  const month = mp < 10 ? mp + 3 : mp - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}
