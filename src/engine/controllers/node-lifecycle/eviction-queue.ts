/**
 * The nodes of a zone whose pods are to be evicted. Each check of all nodes moves the existing ones behind deleted ones.
 * Upstream: pkg/controller/nodelifecycle/scheduler/rate_limited_queue.go RateLimitedTimedQueue, markNodeForTainting v1.36.
 */
import type { Instant } from "../../trace/instant.ts";
import { EvictionLimiter } from "./eviction-limiter.ts";

export class EvictionQueue {
  readonly limiter: EvictionLimiter = new EvictionLimiter();
  readonly #waiting = new Set<string>();

  /** Puts the node last, even if it is waiting already. */
  add(name: string): void {
    this.#waiting.delete(name);
    this.#waiting.add(name);
  }

  remove(name: string): void {
    this.#waiting.delete(name);
  }

  /** When the next node may be taken; undefined if none waits or evictions are stopped. */
  get nextAt(): Instant | undefined {
    return this.#waiting.size === 0 ? undefined : this.limiter.nextAt;
  }

  /** Takes the next node if it is due. A deleted node uses up its turn all the same. */
  take(now: Instant): string | undefined {
    const { nextAt } = this;
    if (nextAt === undefined || nextAt > now) return undefined;
    this.limiter.take(now);
    const [name] = this.#waiting;
    if (name !== undefined) this.#waiting.delete(name);
    return name;
  }
}
