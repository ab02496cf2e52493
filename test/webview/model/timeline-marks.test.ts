import { strict as assert } from "node:assert";
import type { EventRow } from "../../../src/webview/model/event-rows.ts";
import type { Summary } from "../../../src/webview/model/reading.ts";
import { timelineMarks } from "../../../src/webview/model/timeline-marks.ts";

const pod = "Pod/default/web";

function event(seq: number, type: EventRow["type"]): EventRow {
  const source = "default-scheduler";
  const message = "no node";
  const [at, reason] = [1500, "FailedScheduling"];
  return { seq, at, type, reason, about: pod, source, message, count: 1, line: seq, firstAt: at };
}

function summary(changed: Partial<Summary>): Summary {
  const lanes = { all: [], ticks: [] };
  const none = { objects: [], lanes, events: [], steps: [], targets: [] };
  return { hash: "", entryCount: 100, firstSeq: 0, endMs: 9000, ...none, ...changed };
}

suite("marks of the timeline", () => {
  test("are steps and warnings in the order of time, with their texts and where they lead", () => {
    const marks = timelineMarks(
      summary({
        events: [event(3, "Warning"), event(4, "Normal"), event(50, "Warning")],
        steps: [{ seq: 10, at: 2000, text: "Drain node-a" }],
      }),
    );
    const warning = "+1.500s FailedScheduling on Pod default/web: no node";
    assert.deepEqual(marks, [
      { kind: "warning", seq: 3, about: pod, text: warning },
      { kind: "step", seq: 10, text: "+2.000s Drain node-a" },
      { kind: "warning", seq: 50, about: pod, text: warning },
    ]);
  });

  test("are combined at one place, by kind", () => {
    const events = Array.from({ length: 5000 }, (_, seq) => event(seq, "Warning"));
    const steps = [{ seq: 7, at: 0, text: "Apply 1 object" }];
    const marks = timelineMarks(summary({ entryCount: 5000, events, steps }));
    assert.ok(marks.length <= 201, `${marks.length} marks`);
    assert.match(marks[0]?.text ?? "", /no node \(and 24 more here\)$/);
    assert.equal(marks.filter(({ kind }) => kind === "step").length, 1);
  });

  test("do not exist without a run", () => assert.deepEqual(timelineMarks(undefined), []));
});
