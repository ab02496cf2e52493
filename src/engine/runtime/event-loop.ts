/** Virtual time: due actions in total order of time, then of their making. */
import type { Instant } from "../trace/trace.ts";

export interface Timer {
  readonly at: Instant;
  action: (() => void) | undefined;
}

/** What is due at one instant, in order; `head` is the first that has not had its turn. */
interface Due {
  readonly at: Instant;
  readonly timers: Timer[];
  head: number;
}

/**
 * Most actions share their instant with others, and few are due much later. So the heap is one of instants, and what an
 * instant holds stands in the order in which it came: no comparison is made for it.
 */
export class EventLoop {
  now: Instant = 0;
  eventCount = 0;
  readonly #heap: Due[] = [];
  readonly #byInstant = new Map<Instant, Due>();

  /** Runs `action` after `delayMs` of virtual time, behind everything that is due at the same time already. */
  after(delayMs: number, action: () => void): Timer {
    const timer: Timer = { at: this.now + delayMs, action };
    const due = this.#byInstant.get(timer.at);
    if (due === undefined) this.#push({ at: timer.at, timers: [timer], head: 0 });
    else due.timers.push(timer);
    return timer;
  }

  cancel(timer: Timer): void {
    timer.action = undefined;
  }

  /** The time of the next action, or undefined when nothing is due ever again. */
  get next(): Instant | undefined {
    return this.#earliest()?.at;
  }

  /** Runs the next action; false when there is none. */
  step(): boolean {
    const timer = this.#earliest();
    const action = timer?.action;
    if (timer === undefined || action === undefined) return false;
    timer.action = undefined;
    this.now = timer.at;
    this.eventCount++;
    action();
    return true;
  }

  /** The next timer that is not cancelled; instants that hold nothing any more are dropped. */
  #earliest(): Timer | undefined {
    for (let due = this.#heap[0]; due !== undefined; due = this.#heap[0]) {
      for (; due.head < due.timers.length; due.head++) {
        const timer = due.timers[due.head];
        if (timer?.action !== undefined) return timer;
      }
      this.#pop();
    }
    return undefined;
  }

  #push(due: Due): void {
    this.#byInstant.set(due.at, due);
    const heap = this.#heap;
    let i = heap.length;
    heap.push(due);
    while (i > 0) {
      const parent = (i - 1) >> 1;
      const above = heap[parent] as Due;
      if (above.at < due.at) break;
      heap[i] = above;
      i = parent;
    }
    heap[i] = due;
  }

  #pop(): void {
    const heap = this.#heap;
    const top = heap[0];
    const last = heap.pop();
    if (top === undefined || last === undefined) return;
    this.#byInstant.delete(top.at);
    if (heap.length === 0) return;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= heap.length) break;
      const right = child + 1;
      if (right < heap.length && (heap[right] as Due).at < (heap[child] as Due).at) child = right;
      const below = heap[child] as Due;
      if (last.at < below.at) break;
      heap[i] = below;
      i = child;
    }
    heap[i] = last;
  }
}
