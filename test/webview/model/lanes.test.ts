import { strict as assert } from "node:assert";
import type { KubeObject } from "../../../src/engine/api/meta.ts";
import { Trace } from "../../../src/engine/trace/trace.ts";
import { lanesOf } from "../../../src/webview/model/lanes.ts";
import type { OutcomeObject } from "../../../src/webview/model/outcome-objects.ts";

const ref = "PersistentVolume//disk";

function object(changed: Partial<OutcomeObject> = {}): OutcomeObject {
  const kind = "PersistentVolume";
  return { ref, kind, name: "disk", isImported: false, isTouched: true, ...changed };
}

function volume(phase: string): KubeObject {
  return {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name: "disk", uid: "1", resourceVersion: "1", creationTimestamp: "" },
    spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"] },
    status: { phase },
  };
}

const [available, bound] = [volume("Available"), volume("Bound")];

/** A volume is created, written without a change of status, bound and deleted; the first entry is a step. */
function lifeOfVolume(): Trace {
  const trace = new Trace();
  const write = { type: "write", actor: "user", ref } as const;
  trace.add(0, { type: "step", actor: "user", step: 0, text: "Apply 1 object" });
  trace.add(100, { ...write, verb: "create", after: available });
  trace.add(200, { ...write, verb: "update", before: available, after: available });
  trace.add(300, { ...write, verb: "update", before: available, after: bound });
  trace.add(400, { ...write, verb: "delete", before: bound });
  trace.add(500, { type: "step", actor: "user", step: 1, text: "Wait" });
  return trace;
}

suite("lanes of the timeline", () => {
  test("an object has a stretch for each status, and one for its absence", () => {
    const { all } = lanesOf(lifeOfVolume(), [object()], 0);
    assert.deepEqual(all, [
      {
        object: object(),
        stretches: [
          { seq: 1, at: 100, phase: "Available" },
          { seq: 3, at: 300, phase: "Bound" },
          { seq: 4, at: 400 },
        ],
      },
    ]);
  });

  test("the times go from the first entry about an object to the end of the run", () => {
    const { ticks } = lanesOf(lifeOfVolume(), [object()], 0);
    const times = [
      { seq: 1, at: 100 },
      { seq: 2, at: 200 },
      { seq: 4, at: 400 },
      { seq: 5, at: 500 },
    ];
    assert.deepEqual(ticks, times);
  });

  test("an object that existed before the run begins at the run's first moment", () => {
    const { all } = lanesOf(lifeOfVolume(), [object()], 2);
    assert.equal(all[0]?.stretches[0]?.seq, 2);
  });

  test("objects that the run has not changed, or that never existed, have no lane", () => {
    const absent = object({ ref: "PersistentVolume//other" });
    const { all, ticks } = lanesOf(lifeOfVolume(), [object({ isTouched: false }), absent], 0);
    assert.deepEqual([all, ticks], [[], []]);
  });
});
