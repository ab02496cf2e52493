/** Formats of dates and times. Upstream: santhosh-tekuri/jsonschema v6 format.go, Go's time.Parse. */
import { goQuote } from "../../../engine/api/go/text.ts";
import { byteCount, byteSlice, bytesOf } from "../functions/bytes.ts";

export function dateComplaint(text: string): string | undefined {
  const misread = misreadDate(text);
  if (misread !== undefined) return misread;
  const extra = text.slice(dateLayout.length);
  if (extra !== "") return unreadDate(text, `: extra text: ${goQuote(extra)}`);
  const [year = 0, month = 0, day = 0] = text.split("-").map(Number);
  const last = new Date(Date.UTC(year || 4, month, 0)).getUTCDate();
  return day < 1 || day > last ? unreadDate(text, ": day out of range") : undefined;
}

const dateLayout = "2006-01-02";
const dateParts: readonly (readonly [string, RegExp])[] = [
  ["2006", /^\d{4}/],
  ["-", /^-/],
  ["01", /^\d\d/],
  ["-", /^-/],
  ["02", /^\d\d/],
];

function unreadDate(text: string, why: string): string {
  return `parsing time ${goQuote(text)}${why}`;
}

/** Which part of the layout the text does not match, and what is there instead; undefined if it begins with a date. */
function misreadDate(text: string): string | undefined {
  let rest = text;
  for (const [part, pattern] of dateParts) {
    const [found] = pattern.exec(rest) ?? [];
    if (found === undefined)
      return unreadDate(
        text,
        ` as ${goQuote(dateLayout)}: cannot parse ${goQuote(rest)} as ${goQuote(part)}`,
      );
    if (part === "01" && (Number(found) < 1 || Number(found) > 12))
      return unreadDate(text, ": month out of range");
    rest = rest.slice(found.length);
  }
  return undefined;
}

export function timeComplaint(text: string): string | undefined {
  if (byteCount(text) < 9) return "less than 9 characters long";
  if (byteSlice(text, 2, 3) !== ":" || byteSlice(text, 5, 6) !== ":")
    return "missing colon in correct place";
  const numbers = byteSlice(text, 0, 8).split(":").slice(0, 3);
  const [hour = 0, minute = 0, second = 0] = numbers.map(Number);
  if (!numbers.every(isNumber)) return "invalid hour/min/sec";
  if (Math.min(hour, minute, second) < 0) return "non-positive hour/min/sec";
  if (hour > 23 || minute > 59 || second > 60) return "hour/min/sec out of range";
  let rest = byteSlice(text, 8);
  if (rest.startsWith(".")) {
    const [digits = ""] = /^\d*/.exec(rest.slice(1)) ?? [];
    if (digits === "") return "no digits in second fraction";
    rest = rest.slice(1 + digits.length);
  }
  const offset = /^z$/i.test(rest) ? 0 : offsetOf(rest);
  if (typeof offset === "string") return offset;
  const inUtc = (hour * 60 + minute - offset + 2 * minutesOfDay) % minutesOfDay;
  return second >= 60 && inUtc !== minutesOfDay - 1 ? "invalid leap second" : undefined;
}

const minutesOfDay = 24 * 60;

/** Upstream: strconv.Atoi. */
function isNumber(text: string): boolean {
  return /^[+-]?\d+$/.test(text);
}

/** In minutes; returns a text if it is invalid. */
function offsetOf(text: string): number | string {
  if (byteCount(text) !== 6) return "offset must be 6 characters long";
  const sign = { "+": 1, "-": -1 }[text[0] ?? ""];
  if (sign === undefined) return "offset must begin with plus/minus";
  const written = text.slice(1);
  if (byteSlice(written, 2, 3) !== ":") return "missing colon in offset in correct place";
  const numbers = [byteSlice(written, 0, 2), byteSlice(written, 3)];
  const [hours = 0, minutes = 0] = numbers.map(Number);
  if (!numbers.every(isNumber)) return "invalid hour/min in offset";
  if (Math.min(hours, minutes) < 0) return "non-positive hour/min in offset";
  if (hours > 23 || minutes > 59) return "hour/min in offset out of range";
  return sign * (hours * 60 + minutes);
}

export function dateTimeComplaint(text: string): string | undefined {
  if (byteCount(text) < 20) return "less than 20 characters long";
  if (!/^t$/i.test(byteSlice(text, 10, 11))) return "11th character must be t or T";
  const ofDate = dateComplaint(byteSlice(text, 0, 10));
  if (ofDate !== undefined) return `invalid date element: ${ofDate}`;
  const ofTime = timeComplaint(byteSlice(text, 11));
  return ofTime && `invalid time element: ${ofTime}`;
}

const unitsOf = ["YMD", "HMS"];

export function durationComplaint(text: string): string | undefined {
  if (!text.startsWith("P")) return "must start with P";
  const rest = text.slice(1);
  if (rest === "") return "nothing after P";
  if (rest.endsWith("W")) {
    const weeks = rest.slice(0, -1);
    if (weeks === "") return "no number in week";
    return /\D/.test(weeks) ? "invalid week" : undefined;
  }
  for (const [index, part] of rest.split("T").entries()) {
    if (index > 0 && part === "") return "no time elements";
    const units = unitsOf[index];
    if (units === undefined) return "more than one T";
    const complaint = unitsComplaint(part, units);
    if (complaint !== undefined) return complaint;
  }
  return undefined;
}

function unitsComplaint(text: string, all: string): string | undefined {
  let units = all;
  for (let rest = text; rest !== ""; rest = rest.slice(1)) {
    const [digits = ""] = /^\d*/.exec(rest) ?? [];
    if (digits === "") return "missing number";
    rest = rest.slice(digits.length);
    if (rest === "") return "missing unit";
    // Compares bytes, each shown as a character.
    const unit = String.fromCharCode(bytesOf(rest)[0] ?? 0);
    const at = units.indexOf(unit);
    if (at < 0)
      return all.includes(unit) ? `unit '${unit}' out of order` : `invalid unit '${unit}'`;
    units = units.slice(at + 1);
  }
  return undefined;
}
