/** Byte-wise order of texts, as in Go, whatever the locale. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

/** In UTF-8 the characters that UTF-16 writes as surrogate pairs come last. */
function rank(codeUnit: number): number {
  const isHalf = codeUnit >= 0xd800 && codeUnit < 0xe000;
  return isHalf ? codeUnit + 0x10000 : codeUnit;
}

/** The keys of a map in that order; none if there is no map. */
export function sortedKeys(map: object | undefined): readonly string[] {
  if (map === undefined) return none;
  const keys = Object.keys(map);
  return keys.length < 2 ? keys : keys.sort(compareText);
}

/** The texts in that order. Most lists have only one. */
export function sortedTexts(texts: Iterable<string>): readonly string[] {
  const list = [...texts];
  return list.length < 2 ? list : list.sort(compareText);
}

const none: readonly string[] = [];
