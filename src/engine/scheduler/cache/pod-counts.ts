/**
 * Counts of matching pods on each node, kept up to date as pods come and go, so that a scheduling cycle need not look at every
 * pod of the cluster. Upstream counts anew in each cycle (podtopologyspread countPodsMatchSelector, interpodaffinity
 * getIncomingAffinityAntiAffinityCounts).
 */
import type { LabelSelector, Pod } from "../../api/types.ts";
import type { PodInfo } from "./pod-info.ts";

/** Pod counts by node name; nodes without any are absent. */
export type CountsByNode = ReadonlyMap<string, number>;

export interface PodQuestion {
  /** Questions with the same key have to be the same question. */
  readonly key: string;
  readonly matches: (pod: Pod) => boolean;
  /** A label that every matching pod has, from `anchorOf`; pods without it are skipped. Undefined: all pods are tested. */
  readonly anchor: string | undefined;
}

/** Returns one label that the selector requires; undefined if it has no matchLabels. */
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

/** Beyond this number the oldest question is dropped; asking it again costs a recount. */
const counterCountMax = 4096;

/** A pod that is on a node. */
export interface PlacedPod {
  readonly pod: PodInfo;
  readonly node: string;
}

export class PodCounts {
  readonly #counters = new Map<string, Counter>();
  readonly #byAnchor = new Map<string | undefined, Set<Counter>>();
  /** All pods on nodes, and the same by label: most new questions are about few of very many pods. */
  readonly #placed = new Set<PlacedPod>();
  readonly #placedByLabel = new Map<string, Set<PlacedPod>>();

  constructor(placed: Iterable<PlacedPod> = []) {
    for (const pod of placed) this.add(pod);
  }

  of(question: PodQuestion): CountsByNode {
    const known = this.#counters.get(question.key);
    if (known !== undefined) return known.byNode;
    const counter: Counter = { ...question, byNode: new Map() };
    const { anchor } = question;
    const asked = anchor === undefined ? this.#placed : this.#placedByLabel.get(anchor);
    for (const placed of asked ?? []) shift(counter, placed, 1);
    const oldest = this.#counters.values().next();
    if (this.#counters.size >= counterCountMax && oldest.done !== true) this.#drop(oldest.value);
    this.#counters.set(counter.key, counter);
    const sameAnchor = this.#byAnchor.get(counter.anchor);
    if (sameAnchor === undefined) this.#byAnchor.set(counter.anchor, new Set([counter]));
    else sameAnchor.add(counter);
    return counter.byNode;
  }

  /** Counts a pod that has come to a node. */
  add(placed: PlacedPod): void {
    this.#placed.add(placed);
    this.#shift(undefined, placed, 1);
    const { labels } = placed.pod.pod.metadata;
    for (const key in labels) {
      const text = label(key, labels[key] ?? "");
      const same = this.#placedByLabel.get(text);
      if (same === undefined) this.#placedByLabel.set(text, new Set([placed]));
      else same.add(placed);
      this.#shift(text, placed, 1);
    }
  }

  /** Uncounts a pod that has left its node; its labels must be those it was added with. */
  remove(placed: PlacedPod): void {
    this.#placed.delete(placed);
    this.#shift(undefined, placed, -1);
    const { labels } = placed.pod.pod.metadata;
    for (const key in labels) {
      const text = label(key, labels[key] ?? "");
      const same = this.#placedByLabel.get(text);
      if (same?.delete(placed) === true && same.size === 0) this.#placedByLabel.delete(text);
      this.#shift(text, placed, -1);
    }
  }

  /** Drops all counts, because the labels of a namespace have changed. */
  forget(): void {
    this.#counters.clear();
    this.#byAnchor.clear();
  }

  #shift(anchor: string | undefined, placed: PlacedPod, by: 1 | -1): void {
    const counters = this.#byAnchor.get(anchor);
    if (counters === undefined) return;
    for (const counter of counters) shift(counter, placed, by);
  }

  #drop(counter: Counter): void {
    this.#counters.delete(counter.key);
    const sameAnchor = this.#byAnchor.get(counter.anchor);
    sameAnchor?.delete(counter);
    if (sameAnchor?.size === 0) this.#byAnchor.delete(counter.anchor);
  }
}

function shift(counter: Counter, { pod, node }: PlacedPod, by: 1 | -1): void {
  if (!counter.matches(pod.pod)) return;
  const count = (counter.byNode.get(node) ?? 0) + by;
  if (count > 0) counter.byNode.set(node, count);
  else counter.byNode.delete(node);
}
