/**
 * A rate-limited work queue with one entry per key. A key that is added while it is processed is processed once more
 * afterwards. Failing keys back off individually, and share a token bucket. Upstream: client-go util/workqueue,
 * DefaultTypedControllerRateLimiter.
 */
import type { Key } from "../api/meta.ts";
import { ByKey, KeyNumbers } from "../by-key.ts";
import type { Instant } from "../trace/instant.ts";
import { Callback, type EventLoop, type Timer } from "./event-loop.ts";
import { Fifo } from "./fifo.ts";
import type { Outcome, Reconcile } from "./outcome.ts";

export interface QueueOptions {
  readonly sync: (key: Key) => Reconcile;
  /** The numbers of the keys, if they are the keys of a kind's objects; where absent, the queue numbers them itself. */
  readonly keys?: KeyNumbers;
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
  /** Resets the key's back-off. */
  forget(key: Key): void;
  /** How often the key has failed in a row. */
  failures(key: Key): number;
  /** When the key will be processed by itself; undefined if it has to be added first. */
  plannedAt(key: Key): Instant | undefined;
  /**
   * When the key would be retried if it failed now; with `failsUntil`, the first retry after that, if all tries before it fail.
   * Ignores the shared bucket.
   */
  retryAt(key: Key, failsUntil?: Instant): Instant;
}

/** What the queue needs from its component: a way to run tasks, and the trace entry that is being reacted to. */
export interface QueueHost {
  readonly loop: EventLoop;
  readonly alive: () => boolean;
  readonly cause: () => number | undefined;
  readonly run: (task: Reconcile, cause: number | undefined, waiter: Waiter<Outcome>) => void;
}

/** Called when a task ends. */
export interface Waiter<T> {
  ended(answer: T): void;
}

/** All that the queue knows of a key, in one record: each look-up in a map of many keys costs as much as everything else. */
class Item implements Waiter<Outcome> {
  readonly key: Key;
  readonly #processed: (item: Item, outcome: Outcome) => void;
  state: "idle" | "waiting" | "processing" = "idle";
  /** The trace entry that queued the key. */
  cause: number | undefined = undefined;
  /** True if the key was added while being processed; `causeOfAgain` is the entry that did it. */
  isWantedAgain = false;
  causeOfAgain: number | undefined = undefined;
  failureCount = 0;
  timer: Timer | undefined = undefined;

  constructor(key: Key, processed: (item: Item, outcome: Outcome) => void) {
    this.key = key;
    this.#processed = processed;
  }

  get isForgotten(): boolean {
    return this.state === "idle" && this.failureCount === 0 && this.timer === undefined;
  }

  ended(outcome: Outcome): void {
    this.#processed(this, outcome);
  }
}

export class RateLimitedQueue implements WorkQueue {
  readonly #options: QueueOptions;
  readonly #host: QueueHost;
  /** Only keys that wait, are being processed, have failed or are planned. */
  readonly #items: ByKey<Item>;
  readonly #waiting = new Fifo<Item>();
  #processingCount = 0;
  #tokensReadyAt: number;
  readonly #timer: Callback;
  #isDue = false;
  readonly #processed = (item: Item, outcome: Outcome): void => this.#ended(item, outcome);

  constructor(options: QueueOptions, host: QueueHost) {
    this.#options = options;
    this.#host = host;
    this.#items = new ByKey(options.keys ?? new KeyNumbers());
    this.#timer = new Callback(() => this.#process());
    this.#tokensReadyAt =
      host.loop.now - (1000 * (options.burst ?? 100)) / (options.perSecond ?? 10);
  }

  add(key: Key): void {
    this.#add(this.#item(key));
  }

  addAfter(key: Key, delayMs: number): void {
    this.#addAfter(this.#item(key), delayMs);
  }

  forget(key: Key): void {
    const item = this.#items.get(key);
    if (item === undefined) return;
    item.failureCount = 0;
    this.#dropIfForgotten(item);
  }

  failures(key: Key): number {
    return this.#items.get(key)?.failureCount ?? 0;
  }

  plannedAt(key: Key): Instant | undefined {
    return this.#items.get(key)?.timer?.at;
  }

  retryAt(key: Key, failsUntil: Instant = this.#host.loop.now): Instant {
    let failureCount = this.failures(key);
    let at = this.#host.loop.now;
    do at += this.#backOffMs(failureCount++);
    while (at < failsUntil);
    return at;
  }

  #backOffMs(failureCount: number): number {
    const { baseMs = 5, maxMs = 1_000_000 } = this.#options;
    return Math.min(baseMs * 2 ** failureCount, maxMs);
  }

  #item(key: Key): Item {
    let item = this.#items.get(key);
    if (item === undefined) {
      item = new Item(key, this.#processed);
      this.#items.set(key, item);
    }
    return item;
  }

  #dropIfForgotten(item: Item): void {
    if (item.isForgotten) this.#items.delete(item.key);
  }

  #add(item: Item, cause: number | undefined = this.#host.cause()): void {
    if (item.state === "processing") {
      if (item.isWantedAgain) return;
      item.isWantedAgain = true;
      item.causeOfAgain = cause;
    } else if (item.state === "idle") {
      this.#enqueue(item, cause);
      this.#startProcessing();
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
    // The entry that queues the key is the cause of what is done later.
    const cause = this.#host.cause();
    item.timer = loop.after(delayMs, () => {
      item.timer = undefined;
      if (alive()) this.#add(item, cause);
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

  #enqueue(item: Item, cause: number | undefined): void {
    item.state = "waiting";
    item.cause = cause;
    this.#waiting.push(item);
  }

  /** Deferred, so that a handler that adds keys has ended before the first of them is processed. */
  #startProcessing(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    this.#host.loop.schedule(0, this.#timer);
  }

  #process(): void {
    this.#isDue = false;
    const { sync, workers = 1 } = this.#options;
    while (this.#host.alive() && this.#processingCount < workers) {
      const item = this.#waiting.shift();
      if (item === undefined) return;
      this.#processingCount++;
      item.state = "processing";
      this.#host.run(sync(item.key), item.cause, item);
    }
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
    } else {
      item.failureCount = 0;
      this.#dropIfForgotten(item);
    }
    if (!this.#waiting.isEmpty) this.#startProcessing();
  }
}
