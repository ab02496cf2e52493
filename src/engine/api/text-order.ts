/** Byte-wise order of texts, as Go sorts them; no locale has a say. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
