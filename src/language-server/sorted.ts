/** Searches in lists whose numbers rise. */

/** Index of the last of rising numbers that is not above a limit; -1 where all are. */
export function lastUpTo<T>(
  limit: number,
  items: readonly T[],
  numberOf: (item: T) => number,
): number {
  let low = -1;
  let high = items.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    const item = items[middle];
    if (item !== undefined && numberOf(item) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}
