/** The order of a list's elements, by what identifies each. */

/** The index of the first element with each key. */
export function firstPlaces<T>(
  list: readonly T[],
  keyOf: (item: T) => unknown,
): Map<unknown, number> {
  const places = new Map<unknown, number>();
  for (const [index, item] of list.entries())
    if (!places.has(keyOf(item))) places.set(keyOf(item), index);
  return places;
}

/** For sorting; an element without a place comes first. */
export function byPlace<T>(
  places: ReadonlyMap<unknown, number>,
  keyOf: (item: T) => unknown,
): (a: T, b: T) => number {
  const placeOf = (item: T): number => places.get(keyOf(item)) ?? -1;
  return (a, b) => placeOf(a) - placeOf(b);
}
