/**
 * Volumes sorted by size, then name. The smallest that is large enough is found by binary search, and adding or removing one
 * moves at most one chunk. Upstream picks randomly among equal sizes; the order by name makes the choice deterministic.
 */
import type { PersistentVolume } from "../api/types.ts";

export interface SizedVolume {
  readonly size: bigint;
  /**
   * `Number(size)`, because numbers compare much faster than bigints: if two of these differ, the sizes differ in the same
   * direction.
   */
  readonly roundedSize: number;
  readonly name: string;
  readonly volume: PersistentVolume;
}

const chunkLengthMax = 512;

/** A run of consecutive volumes, at least one. */
interface Chunk {
  readonly volumes: SizedVolume[];
  /** Their rounded sizes in an array of their own: a search then touches only volumes of the wanted size. */
  readonly roundedSizes: number[];
}

/** The position of a volume in the order, whether or not it is stored. */
type Place = Omit<SizedVolume, "volume">;

/** Negative if `a` comes before `b`. */
export function compareSizedVolumes(a: SizedVolume, b: SizedVolume): number {
  if (a.roundedSize !== b.roundedSize) return a.roundedSize < b.roundedSize ? -1 : 1;
  return compareWithPlace(a, b);
}

/** Negative if the volume comes before the place; both must have the same rounded size. */
function compareWithPlace(there: SizedVolume, { size, name }: Place): number {
  if (there.size !== size) return there.size < size ? -1 : 1;
  return there.name < name ? -1 : there.name > name ? 1 : 0;
}

/** An iterator in order; the list must not change meanwhile. */
export class SizedVolumes {
  readonly #chunks: readonly Chunk[];
  #chunk: number;
  #slot: number;

  constructor(chunks: readonly Chunk[], chunk: number, slot: number) {
    this.#chunks = chunks;
    this.#chunk = chunk;
    this.#slot = slot;
  }

  /** Returns undefined at the end, however often it is called. */
  next(): SizedVolume | undefined {
    const volumes = this.#chunks[this.#chunk]?.volumes;
    if (volumes === undefined || this.#slot < volumes.length) return volumes?.[this.#slot++];
    this.#chunk++;
    this.#slot = 0;
    return this.next();
  }
}

export class SortedVolumes {
  /** Sorted and not overlapping. */
  readonly #chunks: Chunk[] = [];
  /** The last search, unless something has changed since. */
  #asked: { readonly size: bigint; readonly chunk: number; readonly slot: number } | undefined;

  get isEmpty(): boolean {
    return this.#chunks.length === 0;
  }

  /** Adds the volume; replaces one with the same size and name. */
  put(entry: SizedVolume): void {
    this.#asked = undefined;
    const at = Math.min(this.#chunkOf(entry), this.#chunks.length - 1);
    const chunk = this.#chunks[at];
    if (chunk === undefined) {
      this.#chunks.push({ volumes: [entry], roundedSizes: [entry.roundedSize] });
      return;
    }
    const { volumes, roundedSizes } = chunk;
    const slot = firstNotBefore(chunk, entry);
    if (isAt(chunk, slot, entry)) {
      volumes[slot] = entry;
      return;
    }
    volumes.splice(slot, 0, entry);
    roundedSizes.splice(slot, 0, entry.roundedSize);
    if (volumes.length <= chunkLengthMax) return;
    const half = chunkLengthMax >> 1;
    const rest = { volumes: volumes.splice(half), roundedSizes: roundedSizes.splice(half) };
    this.#chunks.splice(at + 1, 0, rest);
  }

  delete(entry: SizedVolume): void {
    this.#asked = undefined;
    const at = this.#chunkOf(entry);
    const chunk = this.#chunks[at];
    if (chunk === undefined) return;
    const slot = firstNotBefore(chunk, entry);
    if (!isAt(chunk, slot, entry)) return;
    chunk.volumes.splice(slot, 1);
    chunk.roundedSizes.splice(slot, 1);
    if (chunk.volumes.length === 0) this.#chunks.splice(at, 1);
  }

  /** Iterates over the volumes of at least this size, smallest first. */
  from(size: bigint): SizedVolumes {
    if (this.#asked?.size !== size) this.#asked = this.#first(size);
    const { chunk, slot } = this.#asked;
    return new SizedVolumes(this.#chunks, chunk, slot);
  }

  #first(size: bigint): { readonly size: bigint; readonly chunk: number; readonly slot: number } {
    const place = { size, roundedSize: Number(size), name: "" };
    const at = this.#chunkOf(place);
    const chunk = this.#chunks[at];
    return { size, chunk: at, slot: chunk === undefined ? 0 : firstNotBefore(chunk, place) };
  }

  /** The largest volume; undefined if there is none. */
  get last(): SizedVolume | undefined {
    return this.#chunks.at(-1)?.volumes.at(-1);
  }

  /** Returns the index of the first chunk that does not end before the place. */
  #chunkOf(place: Place): number {
    let low = 0;
    let high = this.#chunks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const chunk = this.#chunks[middle] as Chunk;
      if (isBefore(chunk, chunk.volumes.length - 1, place)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function firstNotBefore(chunk: Chunk, place: Place): number {
  let low = 0;
  let high = chunk.volumes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(chunk, middle, place)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isBefore({ volumes, roundedSizes }: Chunk, slot: number, place: Place): boolean {
  const roundedSize = roundedSizes[slot] as number;
  if (roundedSize !== place.roundedSize) return roundedSize < place.roundedSize;
  return compareWithPlace(volumes[slot] as SizedVolume, place) < 0;
}

function isAt({ volumes, roundedSizes }: Chunk, slot: number, place: Place): boolean {
  const there = volumes[slot];
  return (
    there !== undefined &&
    roundedSizes[slot] === place.roundedSize &&
    compareWithPlace(there, place) === 0
  );
}
