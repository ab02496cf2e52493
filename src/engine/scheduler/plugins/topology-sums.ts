/** Sums by topology: for each label key and value, the sum over the nodes that have that label. */
import type { Node } from "../../api/types.ts";
import type { CountsByNode } from "../cache/pod-counts.ts";
import type { Snapshot } from "../cache/snapshot.ts";

export class TopologySums {
  readonly #byKey: Map<string, Map<string, number>>;

  constructor(byKey: Map<string, Map<string, number>> = new Map()) {
    this.#byKey = byKey;
  }

  get isEmpty(): boolean {
    return this.#byKey.size === 0;
  }

  copy(): TopologySums {
    return new TopologySums(new Map([...this.#byKey].map(([key, sums]) => [key, new Map(sums)])));
  }

  /** Adds to the sum of the node's topology; does nothing if the node lacks the label. Sums of 0 are deleted. */
  add(key: string, node: Node | undefined, amount: number): void {
    const value = node?.metadata.labels?.[key];
    if (value === undefined) return;
    let sums = this.#byKey.get(key);
    if (sums === undefined) this.#byKey.set(key, (sums = new Map()));
    const sum = (sums.get(value) ?? 0) + amount;
    if (sum !== 0) sums.set(value, sum);
    else if (sums.delete(value) && sums.size === 0) this.#byKey.delete(key);
  }

  addCounts(key: string, counts: CountsByNode, snapshot: Snapshot, weight = 1): void {
    for (const [name, count] of counts) this.add(key, snapshot.node(name)?.node, weight * count);
  }

  /** The sum of the node's topology for the key. */
  of(key: string, node: Node): number {
    const value = node.metadata.labels?.[key];
    return value === undefined ? 0 : (this.#byKey.get(key)?.get(value) ?? 0);
  }

  /** The node's sums, added up over all keys. */
  total(node: Node): number {
    let sum = 0;
    for (const key of this.#byKey.keys()) sum += this.of(key, node);
    return sum;
  }

  /** True if one of the node's topologies has a positive sum. */
  isAnyPositive(node: Node): boolean {
    for (const key of this.#byKey.keys()) if (this.of(key, node) > 0) return true;
    return false;
  }
}
