/**
 * First in, first out, each step in constant time. A Map whose first key is taken and deleted again and again is not that: its
 * iterator walks over all that was deleted, which makes a queue of n keys take n² steps.
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
