/** Which entries of the trace are one event in a list of events. */
import assert from "node:assert/strict";
import { makeRef } from "../../../src/engine/api/meta.ts";
import type { EventEntry } from "../../../src/engine/trace/entry.ts";
import { combinedPrefix, eventKey } from "../../../src/engine/trace/event-key.ts";

const first: EventEntry = {
  type: "event",
  actor: "kubelet node-a",
  cause: undefined,
  about: makeRef("Pod", "default", "p"),
  source: "kubelet",
  eventType: "Warning",
  reason: "FailedMount",
  message: "one volume is not there",
  container: undefined,
  count: 1,
  seq: 0,
  at: 0,
};

function isSame(...[a, b]: readonly Partial<EventEntry>[]): boolean {
  return eventKey({ ...first, ...a }) === eventKey({ ...first, ...b });
}

suite("entries of one event", () => {
  test("differ only in count and time", () => {
    assert.ok(isSame({}, { count: 2, seq: 9, at: 700 }));
    for (const other of [
      { about: makeRef("Pod", "default", "q") },
      { source: "default-scheduler" },
      { eventType: "Normal" as const },
      { reason: "FailedMapVolume" },
      { message: "another volume is not there" },
      { container: "app" },
    ])
      assert.ok(!isSame({}, other), JSON.stringify(other));
  });

  test("may have different messages and containers once they are combined", () => {
    const combined = (text: string, container?: string): Partial<EventEntry> => ({
      message: combinedPrefix + text,
      container,
    });
    assert.ok(isSame(combined("one"), combined("another", "app")));
    assert.ok(!isSame({ message: "one" }, combined("one")));
  });
});
