/**
 * Formats and parses dates by example layouts: `2006-01-02 15:04`. Upstream: Go's time/format.go nextStdChunk, appendFormat,
 * parse.
 */

export interface ClockTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly ns: number;
  /** Sunday is 0. */
  readonly weekday: number;
  readonly yearDay: number;
  readonly offsetSeconds: number;
  readonly zone: string;
}

const monthNames =
  "January February March April May June July August September October November December".split(
    " ",
  );
const dayNames = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");

/** Longest first. A dot or comma before zeros or nines stands for a fraction of a second. */
const chunk =
  /January|Jan|Monday|Mon|MST|2006|-07:00:00|-07:00|-070000|-0700|-07|Z07:00:00|Z07:00|Z070000|Z0700|Z07|__2|002|01|02|03|04|05|06|15|PM|pm|_2(?!006)|[.,]0+(?!\d)|[.,]9+(?!\d)|1|2|3|4|5/g;

/** Go recognizes `Jan` and `Mon` only if no lower-case letter follows, so that `Month` is literal. */
function isChunk(found: string, layout: string, at: number): boolean {
  const next = layout[at + found.length] ?? "";
  if (found === "Jan" || found === "Mon") return !/[a-z]/.test(next);
  return true;
}

export function formatInstant(clock: ClockTime, layout: string): string {
  return layout.replace(chunk, (found, at: number) =>
    isChunk(found, layout, at) ? formatted(clock, found) : found,
  );
}

function formatted(clock: ClockTime, found: string): string {
  const format = formats[found];
  if (format !== undefined) return format(clock);
  return /^[.,]/.test(found) ? fraction(clock.ns, found) : offset(clock.offsetSeconds, found);
}

const formats: Readonly<Record<string, (clock: ClockTime) => string>> = {
  January: ({ month }) => monthNames[month - 1] ?? "",
  Jan: ({ month }) => (monthNames[month - 1] ?? "").slice(0, 3),
  Monday: ({ weekday }) => dayNames[weekday] ?? "",
  Mon: ({ weekday }) => (dayNames[weekday] ?? "").slice(0, 3),
  MST: ({ zone, offsetSeconds }) => zone || offset(offsetSeconds, "-0700"),
  "2006": ({ year }) => padded(year, 4),
  "06": ({ year }) => padded(year % 100, 2),
  "01": ({ month }) => padded(month, 2),
  "1": ({ month }) => String(month),
  "02": ({ day }) => padded(day, 2),
  _2: ({ day }) => String(day).padStart(2),
  "2": ({ day }) => String(day),
  "002": ({ yearDay }) => padded(yearDay, 3),
  __2: ({ yearDay }) => String(yearDay).padStart(3),
  "15": ({ hour }) => padded(hour, 2),
  "03": ({ hour }) => padded(onDial(hour), 2),
  "3": ({ hour }) => String(onDial(hour)),
  "04": ({ minute }) => padded(minute, 2),
  "4": ({ minute }) => String(minute),
  "05": ({ second }) => padded(second, 2),
  "5": ({ second }) => String(second),
  PM: ({ hour }) => (hour >= 12 ? "PM" : "AM"),
  pm: ({ hour }) => (hour >= 12 ? "pm" : "am"),
};

function onDial(hour: number): number {
  return hour % 12 === 0 ? 12 : hour % 12;
}

function padded(value: number, length: number): string {
  return String(value).padStart(length, "0");
}

/** With nines, trailing zeros are omitted. */
function fraction(ns: number, found: string): string {
  const digits = padded(ns, 9)
    .slice(0, found.length - 1)
    .padEnd(found.length - 1, "0");
  if (found[1] === "0") return `${found[0]}${digits}`;
  const short = digits.replace(/0+$/, "");
  return short === "" ? "" : `${found[0]}${short}`;
}

function offset(seconds: number, found: string): string {
  if (found.startsWith("Z") && seconds === 0) return "Z";
  const all = Math.abs(seconds);
  const parts = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60];
  const count = found.slice(1).replaceAll(":", "").length / 2;
  const text = parts.slice(0, count).map((part) => padded(part, 2));
  return (seconds < 0 ? "-" : "+") + text.join(found.includes(":") ? ":" : "");
}

