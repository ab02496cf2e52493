/**
 * How many pods of a kind each node has, kept up to date as pods come and go, so that a scheduling cycle need not look at
 * every pod of the cluster. Upstream counts anew in each cycle (podtopologyspread countPodsMatchSelector, interpodaffinity
 * getIncomingAffinityAntiAffinityCounts).
 */
import type { LabelSelector, Pod } from "../../api/types.ts";
import type { PodInfo } from "./pod-info.ts";

/** Pods by node name; nodes without any are absent. */
export type CountsByNode = ReadonlyMap<string, number>;

export interface PodQuestion {
  /** Questions with the same key have to be the same question. */
  readonly key: string;
  readonly matches: (pod: Pod) => boolean;
  /** A label that every matching pod has, as `anchorOf` gives it: pods without it need not be asked about. */
  readonly anchor: string | undefined;
}

/** One label that the selector asks for; undefined where it has none to offer. */
export function anchorOf(selector: LabelSelector | undefined): string | undefined {
  for (const key in selector?.matchLabels) return label(key, selector.matchLabels[key] ?? "");
  return undefined;
}

function label(key: string, value: string): string {
  return `${key}=${value}`;
}

interface Counter extends PodQuestion {
  readonly byNode: Map<string, number>;
}

/** Above this number of questions the oldest are forgotten: asking again only costs a count. */
const counterCountMax = 4096;

export class PodCounts {
  readonly #counters = new Map<string, Counter>();
  readonly #byAnchor = new Map<string | undefined, Set<Counter>>();
  readonly #placed: () => Iterable<readonly [string, PodInfo]>;

  /** `placed`: all pods with their nodes' names. */
  constructor(placed: () => Iterable<readonly [string, PodInfo]>) {
    this.#placed = placed;
  }

  of(question: PodQuestion): CountsByNode {
    const known = this.#counters.get(question.key);
    if (known !== undefined) return known.byNode;
    const counter: Counter = { ...question, byNode: new Map() };
    for (const [node, { pod }] of this.#placed()) shift(counter, pod, node, 1);
    const oldest = this.#counters.values().next();
    if (this.#counters.size >= counterCountMax && oldest.done !== true) this.#drop(oldest.value);
    this.#counters.set(counter.key, counter);
    const sameAnchor = this.#byAnchor.get(counter.anchor);
    if (sameAnchor === undefined) this.#byAnchor.set(counter.anchor, new Set([counter]));
    else sameAnchor.add(counter);
    return counter.byNode;
  }

  /** A pod came to a node (1) or left it (-1). */
  shift(pod: Pod, node: string, by: 1 | -1): void {
    if (this.#counters.size === 0) return;
    const { labels } = pod.metadata;
    for (const counter of this.#byAnchor.get(undefined) ?? []) shift(counter, pod, node, by);
    for (const key in labels) {
      const counters = this.#byAnchor.get(label(key, labels[key] ?? ""));
      for (const counter of counters ?? []) shift(counter, pod, node, by);
    }
  }

  /** What a question is about has changed otherwise: a namespace's labels. */
  forget(): void {
    this.#counters.clear();
    this.#byAnchor.clear();
  }

  #drop(counter: Counter): void {
    this.#counters.delete(counter.key);
    const sameAnchor = this.#byAnchor.get(counter.anchor);
    sameAnchor?.delete(counter);
    if (sameAnchor?.size === 0) this.#byAnchor.delete(counter.anchor);
  }
}

function shift(counter: Counter, pod: Pod, node: string, by: 1 | -1): void {
  if (!counter.matches(pod)) return;
  const count = (counter.byNode.get(node) ?? 0) + by;
  if (count > 0) counter.byNode.set(node, count);
  else counter.byNode.delete(node);
}
