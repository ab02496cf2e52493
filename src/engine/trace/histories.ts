/**
 * Finds the version that an object had at a given moment. Each write of an object is linked to the one before it and to one
 * further back, so the number of steps grows with the logarithm of the writes. All links are kept in a few lists of numbers,
 * because a trace may have a hundred thousand objects.
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
  /** The following lists are indexed by the number of a write. The version that it made, and its entry. */
  readonly #versions: (KubeObject | undefined)[] = [];
  readonly #seqs: number[] = [];
  /** The object's previous write, the write that it jumps to, and how many writes of the object came before. */
  readonly #previous: number[] = [];
  readonly #jump: number[] = [];
  readonly #depth: number[] = [];
  #entryCount = 0;

  /** Adds the entries that came since the last call. */
  extend(entries: readonly TraceEntry[]): void {
    for (; this.#entryCount < entries.length; this.#entryCount++) {
      const entry = entries[this.#entryCount];
      if (entry?.type === "write") this.#link(entry.ref, entry.seq, entry.after);
    }
  }

  /** The number of the object; undefined if it was never written. */
  numberOf(ref: Ref): number | undefined {
    return this.#numbers.get(ref);
  }

  /** The last write up to and including the entry `seq`; -1 if there is none. */
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

  /** The object as it was after the write `last`, which may be a write of another object; undefined if it did not exist. */
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
