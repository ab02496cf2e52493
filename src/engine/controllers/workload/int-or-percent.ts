/** Counts that may be written as a share of all. Upstream: apimachinery pkg/util/intstr GetScaledValueFromIntOrPercent. */

/** A count, or a percentage of `total`; 0 where absent or unreadable. */
export function scaled(
  value: number | string | undefined,
  total: number,
  roundUp: boolean,
): number {
  if (value === undefined) return 0;
  if (typeof value === "number") return value;
  const percent = Number.parseInt(value, 10);
  if (Number.isNaN(percent)) return 0;
  // Integers first: 7 % of 100 must not become 8 for a rounding error.
  return roundUp ? Math.ceil((percent * total) / 100) : Math.floor((percent * total) / 100);
}
