/**
 * A rate-limited work queue: one entry per key, a key added while it is processed runs once more afterwards, failures back
 * off per key and share a token bucket. Upstream: client-go util/workqueue, DefaultTypedControllerRateLimiter.
 */
import type { Key } from "../api/meta.ts";
import type { Instant } from "../trace/trace.ts";
import type { EventLoop, Timer } from "./event-loop.ts";
import { Fifo } from "./fifo.ts";
import type { Outcome, Reconcile } from "./outcome.ts";

export interface QueueOptions {
  readonly name: string;
  readonly sync: (key: Key) => Reconcile;
  /** 1 where absent. */
  readonly workers?: number;
  /** Back-off of a failing key: baseMs · 2ⁿ, at most maxMs. 5 ms and 1000 s where absent. */
  readonly baseMs?: number;
  readonly maxMs?: number;
  /** Retries of all keys together: `perSecond` after a burst. 10 and 100 where absent. */
  readonly perSecond?: number;
  readonly burst?: number;
}

export interface WorkQueue {
  add(key: Key): void;
  addAfter(key: Key, delayMs: number): void;
  /** Adds after the key's back-off, which grows. */
  addRateLimited(key: Key): void;
  /** Resets the key's back-off. */
  forget(key: Key): void;
  /** How often the key has failed in a row. */
  failures(key: Key): number;
  /** When the key would be tried again if it failed now, the bucket aside. */
  retryAt(key: Key): Instant;
  readonly length: number;
}

/** What the queue needs of its component: running tasks, and the trace entry that is being reacted to. */
export interface QueueHost {
  readonly loop: EventLoop;
  readonly alive: () => boolean;
  readonly cause: () => number | undefined;
  readonly run: (
    name: string,
    cause: number | undefined,
    task: Reconcile,
    ended: (outcome: Outcome) => void,
  ) => void;
}

export class RateLimitedQueue implements WorkQueue {
  readonly #options: QueueOptions;
  readonly #host: QueueHost;
  /** Waiting keys with the entry that made each wait, and their order. */
  readonly #waiting = new Map<Key, number | undefined>();
  readonly #order = new Fifo<Key>();
  readonly #processing = new Set<Key>();
  readonly #again = new Map<Key, number | undefined>();
  readonly #failures = new Map<Key, number>();
  readonly #delayed = new Map<Key, Timer>();
  #tokensReadyAt: number;
  #pumping = false;

  constructor(options: QueueOptions, host: QueueHost) {
    this.#options = options;
    this.#host = host;
    this.#tokensReadyAt =
      host.loop.now - (1000 * (options.burst ?? 100)) / (options.perSecond ?? 10);
  }

  get length(): number {
    return this.#waiting.size;
  }

  add(key: Key): void {
    const cause = this.#host.cause();
    if (this.#processing.size > 0 && this.#processing.has(key)) {
      if (!this.#again.has(key)) this.#again.set(key, cause);
    } else if (!this.#waiting.has(key)) {
      this.#enqueue(key, cause);
      this.#pump();
    }
  }

  addAfter(key: Key, delayMs: number): void {
    if (delayMs <= 0) {
      this.add(key);
      return;
    }
    const { loop, alive } = this.#host;
    const earlier = this.#delayed.get(key);
    if (earlier !== undefined && earlier.action !== undefined && earlier.at <= loop.now + delayMs)
      return;
    if (earlier !== undefined) loop.cancel(earlier);
    const timer = loop.after(delayMs, () => {
      this.#delayed.delete(key);
      if (alive()) this.add(key);
    });
    this.#delayed.set(key, timer);
  }

  addRateLimited(key: Key): void {
    const { baseMs = 5, maxMs = 1_000_000, perSecond = 10, burst = 100 } = this.#options;
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    const now = this.#host.loop.now;
    this.#tokensReadyAt =
      Math.max(this.#tokensReadyAt, now - (1000 * burst) / perSecond) + 1000 / perSecond;
    const bucketMs = Math.max(0, Math.ceil(this.#tokensReadyAt - now));
    this.addAfter(key, Math.max(Math.min(baseMs * 2 ** failures, maxMs), bucketMs));
  }

  forget(key: Key): void {
    if (this.#failures.size > 0) this.#failures.delete(key);
  }

  failures(key: Key): number {
    return this.#failures.get(key) ?? 0;
  }

  retryAt(key: Key): Instant {
    const { baseMs = 5, maxMs = 1_000_000 } = this.#options;
    return this.#host.loop.now + Math.min(baseMs * 2 ** this.failures(key), maxMs);
  }

  #enqueue(key: Key, cause: number | undefined): void {
    this.#waiting.set(key, cause);
    this.#order.push(key);
  }

  #pump(): void {
    if (this.#pumping) return;
    this.#pumping = true;
    // Deferred, so that a handler that adds keys ends before the first of them is processed.
    this.#host.loop.after(0, () => {
      this.#pumping = false;
      while (this.#host.alive() && this.#processing.size < (this.#options.workers ?? 1)) {
        const key = this.#order.shift();
        if (key === undefined) return;
        const cause = this.#waiting.get(key);
        this.#waiting.delete(key);
        this.#processing.add(key);
        this.#host.run(this.#options.name, cause, this.#options.sync(key), (outcome) =>
          this.#ended(key, outcome),
        );
      }
    });
  }

  #ended(key: Key, outcome: Outcome): void {
    this.#processing.delete(key);
    if (this.#again.size > 0 && this.#again.has(key)) {
      this.#enqueue(key, this.#again.get(key));
      this.#again.delete(key);
    }
    if (outcome.type === "retry") this.addRateLimited(key);
    else this.forget(key);
    if (outcome.type === "wait" && outcome.afterMs !== undefined)
      this.addAfter(key, outcome.afterMs);
    if (this.#waiting.size > 0) this.#pump();
  }
}
