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
   * Returns undefined if a failed pod of the node may be deleted now, which doubles the next delay. Otherwise returns when to
   * check again: after the whole delay, not only its rest. The delay is reset after twice the maximum without a failure.
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
