import assert from "node:assert/strict";
import type { Task } from "../../../src/engine/runtime/effects.ts";
import { EventLoop } from "../../../src/engine/runtime/event-loop.ts";
import { done, type Outcome, retry, wait } from "../../../src/engine/runtime/outcome.ts";
import { type QueueOptions, RateLimitedQueue } from "../../../src/engine/runtime/work-queue.ts";

interface Processed {
  readonly at: number;
  readonly key: string;
}

/** A queue whose keys take 10 ms by default and end with `outcome`. */
function queueOf(
  outcome: (key: string, time: number) => Outcome,
  options: Partial<QueueOptions> = {},
  takesMs = 10,
): { readonly loop: EventLoop; readonly queue: RateLimitedQueue; readonly processed: Processed[] } {
  const loop = new EventLoop();
  const processed: Processed[] = [];
  const queue = new RateLimitedQueue(
    {
      ...options,
      *sync(key): Task<Outcome> {
        processed.push({ at: loop.now, key });
        return outcome(key, processed.filter((p) => p.key === key).length);
      },
    },
    {
      loop,
      alive: () => true,
      cause: () => undefined,
      run: (task, _cause, waiter) => {
        const end = task.next();
        loop.after(takesMs, () => waiter.ended(end.value as Outcome));
      },
    },
  );
  return { loop, queue, processed };
}

function drain(loop: EventLoop): void {
  while (loop.step());
}

suite("work queue", () => {
  test("processes a waiting key once, however often it is added", () => {
    const { loop, queue, processed } = queueOf(() => done("ok"));
    queue.add("a");
    queue.add("a");
    queue.add("b");
    drain(loop);
    assert.deepEqual(
      processed.map((p) => p.key),
      ["a", "b"],
    );
  });

  test("passes on the cause with which a key was added, also while it is processed", () => {
    const loop = new EventLoop();
    const causes: (number | undefined)[] = [];
    let now = 1;
    const queue = new RateLimitedQueue(
      {
        *sync(): Task<Outcome> {
          return done("ok");
        },
      },
      {
        loop,
        alive: () => true,
        cause: () => now,
        run: (_, cause, waiter) => {
          causes.push(cause);
          loop.after(10, () => waiter.ended(done("ok")));
        },
      },
    );
    queue.add("a");
    loop.after(5, () => {
      now = 2;
      queue.add("a");
    });
    drain(loop);
    assert.deepEqual(causes, [1, 2]);
  });

  test("processes a key again if it is added while it is processed", () => {
    const { loop, queue, processed } = queueOf(() => done("ok"));
    queue.add("a");
    loop.after(5, () => queue.add("a"));
    drain(loop);
    assert.deepEqual(processed, [
      { at: 0, key: "a" },
      { at: 10, key: "a" },
    ]);
  });

  test("says when a key that fails now is retried, and which retry is the first after an instant", () => {
    const options = { baseMs: 1_000, maxMs: 4_000 };
    const { loop, queue } = queueOf((_, time) => (time < 3 ? retry("no") : done("ok")), options, 0);
    assert.equal(queue.retryAt("a"), 1_000);
    // After 1, 2, 4 and 4 s.
    assert.equal(queue.retryAt("a", 7_001), 11_000);
    assert.equal(queue.retryAt("a", 7_000), 7_000);
    queue.add("a");
    while (loop.now < 1_000) loop.step();
    assert.equal(queue.retryAt("a", 2_000), 3_000);
  });

  test("never processes one key twice at a time, whatever the number of workers", () => {
    const { loop, queue, processed } = queueOf(() => done("ok"), { workers: 5 });
    queue.add("a");
    queue.add("b");
    loop.after(5, () => queue.add("a"));
    drain(loop);
    assert.deepEqual(processed, [
      { at: 0, key: "a" },
      { at: 0, key: "b" },
      { at: 10, key: "a" },
    ]);
  });

  test("retries a failing key after 5, 10, 20 ms and so on, and forgets once it succeeds", () => {
    const { loop, queue, processed } = queueOf(
      (_, time) => (time === 4 ? done("ok") : retry("error")),
      {},
      0,
    );
    queue.add("a");
    drain(loop);
    assert.deepEqual(
      processed.map((p) => p.at),
      [0, 5, 15, 35],
    );
    assert.equal(queue.failures("a"), 0);
  });

  test("backs off no longer than its maximum", () => {
    const { loop, queue, processed } = queueOf(
      (_, time) => (time === 5 ? done("ok") : retry("error")),
      { baseMs: 1000, maxMs: 2000 },
      0,
    );
    queue.add("a");
    drain(loop);
    assert.deepEqual(
      processed.map((p) => p.at),
      [0, 1000, 3000, 5000, 7000],
    );
  });

  test("processes a key again after the time that it asked to wait", () => {
    const { loop, queue, processed } = queueOf(
      (_, time) => (time === 1 ? wait("later", 300) : done("ok")),
      {},
      0,
    );
    queue.add("a");
    drain(loop);
    assert.deepEqual(
      processed.map((p) => p.at),
      [0, 300],
    );
  });

  test("lets retries of many keys pass at ten a second once the burst of a hundred is used up", () => {
    const { loop, queue, processed } = queueOf(
      (_, time) => (time === 2 ? done("ok") : retry("error")),
      { workers: 200 },
      0,
    );
    for (let i = 0; i < 110; i++) queue.add(`key-${i}`);
    drain(loop);
    const last = processed.at(-1)?.at ?? 0;
    assert.equal(last, 1000);
  });
});
