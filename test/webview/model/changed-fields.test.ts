import { strict as assert } from "node:assert";
import { changesText } from "../../../src/webview/model/changed-fields.ts";

suite("what an update has changed", () => {
  test("lists fields that were changed, added and removed, without those that every write changes", () => {
    const before = { metadata: { resourceVersion: "1" }, spec: { a: "x", c: 1 } };
    const after = { metadata: { resourceVersion: "2" }, spec: { a: "y", b: true } };
    assert.equal(changesText(before, after), "a x → y, c gone, b true");
    assert.equal(changesText(before, { ...before, metadata: after.metadata }), "");
  });

  test("names a nested field with its parent, and a new map as a whole", () => {
    const spec = { capacity: { storage: "1Gi" } };
    assert.equal(
      changesText({ spec }, { spec: { capacity: { storage: "2Gi" } } }),
      "capacity.storage 1Gi → 2Gi",
    );
    assert.equal(changesText({ spec: {} }, { spec: { claimRef: { name: "a" } } }), "claimRef");
    const annotations = { "pv.kubernetes.io/bind-completed": "yes" };
    assert.equal(
      changesText({ metadata: {} }, { metadata: { annotations }, status: { phase: "Bound" } }),
      "phase Bound, pv.kubernetes.io/bind-completed yes",
    );
  });

  test("names conditions by type, finalizers by value, other lists by their field", () => {
    const ready = (status: string) => ({ type: "Ready", status, reason: "r" });
    assert.equal(changesText({ conditions: [] }, { conditions: [ready("False")] }), "Ready False");
    assert.equal(
      changesText({ conditions: [ready("False")] }, { conditions: [ready("True")] }),
      "Ready False → True",
    );
    assert.equal(changesText({ conditions: [ready("True")] }, { conditions: [] }), "Ready gone");
    assert.equal(
      changesText({ finalizers: ["a", "b"] }, { finalizers: ["b", "c"] }),
      "finalizers with c, finalizers without a",
    );
    assert.equal(changesText({ taints: [{ key: "a" }] }, { taints: [] }), "taints");
  });

  test("counts changes after the third, and does not show long values", () => {
    const many = { a: 1, b: 1, c: 1, d: 1, e: 1 };
    assert.equal(changesText({}, many), "a 1, b 1, c 1 and 2 more");
    assert.equal(changesText({ a: "" }, { a: "x".repeat(64) }), "a changed");
  });
});
