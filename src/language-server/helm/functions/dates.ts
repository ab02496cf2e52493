/**
 * Dates. Upstream: sprig v3 date.go. The machine's time zone is UTC, and the time is constant: see instant.ts. Not modeled:
 * abbreviations of zones other than UTC; their offset is shown instead.
 */
import { Failure, type GoValue, SizedInteger, wholeNumber } from "../go-template/values.ts";
import { decimalInt } from "./cast.ts";
import {
  durationComplaint,
  nsPerSecond,
  parsedDuration,
  printDuration,
  roundedToSeconds,
} from "./go-duration.ts";
import { Instant, renderedAt, shifted, zeroNs } from "./instant.ts";
import { define, type Named } from "./signature.ts";
import { parseDate } from "./time-format.ts";

export const dateFunctions: readonly Named[] = [
  define("now", [], () => renderedAt),
  define(
    "date",
    ["string", "any"],
    ([layout, date], call) =>
      call.charge(layout.length * 2) ?? instantOf(date).in("UTC").format(layout),
  ),
  ...["dateInZone", "date_in_zone"].map((name) =>
    define(
      name,
      ["string", "any", "string"],
      ([layout, date, zone], call) =>
        call.charge(layout.length * 2) ?? instantOf(date).in(zone).format(layout),
    ),
  ),
  define("htmlDate", ["any"], ([date]) => instantOf(date).in("UTC").format("2006-01-02")),
  define("htmlDateInZone", ["any", "string"], ([date, zone]) =>
    instantOf(date).in(zone).format("2006-01-02"),
  ),
  ...["dateModify", "date_modify"].map((name) =>
    define(name, ["string", "time"], ([text, date]) => shifted(date, text) ?? date),
  ),
  ...["mustDateModify", "must_date_modify"].map((name) =>
    define(
      name,
      ["string", "time"],
      ([text, date]) => shifted(date, text) ?? new Failure(durationComplaint(text)),
    ),
  ),
  define(
    "toDate",
    ["string", "string"],
    ([layout, text], call) =>
      call.charge(costOfReading) ?? dateOf(layout, text) ?? new Instant(zeroNs),
  ),
  define(
    "mustToDate",
    ["string", "string"],
    ([layout, text], call) =>
      call.charge(costOfReading) ??
      dateOf(layout, text) ??
      new Failure(`parsing time "${text}" as "${layout}": cannot parse it`),
  ),
  define("unixEpoch", ["time"], ([date]) => String(date.unixSeconds())),
  define("ago", ["any"], ([date]) =>
    printDuration(roundedToSeconds(renderedAt.unixNs - instantOf(date).unixNs)),
  ),
  define("duration", ["any"], ([seconds]) =>
    printDuration(BigInt.asIntN(64, secondsOf(seconds) * nsPerSecond)),
  ),
  define("durationRound", ["any"], ([duration]) => roughly(nsOf(duration))),
];

/** A number counts seconds since 1970; anything else means now. */
function instantOf(date: GoValue): Instant {
  if (date instanceof Instant) return date;
  const seconds = wholeNumber(date);
  return seconds === undefined ? renderedAt : new Instant(seconds * nsPerSecond);
}

/** 0 for an int. */
function secondsOf(value: GoValue): bigint {
  if (value instanceof SizedInteger) return value.value;
  return typeof value === "string" ? (decimalInt(value) ?? 0n) : 0n;
}

function dateOf(layout: string, text: string): Instant | undefined {
  const read =
    layout.length > lengthMax || text.length > lengthMax ? undefined : parseDate(layout, text);
  if (read === undefined) return undefined;
  const unixNs = BigInt(read.unixMs) * 1_000_000n + BigInt(read.ns);
  return new Instant(unixNs, read.offsetSeconds, read.offsetSeconds === 0 ? "UTC" : "");
}

const lengthMax = 200;
/** Parsing a date takes as long as printing this many letters. */
const costOfReading = 200;

function nsOf(duration: GoValue): bigint {
  if (typeof duration === "string") return parsedDuration(duration) ?? 0n;
  if (duration instanceof SizedInteger) return duration.value;
  return duration instanceof Instant ? renderedAt.unixNs - duration.unixNs : 0n;
}

const units: readonly (readonly [name: string, seconds: bigint])[] = [
  ["y", 31_536_000n],
  ["mo", 2_592_000n],
  ["d", 86_400n],
  ["h", 3600n],
  ["m", 60n],
  ["s", 1n],
];

/** In the largest unit of which there is more than one. */
function roughly(ns: bigint): string {
  const all = ns < 0n ? -ns : ns;
  for (const [name, seconds] of units) {
    const unit = seconds * nsPerSecond;
    if (all > unit) return `${all / unit}${name}`;
  }
  return "0s";
}
