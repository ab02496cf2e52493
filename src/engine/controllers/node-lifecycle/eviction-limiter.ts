/**
 * When the next node of a zone may be emptied. Upstream: pkg/controller/nodelifecycle/scheduler/rate_limited_queue.go
 * RateLimitedTimedQueue, SwapLimiter v1.36: a bucket of one token.
 */
import type { Instant } from "../../trace/instant.ts";

/** Upstream: NodeEvictionRate 0.1/s. */
export const evictionIntervalMs = 10_000;

export class EvictionLimiter {
  #intervalMs: number | undefined = evictionIntervalMs;
  #nextAt: Instant = 0;

  /** Undefined where no node is emptied. */
  get nextAt(): Instant | undefined {
    return this.#intervalMs === undefined ? undefined : this.#nextAt;
  }

  /** Undefined: no node is emptied. Who had to wait at the old rate, or was stopped, waits for all of the new interval. */
  setInterval(intervalMs: number | undefined, now: Instant): void {
    if (intervalMs === this.#intervalMs) return;
    const mustWait = this.#intervalMs === undefined || this.#nextAt > now;
    this.#intervalMs = intervalMs;
    this.#nextAt = mustWait ? now + (intervalMs ?? 0) : now;
  }

  /** A node is emptied. */
  take(now: Instant): void {
    this.#nextAt = now + (this.#intervalMs ?? 0);
  }
}
