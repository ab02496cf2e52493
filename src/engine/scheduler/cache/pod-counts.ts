/**
 * How many pods of a kind each node has, kept up to date as pods come and go, so that a scheduling cycle need not look at
 * every pod of the cluster. Upstream counts anew in each cycle (podtopologyspread countPodsMatchSelector, interpodaffinity
 * getIncomingAffinityAntiAffinityCounts).
 */
import type { Pod } from "../../api/types.ts";
import type { PodInfo } from "./pod-info.ts";

/** Pods by node name; nodes without any are absent. */
export type CountsByNode = ReadonlyMap<string, number>;

interface Counter {
  readonly matches: (pod: Pod) => boolean;
  readonly byNode: Map<string, number>;
}

/** Above this number of questions the oldest are forgotten: asking again only costs a count. */
const counterCountMax = 4096;

export class PodCounts {
  readonly #counters = new Map<string, Counter>();
  readonly #placed: () => Iterable<readonly [string, PodInfo]>;

  /** `placed`: all pods with their nodes' names. */
  constructor(placed: () => Iterable<readonly [string, PodInfo]>) {
    this.#placed = placed;
  }

  /** Pods for which `matches` holds. Questions with the same key have to be the same question. */
  of(key: string, matches: (pod: Pod) => boolean): CountsByNode {
    const known = this.#counters.get(key);
    if (known !== undefined) return known.byNode;
    const counter: Counter = { matches, byNode: new Map() };
    for (const [node, { pod }] of this.#placed()) shift(counter, pod, node, 1);
    const oldest = this.#counters.keys().next();
    if (this.#counters.size >= counterCountMax && oldest.done !== true) {
      this.#counters.delete(oldest.value);
    }
    this.#counters.set(key, counter);
    return counter.byNode;
  }

  /** A pod came to a node (1) or left it (-1). */
  shift(pod: Pod, node: string, by: 1 | -1): void {
    for (const counter of this.#counters.values()) shift(counter, pod, node, by);
  }

  /** What a question is about has changed otherwise: a namespace's labels. */
  forget(): void {
    this.#counters.clear();
  }
}

function shift(counter: Counter, pod: Pod, node: string, by: 1 | -1): void {
  if (!counter.matches(pod)) return;
  const count = (counter.byNode.get(node) ?? 0) + by;
  if (count > 0) counter.byNode.set(node, count);
  else counter.byNode.delete(node);
}
