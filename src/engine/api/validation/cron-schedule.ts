/**
 * Whether a schedule can be parsed, with the parser's messages. Upstream: robfig/cron v3 ParseStandard, pkg/util/parsers
 * ParseCronScheduleWithPanicRecovery.
 */
import { parseDuration } from "../go/duration.ts";
import { goQuote } from "../go/text.ts";
import { locationError } from "./time-zone.ts";

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
const every = "@every ";
/** The first number beyond Go's int. */
const intMax = 2 ** 63;

/** The parser's message; undefined if the schedule is valid. */
export function scheduleError(schedule: string): string | undefined {
  if (!/^(CRON_)?TZ=/.test(schedule)) return unzonedError(schedule);
  const space = schedule.indexOf(" ");
  // The parser cuts off the zone at the space, and panics if there is none.
  if (space < 0) return "invalid schedule format: runtime error: slice bounds out of range [:-1]";
  const zone = schedule.slice(schedule.indexOf("=") + 1, space);
  const problem = locationError(zone);
  if (problem !== undefined) return `provided bad location ${zone}: ${problem}`;
  return unzonedError(schedule.slice(space).trim());
}

function unzonedError(text: string): string | undefined {
  if (text.startsWith(every)) {
    const duration = parseDuration(text.slice(every.length));
    return typeof duration === "number"
      ? undefined
      : `failed to parse duration ${text}: ${duration}`;
  }
  if (text.startsWith("@"))
    return descriptors.has(text) ? undefined : `unrecognized descriptor: ${text}`;
  const parts = text.split(/\s+/).filter((part) => part !== "");
  if (parts.length !== fields.length) {
    return `expected exactly ${fields.length} fields, found ${parts.length}: [${parts.join(" ")}]`;
  }
  for (const [index, bounds] of fields.entries()) {
    for (const range of (parts[index] ?? "").split(",")) {
      // Superfluous commas are ignored.
      const error = range === "" ? undefined : rangeError(range, bounds);
      if (error !== undefined) return error;
    }
  }
  return undefined;
}

/** Upstream: getRange. */
function rangeError(range: string, { min, max, names = [] }: Bounds): string | undefined {
  const [span = "", step, ...furtherSteps] = range.split("/");
  const [low = "", high, ...furtherLimits] = span.split("-");
  const numberOf = (text: string): number | string => {
    const named = names.indexOf(text.toLowerCase());
    return named >= 0 ? named + min : parseCount(text);
  };
  const isStar = low === "*" || low === "?";
  const start = isStar ? min : numberOf(low);
  if (typeof start === "string") return start;
  if (!isStar && furtherLimits.length > 0) return `too many hyphens: ${range}`;
  let end = isStar ? max : high === undefined ? start : numberOf(high);
  if (typeof end === "string") return end;
  if (furtherSteps.length > 0) return `too many slashes: ${range}`;
  const by = step === undefined ? 1 : parseCount(step);
  if (typeof by === "string") return by;
  if (step !== undefined && high === undefined) end = max;
  if (start < min) return `beginning of range (${start}) below minimum (${min}): ${range}`;
  if (end > max) return `end of range (${end}) above maximum (${max}): ${range}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${range}`;
  return by === 0 ? `step of range should be a positive number: ${range}` : undefined;
}

/** Upstream: mustParseInt. */
function parseCount(text: string): number | string {
  const failure = `failed to parse int from ${text}: strconv.Atoi: parsing ${goQuote(text)}`;
  if (!/^[+-]?\d+$/.test(text)) return `${failure}: invalid syntax`;
  const count = Number(text);
  if (Math.abs(count) >= intMax) return `${failure}: value out of range`;
  return count < 0 ? `negative number (${count}) not allowed: ${text}` : count;
}
