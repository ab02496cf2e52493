/**
 * How long a failed daemon pod is left alone before it is deleted and recreated. Upstream: pkg/controller/daemon
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

  /**
   * Undefined where a failed pod of that node may go now, after which the next one waits twice as long; else when to look
   * again: after the whole delay, not only what is left of it. After twice the longest delay without a failure it starts again.
   */
  next(set: DaemonSet, node: string, now: Instant): number | undefined {
    const nodes = this.#entries.get(keyOf(set)) ?? new Map<string, Entry>();
    this.#entries.set(keyOf(set), nodes);
    const entry = nodes.get(node);
    if (entry !== undefined && now - entry.updatedAt < entry.delayMs) return entry.delayMs;
    const isFresh = entry === undefined || now - entry.updatedAt > 2 * maxMs;
    nodes.set(node, {
      delayMs: isFresh ? baseMs : Math.min(entry.delayMs * 2, maxMs),
      updatedAt: now,
    });
    return undefined;
  }
}

function keyOf(set: DaemonSet): string {
  return `${set.metadata.uid}/${set.status?.observedGeneration ?? 0}`;
}
