/**
 * Which version an object had at a moment. Each write of an object is linked to the one before it, and to another one further
 * back, so that a version is found in a number of steps that grows with the logarithm of the writes. All links stand in a few lists
 * of numbers, because a trace may have a hundred thousand objects.
 * The lengths of the jumps are those of E. W. Myers, "An applicative random-access stack" (1983).
 */
import type { KubeObject, Ref } from "../api/meta.ts";
import type { TraceEntry } from "./entry.ts";

const none = -1;

export class Histories {
  /** Objects by number, in order of their first creation. */
  readonly refs: Ref[] = [];
  readonly #numbers = new Map<Ref, number>();
  /** Each object's newest write. */
  readonly #newest: number[] = [];
  /** What follows is of each write, by its number: the version that it made, and its entry. */
  readonly #versions: (KubeObject | undefined)[] = [];
  readonly #seqs: number[] = [];
  /** The write before it, the one that it jumps to, and how many come before it. */
  readonly #previous: number[] = [];
  readonly #jump: number[] = [];
  readonly #depth: number[] = [];
  #entryCount = 0;

  /** Takes over the entries that are not known yet. */
  extend(entries: readonly TraceEntry[]): void {
    for (; this.#entryCount < entries.length; this.#entryCount++) {
      const entry = entries[this.#entryCount];
      if (entry?.type === "write") this.#link(entry.ref, entry.seq, entry.after);
    }
  }

  /** The number of the object; undefined where nothing was ever written of it. */
  numberOf(ref: Ref): number | undefined {
    return this.#numbers.get(ref);
  }

  /** The last write that is not after the entry `seq`; -1 where there is none. */
  writeAt(seq: number): number {
    let low = 0;
    let high = this.#seqs.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#seqs[middle] ?? 0) <= seq) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** The object as it was after that write, which may be of another object; undefined where it did not exist. */
  version(object: number, last: number): KubeObject | undefined {
    let write = this.#newest[object] ?? none;
    while (write > last) {
      const far = this.#jump[write] ?? none;
      write = far > last ? far : (this.#previous[write] ?? none);
    }
    return write === none ? undefined : this.#versions[write];
  }

  #link(ref: Ref, seq: number, version: KubeObject | undefined): void {
    const write = this.#versions.length;
    let object = this.#numbers.get(ref);
    if (object === undefined) {
      object = this.refs.length;
      this.#numbers.set(ref, object);
      this.refs.push(ref);
      this.#newest.push(none);
    }
    const previous = this.#newest[object] ?? none;
    this.#newest[object] = write;
    this.#versions.push(version);
    this.#seqs.push(seq);
    this.#previous.push(previous);
    this.#jump.push(this.#jumpBehind(previous));
    this.#depth.push(previous === none ? 0 : this.#depthOf(previous) + 1);
  }

  /** Two jumps of the same length make one of twice that length and one more. */
  #jumpBehind(previous: number): number {
    const near = previous === none ? none : (this.#jump[previous] ?? none);
    const far = near === none ? none : (this.#jump[near] ?? none);
    if (far === none) return previous;
    const isAsLong =
      this.#depthOf(previous) - this.#depthOf(near) === this.#depthOf(near) - this.#depthOf(far);
    return isAsLong ? far : previous;
  }

  #depthOf(write: number): number {
    return this.#depth[write] ?? 0;
  }
}
