import assert from "node:assert/strict";
import fc from "fast-check";
import { type KubeObject, type Ref, refOf } from "../../../src/engine/api/meta.ts";
import { traceHash } from "../../../src/engine/trace/hash.ts";
import { Trace } from "../../../src/engine/trace/trace.ts";

function object(name: string, version: number): KubeObject {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: {
      name,
      namespace: "default",
      uid: name,
      resourceVersion: String(version),
      creationTimestamp: "",
    },
  };
}

/** A trace of writes; each step names an object, and whether it is removed. */
function traceOf(steps: readonly { readonly name: string; readonly gone: boolean }[]): Trace {
  const trace = new Trace();
  const now = new Map<Ref, KubeObject>();
  for (const [i, { name, gone }] of steps.entries()) {
    const next = object(name, i);
    const before = now.get(refOf(next));
    if (gone && before === undefined) {
      trace.add(i, { type: "step", actor: "user", step: i, text: "nothing" });
      continue;
    }
    if (gone) now.delete(refOf(next));
    else now.set(refOf(next), next);
    trace.add(i, {
      type: "write",
      actor: "user",
      verb: gone ? "delete" : "update",
      ref: refOf(next),
      ...(before !== undefined && { before }),
      ...(!gone && { after: next }),
    });
  }
  return trace;
}

const steps = fc.array(
  fc.record({ name: fc.constantFrom("a", "b", "c", "d"), gone: fc.boolean() }),
  { maxLength: 60 },
);

suite("trace", () => {
  test("gives the state at any moment, in any order of moments", () => {
    fc.assert(
      fc.property(steps, fc.array(fc.nat(70), { maxLength: 10 }), (all, moments) => {
        const trace = traceOf(all);
        for (const moment of moments) {
          const expected = new Map<Ref, KubeObject>();
          for (const entry of trace.entries.slice(0, moment + 1)) {
            if (entry.type !== "write") continue;
            if (entry.after === undefined) expected.delete(entry.ref);
            else expected.set(entry.ref, entry.after);
          }
          const state = trace.stateAt(moment);
          assert.deepEqual(new Map(state), expected);
          for (const [ref, known] of expected) assert.equal(state.get(ref), known);
        }
      }),
      { seed: 1 },
    );
  });

  test("gives the state at any moment of a long run", () => {
    const trace = traceOf(
      Array.from({ length: 20_000 }, (_, i) => ({ name: `object-${i % 100}`, gone: false })),
    );
    const state = trace.stateAt(15_049);
    assert.equal([...state].length, 100);
    assert.equal(state.get("ConfigMap/default/object-49")?.metadata.resourceVersion, "15049");
    assert.equal(state.get("ConfigMap/default/object-50")?.metadata.resourceVersion, "14950");
    assert.deepEqual([...trace.stateAt(-1)], []);
  });

  test("has a hash that every entry changes", () => {
    const all = Array.from({ length: 5 }, (_, i) => ({ name: `object-${i}`, gone: false }));
    const hashes = [5, 4, 3].map((length) => traceHash(traceOf(all.slice(0, length)).entries));
    assert.equal(new Set(hashes).size, 3);
    assert.equal(traceHash(traceOf(all).entries), hashes[0]);
  });
});
