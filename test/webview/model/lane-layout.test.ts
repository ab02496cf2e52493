import { strict as assert } from "node:assert";
import type { EventRow } from "../../../src/webview/model/event-rows.ts";
import { TimelineLayout, toneOf } from "../../../src/webview/model/lane-layout.ts";
import type { Lanes, Stretch } from "../../../src/webview/model/lanes.ts";

const ref = "Pod/default/web";

/** The lane of one pod, in a run whose lanes go from entry 10 to entry 110. */
function lanes(...stretches: readonly Stretch[]): Lanes {
  const object = { ref, kind: "Pod", name: "default/web", isImported: false, isTouched: true };
  const ticks = [
    { seq: 10, at: 1000 },
    { seq: 110, at: 20_000 },
  ];
  return { all: [{ object: { ...object, kind: "Pod" }, stretches }], ticks };
}

function warning(seq: number, about: string = ref): EventRow {
  const [source, reason, message] = ["kubelet", "FailedMount", "no such device"];
  const [at, line] = [seq * 100, seq];
  const row = { seq, at, reason, about, source, message, count: 1, line, firstAt: at };
  return { ...row, type: "Warning" };
}

const pending = { seq: 10, at: 1000, phase: "Pending" };
const running = { seq: 60, at: 6000, phase: "Running" };
const gone = { seq: 85, at: 9000 };

suite("layout of the lanes", () => {
  test("a status fills its lane until the next one, and the lane is empty once the object is gone", () => {
    const { lanes: laidOut } = new TimelineLayout({
      lanes: lanes(pending, running, gone),
      events: [],
    });
    assert.deepEqual(laidOut[0]?.boxes, [
      {
        leftPercent: 0,
        widthPercent: 42.5,
        phase: "Pending",
        tone: "waiting",
        text: "Pending from +1.000s to +6.000s",
      },
      {
        leftPercent: 42.5,
        widthPercent: 21.25,
        phase: "Running",
        tone: "settled",
        text: "Running from +6.000s to +9.000s",
      },
    ]);
  });

  test("the last status lasts to the end, and has a visible width", () => {
    const last = { ...running, seq: 110 };
    const late = new TimelineLayout({ lanes: lanes(pending, last), events: [] });
    assert.deepEqual(
      late.lanes[0]?.boxes.map(({ widthPercent }) => widthPercent),
      [85, 15],
    );
    const { lanes: laidOut } = new TimelineLayout({ lanes: lanes(pending), events: [] });
    assert.equal(laidOut[0]?.boxes[0]?.widthPercent, 100);
    assert.equal(laidOut[0]?.boxes[0]?.text, "Pending from +1.000s on");
  });

  test("of the warnings within one percent of a lane only the first is drawn, but keys reach each", () => {
    const events = [warning(20), warning(40), warning(40.5), warning(50, "Pod/default/other")];
    const layout = new TimelineLayout({ lanes: lanes(pending, running), events });
    assert.deepEqual(layout.lanes[0]?.warningPercents, [8.5, 25.5]);
    assert.deepEqual(layout.lanes[0]?.stops, [10, 20, 40, 40.5, 60]);
  });

  test("a place leads to the status or warning that begins near it, otherwise to the moment there", () => {
    const layout = new TimelineLayout({ lanes: lanes(pending, running), events: [warning(20)] });
    const [lane] = layout.lanes;
    assert.ok(lane !== undefined);
    const leadsTo = (percent: number): number => layout.seqAt(percent, 2, lane);
    assert.deepEqual([7.5, 11, 41.6, 63.75, 95].map(leadsTo), [20, 23, 60, 85, 110]);
  });

  test("times are shown at both ends of the lanes, and an earlier moment is at the beginning", () => {
    const layout = new TimelineLayout({ lanes: lanes(pending), events: [] });
    assert.deepEqual(layout.ticks, [
      { leftPercent: 0, text: "+1.000s" },
      { leftPercent: 85, text: "+20.0s" },
    ]);
    assert.equal(layout.percentOf(3), 0);
  });

  test("the number of lanes is limited, and those left out are counted", () => {
    const { all, ticks } = lanes(pending);
    const many = Array.from({ length: 1000 }, () => all).flat();
    const layout = new TimelineLayout({ lanes: { all: many, ticks }, events: [] });
    assert.deepEqual([layout.lanes.length, layout.leftOutCount], [300, 700]);
  });

  test("lanes are filtered by the names of their objects", () => {
    const named = (filter: string): number =>
      new TimelineLayout({ lanes: lanes(pending), events: [] }, filter).lanes.length;
    assert.deepEqual(["web", "db"].map(named), [1, 0]);
  });

  test("a run without lanes has no times", () => {
    const layout = new TimelineLayout({ lanes: { all: [], ticks: [] }, events: [] });
    assert.deepEqual([layout.lanes, layout.ticks], [[], []]);
  });

  for (const [tone, phases] of [
    [
      "settled",
      ["Bound", "Running", "Complete", "Attached", "ReadyToUse", "3/3 ready", "0 active"],
    ],
    ["waiting", ["Pending", "Init:0/2", "Terminating", "Released", "Suspended", "9/10 ready"]],
    ["failing", ["Lost", "Failed", "CrashLoopBackOff", "Init:Error", "AttachError"]],
  ] as const)
    test(`${phases.join(", ")} look ${tone}`, () => {
      assert.deepEqual(
        phases.map(toneOf),
        phases.map(() => tone),
      );
    });
});
