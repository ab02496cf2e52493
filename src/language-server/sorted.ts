/** Binary search in sorted lists. */

/** Index of the last item whose number is not above the limit; -1 if all are. The numbers must rise. */
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
