/** How the resizer merges new conditions into those of a claim. */
import assert from "node:assert/strict";
import type { PersistentVolumeClaimCondition } from "../../../../src/engine/api/types.ts";
import { mergeProbed } from "../../../../src/engine/controllers/external-resizer/probed-conditions.ts";

const condition = (type: string, more: object = {}): PersistentVolumeClaimCondition => ({
  type,
  status: "True",
  ...more,
});
const at = (time: string, lastProbeTime = time): object => ({
  lastProbeTime,
  lastTransitionTime: time,
});
const refused = { reason: "InvalidArgument", message: "no" };

suite("conditions that are probed again", () => {
  test("a new condition is added last, with the current time", () => {
    const pending = condition("FileSystemResizePending", { lastTransitionTime: "1" });
    const merged = mergeProbed([pending], [condition("ModifyingVolume")], "2");
    assert.deepEqual(merged, [pending, condition("ModifyingVolume", at("2"))]);
  });

  test("an unchanged condition keeps its place and its transition time", () => {
    const error = condition("ModifyVolumeError", { ...refused, ...at("1") });
    const other = condition("Resizing", at("1"));
    const merged = mergeProbed([error, other], [condition("ModifyVolumeError", refused)], "2");
    assert.deepEqual(merged, [
      condition("ModifyVolumeError", { ...refused, ...at("1", "2") }),
      other,
    ]);
  });

  test("another reason or message counts as a transition, even with the same status", () => {
    for (const other of [
      { reason: "Internal", message: "no" },
      { reason: "InvalidArgument", message: "never" },
    ]) {
      const old = condition("ModifyVolumeError", { ...refused, ...at("1") });
      const merged = mergeProbed([old], [condition("ModifyVolumeError", other)], "2");
      assert.deepEqual(merged, [condition("ModifyVolumeError", { ...other, ...at("2") })]);
    }
  });

  test("without found conditions nothing changes", () => {
    const old = [condition("ModifyingVolume", at("1"))];
    assert.deepEqual(mergeProbed(old, [], "2"), old);
  });
});