/** A parsed date; parts that the layout lacks are those of the first instant of year 0. */
export interface ReadDate {
  readonly unixMs: number;
  readonly ns: number;
  readonly offsetSeconds: number;
}

const digits: Readonly<Record<string, string>> = {
  "2006": "(\\d{4})",
  "06": "(\\d\\d)",
  "01": "(\\d\\d)",
  "1": "(\\d\\d?)",
  "02": "(\\d\\d)",
  _2: "([ \\d]?\\d)",
  "2": "(\\d\\d?)",
  "15": "(\\d\\d?)",
  "03": "(\\d\\d)",
  "3": "(\\d\\d?)",
  "04": "(\\d\\d)",
  "4": "(\\d\\d?)",
  "05": "(\\d\\d(?:[.,]\\d+)?)",
  "5": "(\\d\\d?(?:[.,]\\d+)?)",
  PM: "(AM|PM)",
  pm: "(am|pm)",
  January: `(${monthNames.join("|")})`,
  Jan: "([A-Z][a-z]{2})",
  Monday: `(${dayNames.join("|")})`,
  Mon: "([A-Z][a-z]{2})",
  MST: "([A-Z]{3,5})",
};

/** Undefined if the text does not match the layout or is not a valid date. */
export function parseDate(layout: string, text: string): ReadDate | undefined {
  const found: string[] = [];
  let pattern = "";
  let at = 0;
  for (const match of layout.matchAll(chunk)) {
    if (found.length > chunkCountMax) return undefined;
    if (!isChunk(match[0], layout, match.index)) continue;
    pattern += literal(layout.slice(at, match.index));
    pattern +=
      digits[match[0]] ?? (/^[.,]/.test(match[0]) ? "([.,]\\d+)?" : "(Z|[+-]\\d\\d(?::?\\d\\d)*)");
    found.push(match[0]);
    at = match.index + match[0].length;
  }
  const values = new RegExp(`^${pattern}${literal(layout.slice(at))}$`).exec(text);
  return values === null
    ? undefined
    : dateOf(new Map(found.map((name, index) => [name, values[index + 1] ?? ""])));
}

/** Limited, because digits can be divided in exponentially many ways. */
const chunkCountMax = 12;

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

function dateOf(values: ReadonlyMap<string, string>): ReadDate | undefined {
  const first = (...names: string[]): string =>
    names.map((name) => values.get(name)).find(Boolean) ?? "";
  const shortYear = Number(first("06"));
  const year = values.has("06")
    ? shortYear + (shortYear >= 69 ? 1900 : 2000)
    : Number(first("2006"));
  const monthText = first("January", "Jan");
  const named = monthNames.findIndex((name) => name.slice(0, 3) === monthText.slice(0, 3)) + 1;
  const month = monthText === "" ? Number(first("01", "1") || 1) : named;
  const day = Number(first("02", "_2", "2") || 1);
  const half = first("PM", "pm").toLowerCase();
  const written = Number(first("15", "03", "3"));
  const hour =
    half === "pm" && written < 12 ? written + 12 : half === "am" && written === 12 ? 0 : written;
  const minute = Number(first("04", "4"));
  const [second = "0", part = ""] = first("05", "5").split(/[.,]/);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, Number(second));
  const isDate = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  if (!isDate || hour > 23 || minute > 59 || Number(second) > 59) return undefined;
  const behind = part || [...values].find(([name]) => /^[.,]/.test(name))?.[1].slice(1) || "";
  const ns = Number(behind.slice(0, 9).padEnd(9, "0"));
  const offsetSeconds = offsetOf([...values].find(([name]) => /^[-Z]0/.test(name))?.[1] ?? "Z");
  return { unixMs: date.getTime() - offsetSeconds * 1000, ns, offsetSeconds };
}

function offsetOf(text: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = (text.match(/\d\d/g) ?? []).map(Number);
  const all = (hours * 60 + minutes) * 60 + seconds;
  return text.startsWith("-") ? -all : all;
}
