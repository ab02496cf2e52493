/** A binary heap. Upstream: kube-scheduler v1.36 pkg/scheduler/backend/heap. */
export class Heap<T> {
  readonly #items: T[] = [];
  readonly #before: (a: T, b: T) => boolean;

  constructor(before: (a: T, b: T) => boolean) {
    this.#before = before;
  }

  get first(): T | undefined {
    return this.#items[0];
  }

  push(item: T): void {
    const items = this.#items;
    let at = items.length;
    items.push(item);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = items[parent];
      if (above === undefined || !this.#before(item, above)) break;
      items[at] = above;
      at = parent;
    }
    items[at] = item;
  }

  pop(): T | undefined {
    const items = this.#items;
    const top = items[0];
    const last = items.pop();
    if (last === undefined || items.length === 0) return top;
    let at = 0;
    for (;;) {
      const below = this.#lesserChild(at);
      const child = items[below];
      if (child === undefined || !this.#before(child, last)) break;
      items[at] = child;
      at = below;
    }
    items[at] = last;
    return top;
  }

  #lesserChild(at: number): number {
    const left = 2 * at + 1;
    const [a, b] = [this.#items[left], this.#items[left + 1]];
    return a !== undefined && b !== undefined && this.#before(b, a) ? left + 1 : left;
  }
}
