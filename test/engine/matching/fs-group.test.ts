import assert from "node:assert/strict";
import { type FsGroupQuestion, fsGroupRefusal } from "../../../src/engine/matching/fs-group.ts";

const disk: FsGroupQuestion = {
  policy: undefined,
  readOnly: false,
  fsType: "ext4",
  accessModes: ["ReadWriteOnce"],
};

suite("fsGroup of a CSI volume", () => {
  for (const [what, question, wanted] of [
    ["is applied to a disk with a file system", {}, undefined],
    ["is applied to a volume of one pod", { accessModes: ["ReadWriteOncePod"] }, undefined],
    ["needs one node", { accessModes: ["ReadWriteMany"] }, "several-nodes"],
    ["needs a file system's name", { fsType: "" }, "no-fstype"],
    ["asks no modes of an inline volume", { accessModes: undefined }, undefined],
    ["asks neither with File", { policy: "File", fsType: "", accessModes: [] }, undefined],
    ["is never applied with None", { policy: "None" }, "policy-none"],
    ["leaves read-only volumes alone", { policy: "File", readOnly: true }, "read-only"],
  ] as const) {
    test(what, () => assert.equal(fsGroupRefusal({ ...disk, ...question }), wanted));
  }
});
