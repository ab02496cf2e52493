import { strict as assert } from "node:assert";
import type { EventEntry } from "../../../src/engine/trace/entry.ts";
import { type EventRow, eventLines, eventRows } from "../../../src/webview/model/event-rows.ts";

function event(seq: number, reason: string, count: number): EventEntry {
  return {
    type: "event",
    seq,
    at: seq * 1000,
    actor: "persistentvolume-binder",
    eventType: "Warning",
    reason,
    about: "PersistentVolumeClaim/default/data",
    source: "persistentvolume-controller",
    message: `${reason} happened`,
    count,
  };
}

function linesAt(entries: readonly EventEntry[], seq: number): readonly EventRow[] {
  return eventLines(eventRows(entries), seq, "");
}

suite("event lines", () => {
  const events = [
    event(3, "ProvisioningFailed", 1),
    event(5, "FailedScheduling", 1),
    event(8, "ProvisioningFailed", 2),
    event(9, "ProvisioningFailed", 3),
  ];

  test("a repeated event is one line, at its last time, with its count and its first time", () => {
    const lines = linesAt(events, 9).map(({ reason, count, at, firstAt }) => [
      reason,
      count,
      at,
      firstAt,
    ]);
    assert.deepEqual(lines, [
      ["FailedScheduling", 1, 5000, 5000],
      ["ProvisioningFailed", 3, 9000, 3000],
    ]);
  });

  test("equal events of two containers are two lines", () => {
    const started = (seq: number, container: string, count: number): EventEntry => ({
      ...event(seq, "Started", count),
      container,
    });
    const events = [started(1, "app", 1), started(2, "proxy", 1), started(3, "app", 2)];
    assert.deepEqual(
      linesAt(events, 3).map(({ container, count }) => [container, count]),
      [
        ["proxy", 1],
        ["app", 2],
      ],
    );
  });

  test("combined events are one line, with the message of the last", () => {
    const combined = (seq: number, pod: string, count: number): EventEntry => ({
      ...event(seq, "SuccessfulCreate", count),
      message: `(combined from similar events): Created pod: ${pod}`,
    });
    const lines = linesAt([combined(1, "a", 1), combined(2, "b", 2), combined(3, "c", 3)], 3);
    assert.deepEqual(
      lines.map(({ message, count, firstAt }) => [message, count, firstAt]),
      [["(combined from similar events): Created pod: c", 3, 1000]],
    );
  });

  test("lines can be filtered by the names of their objects", () => {
    const other = { ...event(6, "Started", 1), about: "Pod/default/web" } as const;
    const rows = eventRows([...events, other]);
    const about = (filter: string) => eventLines(rows, 9, filter).map((line) => line.about);
    assert.deepEqual(about("default/we"), ["Pod/default/web"]);
    assert.equal(about("Pod").length, 0);
  });

  test("events after the moment are not shown", () => {
    assert.deepEqual(
      linesAt(events, 5).map(({ seq }) => seq),
      [3, 5],
    );
    assert.deepEqual(linesAt(events, 2), []);
  });

  test("an event whose count starts again at 1 gets its own line", () => {
    const again = [...events, event(12, "ProvisioningFailed", 1)];
    const last = linesAt(again, 12).at(-1);
    assert.deepEqual([last?.count, last?.firstAt], [1, 12_000]);
  });
});
