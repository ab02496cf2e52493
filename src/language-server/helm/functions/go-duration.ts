/** Durations in nanoseconds. Upstream: Go's time.ParseDuration, Duration.String, Duration.Round. */
import { parseDuration } from "../../../engine/api/go/duration.ts";
import { goQuote } from "../../../engine/api/go/text.ts";

export const nsPerSecond: bigint = 1_000_000_000n;
const nsPerMs = 1_000_000;

/** Far longer than anybody writes. */
const durationLengthMax = 400;

/** Undefined if the text is not a duration. Not exact below a microsecond. */
export function parsedDuration(text: string): bigint | undefined {
  if (text.length > durationLengthMax) return undefined;
  const ms = parseDuration(text);
  return typeof ms === "string" ? undefined : BigInt(Math.round(ms * nsPerMs));
}

/** Why a text is not a duration. */
export function durationComplaint(text: string): string {
  const read = parseDuration(text.slice(0, durationLengthMax));
  return typeof read === "string" ? read : `time: invalid duration ${goQuote(text)}`;
}

/** Rounds to whole seconds, half a second away from zero. */
export function roundedToSeconds(ns: bigint): bigint {
  const half = ns < 0n ? -nsPerSecond / 2n : nsPerSecond / 2n;
  return ((ns + half) / nsPerSecond) * nsPerSecond;
}

/** As Go prints it: 72h3m0.5s. */
export function printDuration(ns: bigint): string {
  if (ns === 0n) return "0s";
  const sign = ns < 0n ? "-" : "";
  const all = ns < 0n ? -ns : ns;
  if (all < nsPerSecond) return sign + printShort(Number(all));
  const seconds = all / nsPerSecond;
  const fraction = fractionOf(all % nsPerSecond);
  const [hours, minutes] = [seconds / 3600n, (seconds / 60n) % 60n];
  const before = hours > 0n ? `${hours}h${minutes}m` : minutes > 0n ? `${minutes}m` : "";
  return `${sign}${before}${seconds % 60n}${fraction}s`;
}

function printShort(ns: number): string {
  if (ns < 1000) return `${ns}ns`;
  return ns < nsPerMs ? `${ns / 1000}\u00b5s` : `${ns / nsPerMs}ms`;
}

/** Without trailing zeros. */
export function fractionOf(ns: bigint): string {
  return ns === 0n ? "" : `.${String(ns).padStart(9, "0").replace(/0+$/, "")}`;
}
