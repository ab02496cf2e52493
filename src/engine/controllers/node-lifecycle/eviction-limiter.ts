/**
 * When the pods of a zone's next node may be evicted. Upstream: pkg/controller/nodelifecycle/scheduler/rate_limited_queue.go
 * RateLimitedTimedQueue, SwapLimiter v1.36: a bucket of one token.
 */
import type { Instant } from "../../trace/instant.ts";

/** Upstream: NodeEvictionRate 0.1/s. */
export const evictionIntervalMs = 10_000;

export class EvictionLimiter {
  #intervalMs: number | undefined = evictionIntervalMs;
  #nextAt: Instant = 0;

  /** Undefined while evictions are stopped. */
  get nextAt(): Instant | undefined {
    return this.#intervalMs === undefined ? undefined : this.#nextAt;
  }

  /** Undefined stops evictions. If the next node had to wait, or evictions were stopped, the whole new interval applies. */
  setInterval(intervalMs: number | undefined, now: Instant): void {
    if (intervalMs === this.#intervalMs) return;
    const mustWait = this.#intervalMs === undefined || this.#nextAt > now;
    this.#intervalMs = intervalMs;
    this.#nextAt = mustWait ? now + (intervalMs ?? 0) : now;
  }

  /** Counts a node whose pods are evicted now. */
  take(now: Instant): void {
    this.#nextAt = now + (this.#intervalMs ?? 0);
  }
}
