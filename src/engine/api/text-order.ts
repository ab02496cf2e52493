/** Byte-wise order of texts, as Go sorts them; no locale has a say. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The keys of a map in that order; none of a map that is not there. */
export function sortedKeys(map: object | undefined): readonly string[] {
  if (map === undefined) return none;
  const keys = Object.keys(map);
  return keys.length < 2 ? keys : keys.sort(compareText);
}

const none: readonly string[] = [];
