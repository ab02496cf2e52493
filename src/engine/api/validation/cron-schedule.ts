/** Whether a schedule can be read. Upstream: robfig/cron v3 ParseStandard, with its words. */

import { timeZoneError } from "./time-zone.ts";

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const fields: readonly Bounds[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  {
    min: 1,
    max: 12,
    names: ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
  },
  { min: 0, max: 6, names: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] },
];
const descriptors: ReadonlySet<string> = new Set([
  "@yearly",
  "@annually",
  "@monthly",
  "@weekly",
  "@daily",
  "@midnight",
  "@hourly",
]);

/** The parser's message, or undefined where the schedule is good. */
export function scheduleError(schedule: string): string | undefined {
  const zoned = /^(CRON_)?TZ=(\S*) (.*)$/.exec(schedule.trim());
  if (zoned !== null) {
    const problem = timeZoneError(zoned[2] ?? "");
    return problem === undefined
      ? scheduleError(zoned[3] ?? "")
      : `provided bad location ${zoned[2]}: ${problem}`;
  }
  const text = schedule.trim();
  if (text.startsWith("@")) {
    if (descriptors.has(text) || /^@every \S+$/.test(text)) return undefined;
    return `unrecognized descriptor: ${text}`;
  }
  const parts = text === "" ? [] : text.split(/\s+/);
  if (parts.length !== fields.length) {
    return `expected exactly ${fields.length} fields, found ${parts.length}: [${parts.join(" ")}]`;
  }
  for (const [index, bounds] of fields.entries()) {
    for (const range of (parts[index] ?? "").split(",")) {
      const error = rangeError(range, bounds);
      if (error !== undefined) return error;
    }
  }
  return undefined;
}

function rangeError(range: string, bounds: Bounds): string | undefined {
  const [span = "", step, ...more] = range.split("/");
  if (more.length > 0) return `too many slashes: ${range}`;
  const [low = "", high, ...rest] = span.split("-");
  if (rest.length > 0) return `too many hyphens: ${range}`;
  if (low === "*" || low === "?") return stepError(step, range);
  const start = numberOf(low, bounds);
  const end = high === undefined ? start : numberOf(high, bounds);
  if (typeof start === "string") return start;
  if (typeof end === "string") return end;
  if (start < bounds.min)
    return `beginning of range (${start}) below minimum (${bounds.min}): ${range}`;
  if (end > bounds.max) return `end of range (${end}) above maximum (${bounds.max}): ${range}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${range}`;
  return stepError(step, range);
}

function stepError(step: string | undefined, range: string): string | undefined {
  if (step === undefined) return undefined;
  if (!/^\d+$/.test(step)) return parseError(step);
  return Number(step) === 0 ? `step of range should be a positive number: ${range}` : undefined;
}

function numberOf(text: string, bounds: Bounds): number | string {
  const named = bounds.names?.indexOf(text.toLowerCase()) ?? -1;
  if (named >= 0) return named + bounds.min;
  return /^\d+$/.test(text) ? Number(text) : parseError(text);
}

function parseError(text: string): string {
  return `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`;
}
