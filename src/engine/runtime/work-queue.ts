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

/** What the queue knows of a key, in one record: each look-up in a map of many keys costs as much as all the rest. */
interface Item {
  readonly key: Key;
  state: "idle" | "waiting" | "processing";
  /** The entry that made it wait. */
  cause: number | undefined;
  /** Added while it is processed, and by which entry. */
  isWantedAgain: boolean;
  causeOfAgain: number | undefined;
  failureCount: number;
  timer: Timer | undefined;
}

export class RateLimitedQueue implements WorkQueue {
  readonly #options: QueueOptions;
  readonly #host: QueueHost;
  /** Keys of which there is something to know. */
  readonly #items = new Map<Key, Item>();
  readonly #waiting = new Fifo<Item>();
  #waitingCount = 0;
  #processingCount = 0;
  #tokensReadyAt: number;
  #pumping = false;

  constructor(options: QueueOptions, host: QueueHost) {
    this.#options = options;
    this.#host = host;
    this.#tokensReadyAt =
      host.loop.now - (1000 * (options.burst ?? 100)) / (options.perSecond ?? 10);
  }

  get length(): number {
    return this.#waitingCount;
  }

  add(key: Key): void {
    this.#add(this.#item(key));
  }

  addAfter(key: Key, delayMs: number): void {
    this.#addAfter(this.#item(key), delayMs);
  }

  addRateLimited(key: Key): void {
    this.#addRateLimited(this.#item(key));
  }

  forget(key: Key): void {
    const item = this.#items.get(key);
    if (item !== undefined) this.#forget(item);
  }

  failures(key: Key): number {
    return this.#items.get(key)?.failureCount ?? 0;
  }

  retryAt(key: Key): Instant {
    return this.#host.loop.now + this.#backOffMs(this.failures(key));
  }

  #backOffMs(failureCount: number): number {
    const { baseMs = 5, maxMs = 1_000_000 } = this.#options;
    return Math.min(baseMs * 2 ** failureCount, maxMs);
  }

  #item(key: Key): Item {
    let item = this.#items.get(key);
    if (item === undefined) {
      item = {
        key,
        state: "idle",
        cause: undefined,
        isWantedAgain: false,
        causeOfAgain: undefined,
        failureCount: 0,
        timer: undefined,
      };
      this.#items.set(key, item);
    }
    return item;
  }

  #add(item: Item): void {
    const cause = this.#host.cause();
    if (item.state === "processing") {
      if (item.isWantedAgain) return;
      item.isWantedAgain = true;
      item.causeOfAgain = cause;
    } else if (item.state === "idle") {
      this.#enqueue(item, cause);
      this.#pump();
    }
  }

  #addAfter(item: Item, delayMs: number): void {
    if (delayMs <= 0) {
      this.#add(item);
      return;
    }
    const { loop, alive } = this.#host;
    const { timer } = item;
    if (timer !== undefined && timer.at <= loop.now + delayMs) return;
    if (timer !== undefined) loop.cancel(timer);
    item.timer = loop.after(delayMs, () => {
      item.timer = undefined;
      if (alive()) this.#add(item);
    });
  }

  #addRateLimited(item: Item): void {
    const { perSecond = 10, burst = 100 } = this.#options;
    const backOffMs = this.#backOffMs(item.failureCount);
    item.failureCount++;
    const now = this.#host.loop.now;
    this.#tokensReadyAt =
      Math.max(this.#tokensReadyAt, now - (1000 * burst) / perSecond) + 1000 / perSecond;
    const bucketMs = Math.max(0, Math.ceil(this.#tokensReadyAt - now));
    this.#addAfter(item, Math.max(backOffMs, bucketMs));
  }

  #forget(item: Item): void {
    item.failureCount = 0;
    if (item.state === "idle" && item.timer === undefined) this.#items.delete(item.key);
  }

  #enqueue(item: Item, cause: number | undefined): void {
    item.state = "waiting";
    item.cause = cause;
    this.#waiting.push(item);
    this.#waitingCount++;
  }

  #pump(): void {
    if (this.#pumping) return;
    this.#pumping = true;
    // Deferred, so that a handler that adds keys ends before the first of them is processed.
    this.#host.loop.after(0, () => {
      this.#pumping = false;
      while (this.#host.alive() && this.#processingCount < (this.#options.workers ?? 1)) {
        const item = this.#waiting.shift();
        if (item === undefined) return;
        this.#waitingCount--;
        this.#processingCount++;
        item.state = "processing";
        const { name, sync } = this.#options;
        this.#host.run(name, item.cause, sync(item.key), (outcome) => this.#ended(item, outcome));
      }
    });
  }

  #ended(item: Item, outcome: Outcome): void {
    item.state = "idle";
    this.#processingCount--;
    if (item.isWantedAgain) {
      item.isWantedAgain = false;
      this.#enqueue(item, item.causeOfAgain);
    }
    if (outcome.type === "retry") this.#addRateLimited(item);
    else if (outcome.type === "wait" && outcome.afterMs !== undefined) {
      item.failureCount = 0;
      this.#addAfter(item, outcome.afterMs);
    } else this.#forget(item);
    if (this.#waitingCount > 0) this.#pump();
  }
}
