/**
 * A queue, first in, first out, with constant time for each step. A Map of which one takes and deletes the first key again and
 * again is not that: its iterator walks over everything deleted, so that n keys take n² steps.
 */
export class Fifo<T> {
  #items: T[] = [];
  #head = 0;

  get isEmpty(): boolean {
    return this.#head === this.#items.length;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  /** The oldest item; undefined where there is none. */
  shift(): T | undefined {
    if (this.#head >= this.#items.length) return undefined;
    const item = this.#items[this.#head++];
    if (this.#head > 1024 && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }
}
