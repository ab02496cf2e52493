import assert from "node:assert/strict";
import fc from "fast-check";
import { Callback, EventLoop } from "../../../src/engine/runtime/event-loop.ts";

function drain(loop: EventLoop): void {
  while (loop.step());
}

suite("event loop", () => {
  test("runs actions in order of time, and those of the same time in the order in which they were scheduled", () => {
    const delays = fc.array(fc.integer({ min: 0, max: 600 }), { maxLength: 200 });
    fc.assert(
      fc.property(delays, (all) => {
        const loop = new EventLoop();
        const seen: [number, number][] = [];
        for (const [i, delay] of all.entries()) loop.after(delay, () => seen.push([delay, i]));
        drain(loop);
        const expected = all.map((delay, i): [number, number] => [delay, i]);
        assert.deepEqual(
          seen,
          expected.sort(([a, i], [b, j]) => a - b || i - j),
        );
      }),
      { seed: 1 },
    );
  });

  test("runs an action scheduled long before ahead of one scheduled just before for the same time", () => {
    const loop = new EventLoop();
    const seen: string[] = [];
    loop.after(1000, () => seen.push("long before"));
    loop.after(990, () => loop.after(10, () => seen.push("just before")));
    loop.after(1000.5, () => seen.push("half a millisecond later"));
    drain(loop);
    assert.deepEqual(seen, ["long before", "just before", "half a millisecond later"]);
  });

  test("runs an action that is scheduled after `next` was read, and before that time", () => {
    const loop = new EventLoop();
    const seen: number[] = [];
    loop.after(30, () => seen.push(30));
    assert.equal(loop.next, 30);
    for (const delay of [3, 0]) loop.after(delay, () => seen.push(delay));
    drain(loop);
    assert.deepEqual(seen, [0, 3, 30]);
  });

  test("runs actions scheduled at once ahead of those already due", () => {
    const loop = new EventLoop();
    const seen: string[] = [];
    const atOnce = (name: string): void =>
      loop.scheduleAtOnce(new Callback(() => seen.push(`${name} at ${loop.now}`)));
    loop.after(5, () => {
      loop.after(0, () => seen.push("third"));
      atOnce("first");
      atOnce("second");
    });
    loop.after(5, () => seen.push("due already"));
    drain(loop);
    assert.deepEqual(seen, ["first at 5", "second at 5", "due already", "third"]);
  });

  test("runs only actions that are due until the given time", () => {
    const loop = new EventLoop();
    const seen: number[] = [];
    for (const delay of [20, 5, 10]) loop.after(delay, () => seen.push(delay));
    while (loop.step(10));
    assert.deepEqual(seen, [5, 10]);
    assert.equal(loop.now, 10);
  });

  test("has the time of the action that it runs", () => {
    const loop = new EventLoop();
    const times: number[] = [];
    loop.after(5, () => {
      times.push(loop.now);
      loop.after(7, () => times.push(loop.now));
    });
    drain(loop);
    assert.deepEqual(times, [5, 12]);
  });

  test("neither runs a canceled action nor waits for it", () => {
    const loop = new EventLoop();
    const timer = loop.after(5, () => assert.fail("was cancelled"));
    loop.cancel(timer);
    assert.equal(loop.next, undefined);
    drain(loop);
    assert.equal(loop.now, 0);
  });

  test("keeps the order when most actions are canceled", () => {
    const loop = new EventLoop();
    const seen: number[] = [];
    const delays = Array.from({ length: 5000 }, (_, i) => (i * 7919) % 5000);
    const timers = delays.map((delay) => loop.after(delay, () => seen.push(delay)));
    for (const [i, timer] of timers.entries()) if ((delays[i] ?? 0) % 10 !== 0) loop.cancel(timer);
    drain(loop);
    assert.deepEqual(
      seen,
      Array.from({ length: 500 }, (_, i) => i * 10),
    );
  });
});
