/**
 * RFC 3339 timestamps as Go reads them and the API writes them back: in UTC, in full seconds. Upstream: time.Parse with the
 * layout time.RFC3339, metav1.Time.MarshalJSON.
 */
import { instantOf, timestamp } from "../timestamp.ts";
import { timeQuote } from "./text.ts";

const layout = "2006-01-02T15:04:05Z07:00";

interface Chunk {
  readonly layout: string;
  readonly pattern: RegExp;
  readonly name?: string;
  readonly max?: number;
  readonly min?: number;
}

const chunks: readonly Chunk[] = [
  { layout: "2006", pattern: /^\d{4}/ },
  { layout: "-", pattern: /^-/ },
  { layout: "01", pattern: /^\d\d/, name: "month", min: 1, max: 12 },
  { layout: "-", pattern: /^-/ },
  { layout: "02", pattern: /^\d\d/ },
  { layout: "T", pattern: /^T/ },
  { layout: "15", pattern: /^\d\d?/, name: "hour", max: 23 },
  { layout: ":", pattern: /^:/ },
  { layout: "04", pattern: /^\d\d/, name: "minute", max: 59 },
  { layout: ":", pattern: /^:/ },
  { layout: "05", pattern: /^\d\d/, name: "second", max: 59 },
  // A fraction is accepted although the layout has none.
  { layout: "", pattern: /^([.,]\d+)?/ },
  { layout: "Z07:00", pattern: /^(Z|[+-]\d\d:\d\d)/ },
];
const minuteMs = 60_000;
/** More than clocks need, but accepted. */
const offsetHoursMax = 24;
const offsetMinutesMax = 60;

/** The timestamp in its stored form, or Go's error message. */
export function readTimestamp(
  text: string,
): { readonly stored: string } | { readonly error: string } {
  const failure = `parsing time ${timeQuote(text)}`;
  const parts: string[] = [];
  let rest = text;
  for (const {
    layout: expected,
    pattern,
    name,
    min = 0,
    max = Number.POSITIVE_INFINITY,
  } of chunks) {
    const [part] = pattern.exec(rest) ?? [];
    if (part === undefined) {
      const place = `cannot parse ${timeQuote(rest)} as ${timeQuote(expected)}`;
      return { error: `${failure} as ${timeQuote(layout)}: ${place}` };
    }
    if (Number(part) < min || Number(part) > max)
      return { error: `${failure}: ${name} out of range` };
    parts.push(part);
    rest = rest.slice(part.length);
  }
  const [year = "", , month = "", , day = "", , hour = "", , minute = "", , second = ""] = parts;
  const [sign = "", ...offset] = /^([+-])(\d\d):(\d\d)$/.exec(parts.at(-1) ?? "")?.slice(1) ?? [];
  const [offsetHours = 0, offsetMinutes = 0] = offset.map(Number);
  if (offsetMinutes > offsetMinutesMax)
    return { error: `${failure}: time zone offset minute out of range` };
  if (offsetHours > offsetHoursMax)
    return { error: `${failure}: time zone offset hour out of range` };
  if (rest !== "") return { error: `${failure}: extra text: ${timeQuote(rest)}` };
  const date = `${year}-${month}-${day}`;
  const midnight = instantOf(`${date}T00:00:00Z`);
  if (timestamp(midnight).slice(0, date.length) !== date)
    return { error: `${failure}: day out of range` };
  const clocks = instantOf(`${date}T${hour.padStart(2, "0")}:${minute}:${second}Z`);
  const offsetMs = (offsetHours * 60 + offsetMinutes) * minuteMs;
  return { stored: timestamp(sign === "-" ? clocks + offsetMs : clocks - offsetMs) };
}
