/**
 * How long a failed daemon pod is left alone before it is deleted and made anew. Upstream: pkg/controller/daemon
 * failedPodsBackoff, client-go flowcontrol.NewBackOff(1s, 15min) v1.36.
 */
import type { Instant } from "../../trace/instant.ts";
import type { DaemonSet } from "./daemon-pod.ts";

const baseMs = 1000;
const maxMs = 900_000;

interface Entry {
  delayMs: number;
  updatedAt: Instant;
}

export class FailedPodBackoff {
  readonly #entries = new Map<string, Map<string, Entry>>();

  isWaiting(set: DaemonSet, node: string, now: Instant): boolean {
    const entry = this.#entries.get(keyOf(set))?.get(node);
    return entry !== undefined && now - entry.updatedAt < entry.delayMs;
  }

  /** Doubles the delay; after twice the longest delay without a failure it starts again. */
  next(set: DaemonSet, node: string, now: Instant): void {
    const nodes = this.#entries.get(keyOf(set)) ?? new Map<string, Entry>();
    this.#entries.set(keyOf(set), nodes);
    const entry = nodes.get(node);
    const isFresh = entry === undefined || now - entry.updatedAt > 2 * maxMs;
    nodes.set(node, {
      delayMs: isFresh ? baseMs : Math.min(entry.delayMs * 2, maxMs),
      updatedAt: now,
    });
  }

  /** Until the first of the set's nodes may be tried again; undefined where none waits. */
  nextInMs(set: DaemonSet, now: Instant): number | undefined {
    let next: number | undefined;
    for (const { delayMs, updatedAt } of this.#entries.get(keyOf(set))?.values() ?? []) {
      const left = updatedAt + delayMs - now;
      if (left > 0 && (next === undefined || left < next)) next = left;
    }
    return next;
  }
}

function keyOf(set: DaemonSet): string {
  return `${set.metadata.uid}/${set.status?.observedGeneration ?? 0}`;
}
