import { deepEqual, equal } from "node:assert/strict";
import { EventRecorder, type RecordedEvent } from "../../../src/engine/runtime/event-recorder.ts";

function event(message: string, more: Partial<RecordedEvent> = {}): RecordedEvent {
  return {
    about: "Pod/default/web",
    predecessors: 0,
    source: "kubelet",
    eventType: "Warning",
    reason: "FailedMount",
    message,
    ...more,
  };
}

suite("event recorder", () => {
  test("an equal event raises the count of the first", () => {
    const recorder = new EventRecorder(0);
    deepEqual(recorder.correlate(event("no such device"), 0), {
      message: "no such device",
      count: 1,
    });
    deepEqual(recorder.correlate(event("no such device"), 1000), {
      message: "no such device",
      count: 2,
    });
  });

  test("each message of a reason has its own count", () => {
    const recorder = new EventRecorder(0);
    const count = (message: string, reason: string): number | undefined =>
      recorder.correlate(event(message, { reason }), 0)?.count;
    deepEqual(
      ["a", "a", "b", "a", "b"].map((message) => count(message, "FailedMount")),
      [1, 2, 1, 3, 2],
    );
    equal(count("a", "FailedAttachVolume"), 1);
    equal(count("a", "FailedMount"), 4);
  });

  test("each container of a pod has its own count, but their messages do not count as distinct", () => {
    const recorder = new EventRecorder(0);
    const counts = ["app", "proxy", "app", "app", "proxy"].map(
      (container) => recorder.correlate(event("container started", { container }), 0)?.count,
    );
    deepEqual(counts, [1, 1, 2, 3, 2]);
    const many = new EventRecorder(0);
    for (let i = 1; i <= 12; i++) {
      const written = many.correlate(event("container started", { container: `c${i}` }), 0);
      deepEqual(written, { message: "container started", count: 1 });
    }
  });

  test("the tenth distinct message of one reason within ten minutes is combined with those that follow", () => {
    const recorder = new EventRecorder(0);
    for (let i = 1; i <= 9; i++)
      equal(recorder.correlate(event(`error ${i}`), i)?.message, `error ${i}`);
    deepEqual(recorder.correlate(event("error 10"), 10), {
      message: "(combined from similar events): error 10",
      count: 1,
    });
    deepEqual(recorder.correlate(event("error 11"), 11), {
      message: "(combined from similar events): error 11",
      count: 2,
    });
  });

  test("one of the last ten messages is not combined when it comes again", () => {
    const recorder = new EventRecorder(0);
    for (let i = 1; i <= 10; i++) recorder.correlate(event(`error ${i}`), i);
    deepEqual(recorder.correlate(event("error 9"), 11), { message: "error 9", count: 2 });
    equal(
      recorder.correlate(event("error 1"), 12)?.message,
      "(combined from similar events): error 1",
    );
  });

  test("ten minutes after the first message, that one no longer counts", () => {
    const recorder = new EventRecorder(0);
    recorder.correlate(event("error 1"), 0);
    for (let i = 2; i <= 10; i++)
      equal(recorder.correlate(event(`error ${i}`), 700_000)?.message, `error ${i}`);
  });

  test("after ten quiet minutes messages are no longer combined", () => {
    const recorder = new EventRecorder(0);
    for (let i = 1; i <= 10; i++) recorder.correlate(event(`error ${i}`), i);
    equal(recorder.correlate(event("error 11"), 600_011)?.message, "error 11");
  });

  test("one source may send 25 events about an object at once, then one every five minutes", () => {
    const recorder = new EventRecorder(0);
    for (let i = 0; i < 25; i++) equal(recorder.correlate(event("again"), 0)?.count, i + 1);
    equal(recorder.correlate(event("again"), 0), undefined);
    equal(recorder.correlate(event("again"), 299_999), undefined);
    equal(recorder.correlate(event("again"), 300_000)?.count, 28);
    equal(recorder.correlate(event("again"), 300_001), undefined);
  });

  test("another object, another source and another type have their own limits", () => {
    const recorder = new EventRecorder(0);
    for (let i = 0; i < 26; i++) recorder.correlate(event("again"), 0);
    equal(recorder.correlate(event("again", { about: "Pod/default/other" }), 0)?.count, 1);
    equal(recorder.correlate(event("again", { source: "attachdetach-controller" }), 0)?.count, 1);
    equal(recorder.correlate(event("again", { eventType: "Normal" }), 0)?.count, 1);
  });

  test("an object with the name of a deleted one has its own count and limit", () => {
    const recorder = new EventRecorder(0);
    for (const series of [undefined, "7"]) {
      for (let i = 0; i < 26; i++) recorder.correlate(event("again", { series }), 0);
      equal(recorder.correlate(event("again", { series, predecessors: 1 }), 0)?.count, 1);
      equal(recorder.correlate(event("again", { series, predecessors: 1 }), 0)?.count, 2);
    }
  });
});

suite("series of events", () => {
  const minute = 60_000;
  const failed = (recorder: EventRecorder, at: number, message = "unfit", series = "7") =>
    recorder.correlate(event(message, { reason: "FailedScheduling", series }), at);

  test("are written with the first and the second event, with the text of the first", () => {
    const recorder = new EventRecorder(0);
    deepEqual(failed(recorder, 0, "0/1 nodes are available"), {
      message: "0/1 nodes are available",
      count: 1,
    });
    deepEqual(failed(recorder, 1, "0/2 nodes are available"), {
      message: "0/1 nodes are available",
      count: 2,
    });
    equal(failed(recorder, 2), undefined);
  });

  test("belong to one version of their object", () => {
    const recorder = new EventRecorder(0);
    equal(failed(recorder, 0)?.count, 1);
    equal(failed(recorder, 1, "unfit", "8")?.count, 1);
    equal(failed(recorder, 2, "unfit", "8")?.count, 2);
  });

  test("are written again every half hour", () => {
    const recorder = new EventRecorder(0);
    for (let at = 2; at <= 27; at += 5) failed(recorder, at * minute);
    equal(failed(recorder, 29 * minute), undefined);
    equal(failed(recorder, 32 * minute)?.count, 8);
    equal(failed(recorder, 37 * minute), undefined);
  });

  test("are forgotten at the first check that finds them quiet for six minutes", () => {
    const recorder = new EventRecorder(0);
    equal(failed(recorder, minute)?.count, 1);
    equal(failed(recorder, 11 * minute)?.count, 2);
    equal(failed(recorder, 24 * minute)?.count, 1);
  });
});
