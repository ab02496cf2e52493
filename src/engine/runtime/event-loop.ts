/** Virtual time: due actions in total order of (time, sequence). */
import type { Instant } from "../trace/trace.ts";

/** More are not left in the heap if they are most of it: deadlines of calls are far away, and nearly all are cancelled. */
const cancelledCountMax = 1024;

/** Something that is to be run at a time: one object for the place in the order and for what is done. */
export abstract class Timer {
  at: Instant = 0;
  seq = 0;
  isCancelled = false;

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

export class EventLoop {
  now: Instant = 0;
  eventCount = 0;
  #seq = 0;
  #heap: Timer[] = [];
  /** Since the heap was last cleared of them. */
  #cancelledCount = 0;

  /** Runs `action` after `delayMs` of virtual time, behind everything that is due at the same time already. */
  after(delayMs: number, action: () => void): Timer {
    const timer = new Callback(action);
    this.schedule(delayMs, timer);
    return timer;
  }

  /** As `after`, for a timer that has run already or was never scheduled. */
  schedule(delayMs: number, timer: Timer): void {
    timer.at = this.now + delayMs;
    timer.seq = this.#seq++;
    this.#push(timer);
  }

  cancel(timer: Timer): void {
    timer.isCancelled = true;
    this.#cancelledCount++;
    if (this.#cancelledCount > cancelledCountMax && this.#cancelledCount > this.#heap.length / 2)
      this.#dropCancelled();
  }

  /** The time of the next action, or undefined when nothing is due ever again. */
  get next(): Instant | undefined {
    while (this.#heap.length > 0 && this.#heap[0]?.isCancelled === true) this.#pop();
    return this.#heap[0]?.at;
  }

  /** Runs the next action; false when there is none. */
  step(): boolean {
    for (;;) {
      const timer = this.#pop();
      if (timer === undefined) return false;
      if (timer.isCancelled) continue;
      this.now = timer.at;
      this.eventCount++;
      timer.run();
      return true;
    }
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

  /** Puts the timer at `from` or as far below it as it belongs. */
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
