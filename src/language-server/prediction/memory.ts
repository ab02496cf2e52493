/** How much a run may keep in a process that has so much memory. */

/**
 * A run takes up to twice what its trace keeps, and the collector needs half as much again. Where runs follow each other, the
 * one before stays until the next has ended.
 */
export function traceBytesMax(heapBytesMax: number, run: "first" | "next"): number {
  const share = run === "first" ? 3 : 6;
  return Math.trunc(heapBytesMax / share);
}
