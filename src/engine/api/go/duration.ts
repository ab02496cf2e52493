/** Durations in Go's notation: `1h30m`, `-2.5s`. Upstream: Go 1.26 time.ParseDuration. */
import { timeQuote } from "./text.ts";

const unitsNs: ReadonlyMap<string, number> = new Map([
  ["ns", 1],
  ["us", 1e3],
  // The micro sign and the Greek letter.
  ["\u00b5s", 1e3],
  ["\u03bcs", 1e3],
  ["ms", 1e6],
  ["s", 1e9],
  ["m", 60e9],
  ["h", 3600e9],
]);

/** Nanoseconds must fit into an int64, whose minimum is one further from zero than its maximum. */
const farthestNs = 2n ** 63n;

/** Milliseconds, or Go's error message. */
export function parseDuration(text: string): number | string {
  const invalid = `time: invalid duration ${timeQuote(text)}`;
  let rest = text.replace(/^[+-]/, "");
  if (rest === "0") return 0;
  if (rest === "") return invalid;
  let ns = 0n;
  while (rest !== "") {
    const [whole = "", fraction, unit = ""] =
      /^(\d*)(?:\.(\d*))?([^.\d]*)/.exec(rest)?.slice(1) ?? [];
    if (BigInt(whole) > farthestNs || whole + (fraction ?? "") === "") return invalid;
    if (unit === "") return `time: missing unit in duration ${timeQuote(text)}`;
    const unitNs = unitsNs.get(unit);
    if (unitNs === undefined)
      return `time: unknown unit ${timeQuote(unit)} in duration ${timeQuote(text)}`;
    ns += BigInt(whole) * BigInt(unitNs) + fractionNs(fraction ?? "", unitNs);
    if (ns > farthestNs) return invalid;
    rest = rest.slice(
      whole.length + (fraction === undefined ? 0 : fraction.length + 1) + unit.length,
    );
  }
  if (text.startsWith("-")) return Number(-ns) / 1e6;
  return ns === farthestNs ? invalid : Number(ns) / 1e6;
}

/** Go computes this in floating point, with no more digits than fit into 64 bits. */
function fractionNs(digits: string, unitNs: number): bigint {
  let kept = digits.slice(0, 40);
  while (BigInt(kept) >= farthestNs) kept = kept.slice(0, -1);
  return BigInt(Math.trunc(Number(kept) * (unitNs / 10 ** kept.length)));
}
