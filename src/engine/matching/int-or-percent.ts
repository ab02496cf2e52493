/** Counts that may be given as a percentage. Upstream: apimachinery pkg/util/intstr GetScaledValueFromIntOrPercent. */

/** Returns a count, or the percentage of `total` rounded up; 0 if absent or unreadable. */
export function scaledUp(value: number | string | undefined, total: number): number {
  return scaled(value, total, Math.ceil);
}

/** Like `scaledUp`, but rounded down. */
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
  // Multiplies before dividing: otherwise 7 % of 100 becomes 8 by a rounding error.
  return Number.isNaN(percent) ? 0 : round((percent * total) / 100);
}
