/** Virtual time: due actions in total order of (time, sequence). */
import type { Instant } from "../trace/instant.ts";

/** Most timers are due within this time: answers, watch events, immediate actions, polls. */
const soonMs = 256;
/**
 * Once the heap holds more cancelled timers than this, and more of them than others, they are dropped: deadlines of calls are
 * far ahead, and nearly all get cancelled.
 */
const cancelledCountMax = 1024;

/** Something to run at a certain time. The same object holds its place in the order. */
export abstract class Timer {
  at: Instant = 0;
  seq = 0;
  isCancelled = false;
  /** The next timer that is due at the same time. */
  next: Timer | undefined = undefined;

  abstract run(): void;
}

export class Callback extends Timer {
  readonly #action: () => void;

  constructor(action: () => void) {
    super();
    this.#action = action;
  }

  run(): void {
    this.#action();
  }
}

/** A queue of the timers that are due at the same time, in the order in which they were scheduled. */
class Due {
  first: Timer | undefined = undefined;
  #last: Timer | undefined = undefined;

  push(timer: Timer): void {
    if (this.first === undefined) this.first = timer;
    else if (this.#last !== undefined) this.#last.next = timer;
    this.#last = timer;
  }

  drop(timer: Timer): void {
    this.first = timer.next;
    timer.next = undefined;
  }
}

export class EventLoop {
  now: Instant = 0;
  eventCount = 0;
  #seq = 0;
  /** Timers that are due within `soonMs` at a whole millisecond: a ring of queues, one per millisecond. */
  readonly #soon: readonly Due[] = Array.from({ length: soonMs }, () => new Due());
  #soonCount = 0;
  /** No timer in `#soon` is due earlier. */
  #soonFrom: Instant = 0;
  /** Everything else, as a binary heap. */
  #heap: Timer[] = [];
  /** How many timers were cancelled since the heap was last purged. */
  #cancelledCount = 0;
  /** Timers that run before all others. */
  readonly #atOnce: Due = new Due();

  /** Runs `action` after `delayMs` of virtual time, after everything that is already due at that time. */
  after(delayMs: number, action: () => void): Timer {
    const timer = new Callback(action);
    this.schedule(delayMs, timer);
    return timer;
  }

  /** Like `after`, for a timer that has already run or was never scheduled. */
  schedule(delayMs: number, timer: Timer): void {
    const at = this.now + delayMs;
    timer.at = at;
    timer.seq = this.#seq++;
    if (delayMs >= soonMs || !Number.isInteger(at)) {
      this.#push(timer);
      return;
    }
    if (this.#soonCount === 0 || at < this.#soonFrom) this.#soonFrom = at;
    this.#soonCount++;
    this.#dueAt(at).push(timer);
  }

  /** Like `schedule`, but without delay and before everything that is already due now. */
  scheduleAtOnce(timer: Timer): void {
    timer.at = this.now;
    timer.seq = this.#seq++;
    this.#atOnce.push(timer);
  }

  cancel(timer: Timer): void {
    timer.isCancelled = true;
    if (timer.at < this.now + soonMs) return;
    this.#cancelledCount++;
    if (this.#cancelledCount > cancelledCountMax && this.#cancelledCount > this.#heap.length / 2)
      this.#dropCancelled();
  }

  /** The time of the next action; undefined when nothing is scheduled any more. */
  get next(): Instant | undefined {
    return this.#next()?.at;
  }

  /** Runs the next action; returns false if none is due by `end`. */
  step(end: Instant = Number.POSITIVE_INFINITY): boolean {
    const timer = this.#next();
    if (timer === undefined || timer.at > end) return false;
    if (timer === this.#atOnce.first) this.#atOnce.drop(timer);
    else if (timer === this.#heap[0]) this.#pop();
    else this.#dropSoon(timer);
    this.now = timer.at;
    this.eventCount++;
    timer.run();
    return true;
  }

  #next(): Timer | undefined {
    if (this.#atOnce.first !== undefined) return this.#atOnce.first;
    const soon = this.#nextSoon();
    const late = this.#nextLate();
    return soon === undefined || (late !== undefined && before(late, soon)) ? late : soon;
  }

  #nextSoon(): Timer | undefined {
    while (this.#soonCount > 0) {
      const { first } = this.#dueAt(this.#soonFrom);
      if (first === undefined) this.#soonFrom++;
      else if (first.isCancelled) this.#dropSoon(first);
      else return first;
    }
    return undefined;
  }

  #nextLate(): Timer | undefined {
    while (this.#heap[0]?.isCancelled === true) this.#pop();
    return this.#heap[0];
  }

  #dueAt(at: Instant): Due {
    return this.#soon[at % soonMs] as Due;
  }

  /** `timer` must be the first of those due at its time. */
  #dropSoon(timer: Timer): void {
    this.#dueAt(timer.at).drop(timer);
    this.#soonCount--;
  }

  #push(timer: Timer): void {
    const heap = this.#heap;
    let i = heap.length;
    heap.push(timer);
    while (i > 0) {
      const parent = (i - 1) >> 1;
      const above = heap[parent] as Timer;
      if (before(above, timer)) break;
      heap[i] = above;
      i = parent;
    }
    heap[i] = timer;
  }

  #pop(): Timer | undefined {
    const heap = this.#heap;
    const top = heap[0];
    const last = heap.pop();
    if (top === undefined || last === undefined || heap.length === 0) return top;
    this.#sink(0, last);
    return top;
  }

  /** Puts the timer in at index `from`, or moves it down to where it belongs. */
  #sink(from: number, timer: Timer): void {
    const heap = this.#heap;
    let i = from;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= heap.length) break;
      const right = child + 1;
      if (right < heap.length && before(heap[right] as Timer, heap[child] as Timer)) child = right;
      const below = heap[child] as Timer;
      if (before(timer, below)) break;
      heap[i] = below;
      i = child;
    }
    heap[i] = timer;
  }

  #dropCancelled(): void {
    this.#heap = this.#heap.filter((timer) => !timer.isCancelled);
    this.#cancelledCount = 0;
    for (let i = (this.#heap.length >> 1) - 1; i >= 0; i--) this.#sink(i, this.#heap[i] as Timer);
  }
}

function before(a: Timer, b: Timer): boolean {
  return a.at < b.at || (a.at === b.at && a.seq < b.seq);
}
