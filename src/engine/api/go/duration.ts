/** Durations as they are written for Go: `1h30m`, `-2.5s`. Upstream: time.ParseDuration. */
import { timeQuote } from "./text.ts";

const unitsMs: ReadonlyMap<string, number> = new Map([
  ["ns", 1e-6],
  ["us", 1e-3],
  // The micro sign and the Greek letter.
  ["\u00b5s", 1e-3],
  ["\u03bcs", 1e-3],
  ["ms", 1],
  ["s", 1000],
  ["m", 60_000],
  ["h", 3_600_000],
]);

/** Nanoseconds have to fit into 64 bits. */
const longestMs = 2 ** 63 / 1e6;

/** Milliseconds, or what Go says of the text. */
export function parseDuration(text: string): number | string {
  const invalid = `time: invalid duration ${timeQuote(text)}`;
  let rest = text.replace(/^[+-]/, "");
  if (rest === "0") return 0;
  if (rest === "") return invalid;
  let ms = 0;
  while (rest !== "") {
    const [count = "", unit = ""] = /^(\d*\.?\d*)([^.\d]*)/.exec(rest)?.slice(1) ?? [];
    if (count === "" || count === ".") return invalid;
    if (unit === "") return `time: missing unit in duration ${timeQuote(text)}`;
    const unitMs = unitsMs.get(unit);
    if (unitMs === undefined)
      return `time: unknown unit ${timeQuote(unit)} in duration ${timeQuote(text)}`;
    ms += Number(count) * unitMs;
    rest = rest.slice(count.length + unit.length);
  }
  if (ms > longestMs) return invalid;
  return text.startsWith("-") ? -ms : ms;
}
