/**
 * The nodes of a zone whose pods are to go. Each look at all nodes puts those that still wait behind those that are gone.
 * Upstream: pkg/controller/nodelifecycle/scheduler/rate_limited_queue.go RateLimitedTimedQueue, markNodeForTainting v1.36.
 */
import type { Instant } from "../../trace/instant.ts";
import { EvictionLimiter } from "./eviction-limiter.ts";

export class EvictionQueue {
  readonly limiter: EvictionLimiter = new EvictionLimiter();
  readonly #waiting = new Set<string>();

  /** Puts it last. */
  add(name: string): void {
    this.#waiting.delete(name);
    this.#waiting.add(name);
  }

  remove(name: string): void {
    this.#waiting.delete(name);
  }

  /** When the next one may be taken; undefined where none waits, or none is ever let through. */
  get nextAt(): Instant | undefined {
    return this.#waiting.size === 0 ? undefined : this.limiter.nextAt;
  }

  /** One that is gone by then takes the place of another all the same. */
  take(now: Instant): string | undefined {
    const { nextAt } = this;
    if (nextAt === undefined || nextAt > now) return undefined;
    this.limiter.take(now);
    const [name] = this.#waiting;
    if (name !== undefined) this.#waiting.delete(name);
    return name;
  }
}
