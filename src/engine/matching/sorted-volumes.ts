/**
 * Volumes in order of size, then of name: finding the smallest that is large enough takes a binary search, and adding or
 * taking one away moves at most one chunk. Upstream picks among equal sizes at random; the order by name makes it certain.
 */
import type { PersistentVolume } from "../api/types.ts";

export interface SizedVolume {
  readonly size: bigint;
  /** `Number(size)`: where two of these differ, the sizes do in the same way, and numbers are compared much sooner. */
  readonly roundedSize: number;
  readonly volume: PersistentVolume;
}

const chunkLengthMax = 512;

/** Negative where `a` comes before `b`. */
export function compareSizedVolumes(a: SizedVolume, b: SizedVolume): number {
  if (a.roundedSize !== b.roundedSize) return a.roundedSize < b.roundedSize ? -1 : 1;
  if (a.size !== b.size) return a.size < b.size ? -1 : 1;
  const [x, y] = [a.volume.metadata.name, b.volume.metadata.name];
  return x < y ? -1 : x > y ? 1 : 0;
}

/** A walk along the order; the list must not change meanwhile. */
export class SizedVolumes {
  readonly #chunks: readonly (readonly SizedVolume[])[];
  #chunk: number;
  #slot: number;

  constructor(chunks: readonly (readonly SizedVolume[])[], chunk: number, slot: number) {
    this.#chunks = chunks;
    this.#chunk = chunk;
    this.#slot = slot;
  }

  /** Undefined at the end, again and again. */
  next(): SizedVolume | undefined {
    const chunk = this.#chunks[this.#chunk];
    if (chunk === undefined || this.#slot < chunk.length) return chunk?.[this.#slot++];
    this.#chunk++;
    this.#slot = 0;
    return this.next();
  }
}

export class SortedVolumes {
  /** No chunk is empty; each ends before the next begins. */
  readonly #chunks: SizedVolume[][] = [];

  get isEmpty(): boolean {
    return this.#chunks.length === 0;
  }

  /** Adds the volume; one of the same size and name is replaced. */
  put(entry: SizedVolume): void {
    const at = Math.min(this.#chunkOf(entry), this.#chunks.length - 1);
    const chunk = this.#chunks[at];
    if (chunk === undefined) {
      this.#chunks.push([entry]);
      return;
    }
    const slot = firstNotBefore(chunk, entry);
    const there = chunk[slot];
    if (there !== undefined && compareSizedVolumes(there, entry) === 0) chunk[slot] = entry;
    else chunk.splice(slot, 0, entry);
    if (chunk.length > chunkLengthMax)
      this.#chunks.splice(at + 1, 0, chunk.splice(chunkLengthMax >> 1));
  }

  delete(entry: SizedVolume): void {
    const at = this.#chunkOf(entry);
    const chunk = this.#chunks[at];
    if (chunk === undefined) return;
    const slot = firstNotBefore(chunk, entry);
    const there = chunk[slot];
    if (there === undefined || compareSizedVolumes(there, entry) !== 0) return;
    chunk.splice(slot, 1);
    if (chunk.length === 0) this.#chunks.splice(at, 1);
  }

  /** Those of at least this size, smallest first. */
  from(size: bigint): SizedVolumes {
    const roundedSize = Number(size);
    let low = 0;
    let high = this.#chunks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const last = this.#chunks[middle]?.at(-1);
      if (last !== undefined && isSmaller(last, size, roundedSize)) low = middle + 1;
      else high = middle;
    }
    const chunk = this.#chunks[low] ?? [];
    return new SizedVolumes(this.#chunks, low, firstOfSize(chunk, size, roundedSize));
  }

  /** The largest one; undefined where there is none. */
  get last(): SizedVolume | undefined {
    return this.#chunks.at(-1)?.at(-1);
  }

  /** The first chunk that does not end before the entry. */
  #chunkOf(entry: SizedVolume): number {
    let low = 0;
    let high = this.#chunks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const last = this.#chunks[middle]?.at(-1);
      if (last !== undefined && compareSizedVolumes(last, entry) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function firstNotBefore(chunk: readonly SizedVolume[], entry: SizedVolume): number {
  let low = 0;
  let high = chunk.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const there = chunk[middle];
    if (there !== undefined && compareSizedVolumes(there, entry) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function firstOfSize(chunk: readonly SizedVolume[], size: bigint, roundedSize: number): number {
  let low = 0;
  let high = chunk.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const there = chunk[middle];
    if (there !== undefined && isSmaller(there, size, roundedSize)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isSmaller(there: SizedVolume, size: bigint, roundedSize: number): boolean {
  return there.roundedSize === roundedSize ? there.size < size : there.roundedSize < roundedSize;
}
