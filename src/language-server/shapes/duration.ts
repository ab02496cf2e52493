/** Durations as people write them. */

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** "30s", "1m30s", "250ms", or a number of milliseconds; undefined for anything else. */
export function durationMs(value: unknown): number | undefined {
  if (typeof value === "number") return value >= 0 ? value : undefined;
  if (typeof value !== "string" || !/^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/.test(value))
    return undefined;
  let ms = 0;
  for (const [, amount, unit = ""] of value.matchAll(/([\d.]+)(ms|s|m|h)/g))
    ms += Number(amount) * (unitMs[unit] ?? 0);
  return ms;
}

/** As scenario files write it: `1m30s`. */
export function durationText(ms: number): string {
  let left = Math.round(ms);
  let text = "";
  for (const unit of ["h", "m", "s", "ms"]) {
    const size = unitMs[unit] ?? 1;
    const amount = Math.floor(left / size);
    left -= amount * size;
    if (amount > 0) text += `${amount}${unit}`;
  }
  return text === "" ? "0s" : text;
}
