/** The facts of a trace that are looked up by object. */
import assert from "node:assert/strict";
import { type ApiError, makeRef } from "../../../src/engine/api/meta.ts";
import { RunFacts } from "../../../src/engine/explain/run-facts.ts";
import { Trace } from "../../../src/engine/trace/trace.ts";

suite("facts of a run", () => {
  const ref = makeRef("PersistentVolumeClaim", "default", "data");
  const actor = "persistentvolume-binder";
  const refusedWith = (...reasons: readonly ApiError["reason"][]): string | undefined => {
    const trace = new Trace();
    for (const [at, reason] of reasons.entries()) {
      const error = { code: 409, reason, message: "" };
      trace.add(at, { type: "refused", actor, verb: "update", ref, error });
    }
    return new RunFacts(trace).refusal(ref, actor)?.reason;
  };

  test("have the refusals of the component that wrote, but not conflicts, which are retried", () => {
    assert.equal(refusedWith("Forbidden"), "Forbidden");
    assert.equal(refusedWith("Conflict"), undefined);
    assert.equal(refusedWith("AlreadyExists"), undefined);
    assert.equal(refusedWith("Forbidden", "Conflict"), "Forbidden");
  });
});
