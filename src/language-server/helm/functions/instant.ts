/** An instant, as shown by a clock in a time zone. Upstream: Go's time.Time. */
import { offsetsOf } from "../../../engine/api/go/time-zone.ts";
import { withParameters } from "../go-template/parameters.ts";
import {
  type GoFunction,
  type GoObject,
  type GoValue,
  int64,
  type ParameterType,
  wholeNumber,
} from "../go-template/values.ts";
import { fractionOf, nsPerSecond, parsedDuration } from "./go-duration.ts";
import { type ClockTime, formatInstant } from "./time-format.ts";

const nsPerMs = 1_000_000n;

export class Instant implements GoObject {
  readonly goType = "time.Time";
  readonly unixNs: bigint;
  readonly #offsetSeconds: number;
  readonly #zone: string;

  constructor(unixNs: bigint, offsetSeconds = 0, zone = "UTC") {
    this.unixNs = unixNs;
    this.#offsetSeconds = offsetSeconds;
    this.#zone = zone;
  }

  /** UTC if there is no such zone. */
  in(zone: string): Instant {
    const isPlain = zone === "" || zone === "UTC" || zone === "Local";
    const offsetAt = isPlain || zone.length > 64 ? undefined : offsetsOf(zone);
    if (offsetAt === undefined) return new Instant(this.unixNs);
    const offsetSeconds = offsetAt(this.#unixMs()) / 1000;
    return new Instant(this.unixNs, offsetSeconds, zoneName(zone, offsetSeconds));
  }

  plus(ns: bigint): Instant {
    return new Instant(this.unixNs + ns, this.#offsetSeconds, this.#zone);
  }

  clock(): ClockTime {
    const shown = new Date(this.#unixMs() + this.#offsetSeconds * 1000);
    const yearStart = Date.UTC(shown.getUTCFullYear(), 0, 1);
    return {
      year: shown.getUTCFullYear(),
      month: shown.getUTCMonth() + 1,
      day: shown.getUTCDate(),
      hour: shown.getUTCHours(),
      minute: shown.getUTCMinutes(),
      second: shown.getUTCSeconds(),
      ns: Number(floorMod(this.unixNs, nsPerSecond)),
      weekday: shown.getUTCDay(),
      yearDay: Math.floor((shown.getTime() - yearStart) / 86_400_000) + 1,
      offsetSeconds: this.#offsetSeconds,
      zone: this.#zone,
    };
  }

  format(layout: string): string {
    return formatInstant(this.clock(), layout);
  }

  print(): string {
    const { ns } = this.clock();
    const seconds = this.format("2006-01-02 15:04:05");
    return `${seconds}${fractionOf(BigInt(ns))} ${this.format("-0700 MST")}`;
  }

  /** Its form in JSON, YAML and TOML. */
  fields(): string {
    const { ns } = this.clock();
    return `${this.format("2006-01-02T15:04:05")}${fractionOf(BigInt(ns))}${this.format("Z07:00")}`;
  }

  unixSeconds(): bigint {
    return (this.unixNs - floorMod(this.unixNs, nsPerSecond)) / nsPerSecond;
  }

  member(name: string): GoFunction | undefined {
    const method = methods[name];
    return method && withParameters({ fixed: method.fixed }, (args) => method.run(this, args));
  }

  #unixMs(): number {
    return Number((this.unixNs - floorMod(this.unixNs, nsPerMs)) / nsPerMs);
  }
}

function floorMod(value: bigint, modulus: bigint): bigint {
  return ((value % modulus) + modulus) % modulus;
}

/** Zones without an abbreviation are named by their offset. */
function zoneName(zone: string, offsetSeconds: number): string {
  if (offsetSeconds === 0) return zone === "UTC" ? "UTC" : "GMT";
  const minutes = Math.abs(offsetSeconds) / 60;
  const hours = String(Math.floor(minutes / 60)).padStart(2, "0");
  const rest = minutes % 60 === 0 ? "" : String(Math.floor(minutes % 60)).padStart(2, "0");
  return `${offsetSeconds < 0 ? "-" : "+"}${hours}${rest}`;
}

type Method = (instant: Instant, args: readonly GoValue[]) => GoValue;

interface MethodOfTime {
  readonly fixed: readonly ParameterType[];
  readonly run: Method;
}

function taking(fixed: readonly ParameterType[], run: Method): MethodOfTime {
  return { fixed, run };
}

const months =
  "January February March April May June July August September October November December".split(
    " ",
  );
const weekdays = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");

const methods: Readonly<Record<string, MethodOfTime>> = {
  Format: taking(["string"], (instant, [layout]) => instant.format(String(layout))),
  Unix: taking([], (instant) => int64(instant.unixSeconds())),
  UnixMilli: taking([], (instant) => int64(instant.unixNs / nsPerMs)),
  UnixNano: taking([], (instant) => int64(instant.unixNs)),
  Year: taking([], (instant) => BigInt(instant.clock().year)),
  Month: taking([], (instant) => months[instant.clock().month - 1] ?? ""),
  Day: taking([], (instant) => BigInt(instant.clock().day)),
  Hour: taking([], (instant) => BigInt(instant.clock().hour)),
  Minute: taking([], (instant) => BigInt(instant.clock().minute)),
  Second: taking([], (instant) => BigInt(instant.clock().second)),
  Nanosecond: taking([], (instant) => BigInt(instant.clock().ns)),
  Weekday: taking([], (instant) => weekdays[instant.clock().weekday] ?? ""),
  YearDay: taking([], (instant) => BigInt(instant.clock().yearDay)),
  String: taking([], (instant) => instant.print()),
  UTC: taking([], (instant) => instant.in("UTC")),
  Local: taking([], (instant) => instant.in("UTC")),
  IsZero: taking([], (instant) => instant.unixNs === zeroNs),
  AddDate: taking(["int", "int", "int"], addedDate),
  Add: taking(["duration"], (instant, [ns]) => instant.plus(wholeNumber(ns) ?? 0n)),
  Before: taking(["time"], (instant, [other]) => instant.unixNs < nsOf(other)),
  After: taking(["time"], (instant, [other]) => instant.unixNs > nsOf(other)),
  Equal: taking(["time"], (instant, [other]) => instant.unixNs === nsOf(other)),
};

function nsOf(other: GoValue | undefined): bigint {
  return other instanceof Instant ? other.unixNs : zeroNs;
}

/** Returns the instant unchanged if the result is out of range. */
function addedDate(instant: Instant, counts: readonly GoValue[]): GoValue {
  const [years = 0, monthCount = 0, days = 0] = counts.map(Number);
  const { year, month, day, hour, minute, second, ns, offsetSeconds } = instant.clock();
  const ms = Date.UTC(year + years, month - 1 + monthCount, day + days, hour, minute, second);
  if (!Number.isFinite(ms)) return instant;
  const unixNs = BigInt(ms - offsetSeconds * 1000) * nsPerMs + BigInt(ns);
  return instant.plus(unixNs - instant.unixNs);
}

/** Go's zero time: January 1 of year 1. */
export const zeroNs: bigint = -62_135_596_800n * nsPerSecond;

/** The time at which all templates are rendered, since there is no clock here. */
export const renderedAt: Instant = new Instant(BigInt(Date.UTC(2026, 0, 1)) * nsPerMs);

/** Shifts by a duration in text form; undefined if it is not valid. */
export function shifted(instant: Instant, text: string): Instant | undefined {
  const ns = parsedDuration(text);
  return ns === undefined ? undefined : instant.plus(ns);
}
