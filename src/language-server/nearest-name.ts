/** Finds what somebody probably meant by an unknown name: `did you mean “x”?`. */
import { push } from "../engine/api/go/multi-map.ts";

export function nearestName(
  name: string,
  known: readonly string[],
  distanceMax = 2,
): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.min(distanceMax, Math.floor(name.length / 2)) + 1;
  for (const candidate of known) {
    const distance = editDistance(name, candidate, bestDistance);
    if (distance < bestDistance && distance > 0) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Appends the question to a message, if there is a near name. */
export function asking(message: string, meant: string | undefined): string {
  return meant === undefined ? message : `${message}; did you mean “${meant}”?`;
}

/** For objects: names with other digits are other objects, not typing mistakes (gp2 and gp3). */
export function nearestObjectName(name: string, known: readonly string[]): string | undefined {
  const numbered = numberedAlike.get(known) ?? groupByDigits(known);
  numberedAlike.set(known, numbered);
  return nearestName(name, numbered.get(digitsOf(name)) ?? []);
}

// Cached, because thousands of unknown names may be compared with the same list.
const numberedAlike = new WeakMap<readonly string[], ReadonlyMap<string, readonly string[]>>();

function groupByDigits(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const name of names) push(groups, digitsOf(name), name);
  return groups;
}

function digitsOf(name: string): string {
  return name.replace(/\D/g, "");
}

/**
 * Counts insertions, deletions, replacements and swaps of neighbors; returns `limit` if there are at least that many. Skips the
 * common start and end of both names, and stops as soon as they cannot be near any more: an unknown name is compared with every
 * known one.
 */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let [endA, endB] = [a.length, b.length];
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA--;
    endB--;
  }
  return distanceBetween(a.slice(start, endA), b.slice(start, endB), limit);
}

/** Row by row: distances from each start of `a` to the starts of `b` whose length differs from it by less than `limit`. */
function distanceBetween(a: string, b: string, limit: number): number {
  const emptyRow = (): number[] => new Array<number>(b.length + 2).fill(limit);
  let [older, previous, row] = [emptyRow(), emptyRow(), emptyRow()];
  for (let j = 0; j <= Math.min(b.length, limit); j++) previous[j] = j;
  let leastBefore = 0;
  for (let i = 1; i <= a.length; i++) {
    const from = Math.max(1, i - limit + 1);
    const to = Math.min(b.length, i + limit - 1);
    row[from - 1] = from === 1 ? Math.min(i, limit) : limit;
    row[to + 1] = limit;
    let least: number = row[from - 1] ?? limit;
    for (let j = from; j <= to; j++) {
      const same = a.charCodeAt(i - 1) === b.charCodeAt(j - 1);
      const replaced = (previous[j - 1] ?? limit) + (same ? 0 : 1);
      let cost = Math.min(replaced, (previous[j] ?? limit) + 1, (row[j - 1] ?? limit) + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (older[j - 2] ?? limit) + 1);
      row[j] = cost;
      least = Math.min(least, cost);
    }
    // The next row's swaps build on the row before this one, at a cost of one, so that row counts too.
    if (least >= limit && leastBefore >= limit - 1) return limit;
    leastBefore = least;
    [older, previous, row] = [previous, row, older];
  }
  return Math.min(previous[b.length] ?? limit, limit);
}
