/** Counts that may be written as a share of all. Upstream: apimachinery pkg/util/intstr GetScaledValueFromIntOrPercent. */

/** A count, or a percentage of `total`; 0 where absent or unreadable. */
export function scaledUp(value: number | string | undefined, total: number): number {
  return scaled(value, total, Math.ceil);
}

/** The same, with what is no whole number rounded down. */
export function scaledDown(value: number | string | undefined, total: number): number {
  return scaled(value, total, Math.floor);
}

function scaled(
  value: number | string | undefined,
  total: number,
  round: (count: number) => number,
): number {
  if (value === undefined) return 0;
  if (typeof value === "number") return value;
  const percent = Number.parseInt(value, 10);
  // Integers first: 7 % of 100 must not become 8 for a rounding error.
  return Number.isNaN(percent) ? 0 : round((percent * total) / 100);
}
