/** Union-find: disjoint sets of numbers. */
export class UnionFind {
  readonly #parents: number[];

  /** Puts each of the first `count` numbers into a set of its own. */
  constructor(count: number) {
    this.#parents = Array.from({ length: count }, (_, number) => number);
  }

  /** The number that represents the set. */
  find(at: number): number {
    let root = at;
    for (let up = this.#parents[root]; up !== undefined && up !== root; up = this.#parents[root])
      root = up;
    let node = at;
    while (node !== root) {
      const up = this.#parents[node] ?? root;
      this.#parents[node] = root;
      node = up;
    }
    return root;
  }

  /** The smaller number becomes the root. */
  union(a: number, b: number): void {
    const [x, y] = [this.find(a), this.find(b)];
    if (x < y) this.#parents[y] = x;
    else this.#parents[x] = y;
  }
}
