/** Who gets a volume's files, and what a failed mount leaves. Numbers as in the table of expected behavior, part H.4. */
import assert from "node:assert/strict";
import type { CSIDriver, PersistentVolume } from "../../../src/engine/api/types.ts";
import { stateAfterFailure } from "../../../src/engine/kubelet/volume-manager/actual-state.ts";
import { needsFsGroupChange } from "../../../src/engine/kubelet/volumes/fs-group.ts";
import { final, transient, uncertain } from "../../../src/engine/kubelet/volumes/plugin.ts";

function changes(
  policy: string | undefined,
  fsType: string,
  mode: string,
  readOnly = false,
): boolean {
  const driver =
    policy === undefined ? undefined : ({ spec: { fsGroupPolicy: policy } } as CSIDriver);
  const persistentVolume = {
    spec: { accessModes: [mode], csi: { driver: "d", volumeHandle: "v", fsType } },
  } as unknown as PersistentVolume;
  return needsFsGroupChange(driver, { name: "pv", persistentVolume, readOnly });
}

suite("kubelet: fsGroup", () => {
  test("118: by default a volume without a file system type is left alone", () => {
    assert.equal(changes(undefined, "", "ReadWriteOnce"), false);
  });

  test("119, 120: with one, those of a single node are handed over", () => {
    assert.equal(changes(undefined, "ext4", "ReadWriteMany"), false);
    assert.equal(changes(undefined, "ext4", "ReadWriteOnce"), true);
    assert.equal(changes("ReadWriteOnceWithFSType", "ext4", "ReadWriteOncePod"), true);
  });

  test("121, 122: policy File always, policy None never", () => {
    assert.equal(changes("File", "", "ReadWriteMany"), true);
    assert.equal(changes("None", "ext4", "ReadWriteOnce"), false);
  });

  test("what is only read is left alone", () => {
    assert.equal(changes("File", "ext4", "ReadWriteOnce", true), false);
  });
});

suite("kubelet: state after a failed mount", () => {
  test("nothing is mounted until an error leaves doubt", () => {
    assert.equal(stateAfterFailure("NotMounted", final("x"), false), "NotMounted");
    assert.equal(stateAfterFailure("NotMounted", transient("x"), false), "NotMounted");
    assert.equal(stateAfterFailure("NotMounted", uncertain("x"), false), "Uncertain");
  });

  test("only a final error ends the doubt, and not about what a predecessor mounted", () => {
    assert.equal(stateAfterFailure("Uncertain", final("x"), false), "NotMounted");
    assert.equal(stateAfterFailure("Uncertain", final("x"), true), "Uncertain");
    assert.equal(stateAfterFailure("Uncertain", transient("x"), false), "Uncertain");
  });

  test("96, 100: a remount that fails leaves the mount", () => {
    for (const failure of [final("x"), uncertain("x"), transient("x")]) {
      assert.equal(stateAfterFailure("GloballyMounted", failure, false), "GloballyMounted");
      assert.equal(stateAfterFailure("Mounted", failure, false), "Mounted");
    }
  });
});
