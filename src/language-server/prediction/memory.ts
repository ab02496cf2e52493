/** Limits how much a run may keep, depending on the memory of the process. */

/**
 * A run needs up to twice what its trace keeps, and the garbage collector half as much again. When runs follow each other, the
 * previous one stays until the next has ended.
 */
export function traceBytesMax(heapBytesMax: number, run: "first" | "next"): number {
  const share = run === "first" ? 3 : 6;
  return Math.trunc(heapBytesMax / share);
}
